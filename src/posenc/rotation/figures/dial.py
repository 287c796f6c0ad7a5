"""A clock that shows one pair of features, before and after a shift."""

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Wedge

from posenc.kit.figures.themes import color


def clock(
    ax: Axes, center: tuple[float, float], angle: float, turn: float, *, size: float = 1
) -> None:
    """Draw a dial with its hand at `angle` (pale), and again after a further `turn`.

    Hands start at 12 and go clockwise, so a hand points to (sin, cos) of its angle.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    center : (float, float)
        Middle of the dial.
    angle, turn : float
        In radians, clockwise.
    size : float, default 1
        Radius of the dial.
    """
    face: dict[str, Any] = {"fc": color("raised"), "ec": color("line"), "lw": 1}
    ax.add_patch(Circle(center, size, **face))
    first, last = sorted([angle, angle + math.remainder(turn, 2 * math.pi)])
    arc = 90 - math.degrees(last), 90 - math.degrees(first)  # matplotlib's angles
    sector: dict[str, Any] = {"fc": color("position"), "ec": "none", "alpha": 0.25}
    ax.add_patch(Wedge(center, 0.8 * size, *arc, **sector))
    for a, role, style in (
        (angle, "muted", (0, (2, 1.5))),
        (angle + turn, "position", "-"),
    ):
        end = np.asarray(center) + 0.92 * size * np.asarray([math.sin(a), math.cos(a)])
        line = zip(center, end, strict=True)
        ax.plot(*line, color=color(role), ls=style, lw=2, solid_capstyle="round")
    ax.plot(*center, "o", ms=3.5, color=color("text"))
