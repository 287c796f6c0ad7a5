"""Clocks, one per frequency: the picture that opens the chapter on rotation."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Wedge

from posenc import _angles

from .themes import color

_BASE, _D_MODEL = 30.0, 8
_STARTS, _SHIFT = (1, 5), 2


def opening(ax: Axes | None = None) -> Axes:
    """Four hands at two starts, moved on by the same shift: each by its own angle.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.6, 4.0))[1]
    theta = _angles.frequencies(_D_MODEL, base=_BASE)
    ax.set(xlim=(-1.75, 9.1), ylim=(-5.1, 2.6), aspect="equal")
    ax.set_axis_off()
    middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    for row, start in enumerate(_STARTS):
        for column, speed in enumerate(theta):
            clock(ax, (2.45 * column, -2.75 * row), speed * start, speed * _SHIFT)
        words = f"{start} → {start + _SHIFT}"
        ax.text(-1.4, -2.75 * row, words, rotation=90, color=color("text"), **middle)
    for column, speed in enumerate(theta):
        x = 2.45 * column
        ax.text(x, 1.45, f"clock {column}", color=color("muted"), **middle)
        turn = f"+{math.degrees(speed * _SHIFT):.0f}°"
        ax.text(x, -4.15, turn, color=color("position"), **middle)
    ax.text(3.7, 2.2, "fast  ⟶  slow", color=color("muted"), **middle)
    words = "the same turn, wherever you start"
    ax.text(3.7, -4.85, words, color=color("position"), **middle)
    return ax


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
