"""A turn of the plane: the hand of one clock, before and after."""

import math
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle

from posenc.kit.figures.themes import color


def turn_in_plane(
    angle: float = 0.45, turn: float = 0.8, *, ax: Axes | None = None
) -> Axes:
    """One hand before and after a turn, with its sine across and its cosine up.

    Parameters
    ----------
    angle, turn : float
        In radians, clockwise from 12 o'clock.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.2, 3.9))[1] if ax is None else ax
    ax.set(xlim=(-1.35, 1.75), ylim=(-1.25, 1.5), aspect="equal")
    ax.set_axis_off()
    thin: dict[str, Any] = {"color": color("line"), "lw": 1}
    ax.add_patch(Circle((0, 0), 1, fc="none", ec=color("line"), ls=":"))
    ax.plot([-1.15, 1.25], [0, 0], **thin)
    ax.plot([0, 0], [-1.15, 1.25], **thin)
    ax.text(1.28, 0, "sine", va="center", color=color("muted"))
    ax.text(0, 1.3, "cosine", ha="center", color=color("muted"))
    hands = ((angle, "muted", "$t$"), (angle + turn, "position", "$t + k$"))
    for a, role, words in hands:
        x, y = math.sin(a), math.cos(a)
        arrow = {"arrowstyle": "-|>", "color": color(role), "lw": 2}
        ax.annotate("", (x, y), (0, 0), arrowprops={**arrow, "shrinkA": 0})
        ax.plot([x, x, 0], [0, y, y], ls=":", color=color(role), lw=1.2)
        ax.text(1.07 * x + 0.03, 1.1 * y, words, color=color(role), fontsize=13)
    degrees = 90 - math.degrees(angle + turn), 90 - math.degrees(angle)
    ax.add_patch(Arc((0, 0), 0.84, 0.84, theta1=degrees[0], theta2=degrees[1], lw=2))
    ax.patches[-1].set_edgecolor(color("position"))
    middle = angle + turn / 2
    at = 0.74 * math.sin(middle), 0.74 * math.cos(middle)
    ax.text(*at, r"$\theta k$", color=color("position"), ha="center", va="center")
    ax.add_patch(Arc((0, 0), 1.04, 1.04, theta1=degrees[1], theta2=90, lw=1.5))
    ax.patches[-1].set_edgecolor(color("muted"))
    at = 0.68 * math.sin(angle / 2), 0.68 * math.cos(angle / 2)
    ax.text(*at, r"$\theta t$", color=color("muted"), ha="center", va="center")
    return ax
