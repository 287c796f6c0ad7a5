"""A turn of the plane, and why a sine alone is not enough."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
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


def sine_alone(ax: Axes | None = None) -> Axes:
    """Two positions with the same sine, from which one step leads to different ones.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.8, 2.9))[1] if ax is None else ax
    theta = math.pi / 4
    t = np.linspace(0, 8, 200)
    ax.plot(t, np.sin(theta * t), color=color("line"), lw=1.2)
    whole = np.arange(9)
    ax.plot(whole, np.sin(theta * whole), "o", color=color("line"), ms=4)
    for start, role, words in ((1, "position", "rises"), (3, "text", "falls")):
        now, then = math.sin(theta * start), math.sin(theta * (start + 1))
        arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": color(role), "lw": 2}
        ax.annotate("", (start + 1, then), (start, now), arrowprops=arrow)
        ax.plot(start, now, "o", color=color(role), ms=8)
        at = (start - 0.2, now + 0.12) if start == 1 else (start + 0.85, now - 0.3)
        side = "right" if start == 1 else "left"
        ax.text(*at, words, color=color(role), ha=side)
    ax.axhline(math.sin(theta), ls=":", lw=1, color=color("muted"))
    ax.text(8, math.sin(theta) + 0.06, "same sine", ha="right", color=color("muted"))
    ax.set(xlabel="position $t$", yticks=[-1, 0, 1], ylim=(-1.15, 1.3), xticks=whole)
    return ax
