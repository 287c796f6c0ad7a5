"""Complex numbers: a product as a turn, and the helix of e^{ix}."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc

from posenc.kit.figures.themes import choose, color

from .arrows import hand, polar, thick_arrow


def multiply(ax: Axes | None = None) -> Axes:
    """Draw a point of the plane before and after multiplication by a unit number.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.4, 3.7))[1] if ax is None else ax
    ax.set(xlim=(-1.45, 2.0), ylim=(-0.65, 2.15), aspect="equal")
    ax.set_axis_off()
    axis: dict[str, Any] = {"arrowstyle": "-|>", "color": color("line"), "lw": 1}
    for end, words, at in (
        ((1.75, 0), "real", (1.7, -0.22)),
        ((0, 2.0), "imaginary", (0.62, 1.98)),
    ):
        start = (-1.4 * (end[0] > 0), -0.4 * (end[1] > 0))
        ax.annotate("", end, start, arrowprops=axis)
        ax.text(*at, words, ha="center", va="center", color=color("muted"))
    length, angle, phi = 1.5, 25, 70
    for a, role, words in ((angle, "muted", "$z$"), (angle + phi, "text", "")):
        hand(ax, (0, 0), length, a, role)
        x, y = polar((0, 0), length, a)
        ax.plot([x, x, 0], [0, y, y], ls=":", lw=1.2, color=color(role))
        ax.text(x + 0.08, y + 0.06, words, color=color(role), fontsize=14)
    x, y = polar((0, 0), length, angle + phi)
    ax.text(x - 0.1, y + 0.1, r"$z\,e^{\mathrm{i}\varphi}$", ha="right", fontsize=14)
    for radius, low, high, role, words in (
        (0.95, 0, angle, "muted", r"$\psi$"),
        (1.3, angle, angle + phi, "position", r"$\varphi$"),
    ):
        arc = Arc((0, 0), radius, radius, theta1=low, theta2=high, lw=2)
        arc.set_edgecolor(color(role))
        ax.add_patch(arc)
        at = polar((0, 0), radius / 2 + 0.16, (low + high) / 2)
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 13}
        ax.text(*at, words, color=color(role), **style)
    return ax


def helix(ax: Axes | None = None) -> Axes:
    """Draw the curve of all e^{ix}, its shadow on the floor and its shadow on the wall.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(5.8, 3.2))[1] if ax is None else ax
    ax.set_axis_off()
    ax.set(aspect="equal")
    end = 4 * math.pi
    x = np.linspace(0, end, 400)

    def view(x: Any, real: Any, imaginary: Any) -> tuple[Any, Any]:
        """Place on the page: x to the right, real part towards you, imaginary up."""
        return 0.5 * x - 0.35 * real, imaginary - 0.28 * real

    wall, floor = -1.5, -1.8
    for corners in (
        [(0, wall, floor), (end, wall, floor), (end, wall, 1.3), (0, wall, 1.3)],
        [(0, wall, floor), (end, wall, floor), (end, 1.3, floor), (0, 1.3, floor)],
    ):
        shape = np.asarray([view(*corner) for corner in corners])
        ax.fill(*shape.T, fc=color("raised"), ec=color("line"), lw=0.8)
    zero = np.zeros_like(x)
    ax.plot(*view(x, wall + zero, np.sin(x)), color=color("value"), lw=2, ls="--")
    ax.plot(*view(x, np.cos(x), floor + zero), color=color("key"), lw=2, ls="-.")
    ax.plot(
        *view(np.asarray([0, end + 0.8]), np.zeros(2), np.zeros(2)),
        color=color("line"),
        lw=1,
    )
    ax.plot(*view(x, np.cos(x), np.sin(x)), color=color("text"), lw=2.4)
    here = 2.3
    point = view(here, math.cos(here), math.sin(here))
    for shadow, role in (
        ((here, wall, math.sin(here)), "value"),
        ((here, math.cos(here), floor), "key"),
    ):
        to = view(*shadow)
        line = zip(point, to, strict=True)
        ax.plot(*line, ls=":", lw=1.3, color=color("muted"))
        ax.plot(*to, "o", color=color(role), ms=6)
    start = view(here, 0, 0)
    ax.annotate("", point, start, arrowprops={**thick_arrow("position"), "shrinkA": 0})
    big: dict[str, Any] = {"fontsize": 12, "va": "center"}
    ax.text(*view(end + 1.1, 0, 0), "$x$", **big)
    words = "shadow on the wall: imaginary part, $\\sin x$"
    ax.text(*view(choose(0, -0.8), wall, 1.55), words, color=color("value"), **big)
    words = "shadow on the floor: real part, $\\cos x$"
    ax.text(*view(0, 1.3, floor - 0.35), words, color=color("key"), **big)
    ax.text(*view(choose(-1.1, -1.6), 1, 0), r"$e^{\mathrm{i}x}$", fontsize=15)
    return ax
