"""The picture that opens the chapter on rotary embedding, and turns in one plane."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle, Wedge

from .rope_data import KEY, QUERY
from .themes import color

_STEP = 25  # degrees per token


def opening(ax: Axes | None = None) -> Axes:
    """A query and a key at two places of a sentence, the same number of tokens apart.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.6, 3.5))[1]
    ax.set(xlim=(-1.25, 4.05), ylim=(-1.85, 1.5), aspect="equal")
    ax.set_axis_off()
    for x, (m, n) in ((0.0, (0, 2)), (2.8, (3, 5))):
        plane(ax, (x, 0), m * _STEP, n * _STEP, size=1.05)
        words = f"query at {m}, key at {n}"
        ax.text(x, -1.42, words, ha="center", fontsize=11.5)
    ax.annotate("", (1.62, 0.25), (1.15, 0.25), arrowprops=_arrow("muted"))
    ax.text(1.39, 0.42, "+3", ha="center", color=color("muted"), fontsize=12)
    words = "the same angle between them, the same score"
    ax.text(1.4, -1.78, words, ha="center", color=color("position"), fontsize=12)
    return ax


def plane(
    ax: Axes,
    center: tuple[float, float],
    turn_q: float,
    turn_k: float,
    *,
    size: float = 1.0,
    query: tuple[float, float] = QUERY,
    key: tuple[float, float] = KEY,
) -> None:
    """Query and key in one plane: pale as projected, strong as turned.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    center : (float, float)
        Origin of the plane.
    turn_q, turn_k : float
        Degrees, counterclockwise.
    size : float, default 1
        What length 1 measures on the page.
    query, key : (length, degrees)
        Before they are turned.
    """
    x, y = center
    thin: dict[str, Any] = {"color": color("line"), "lw": 0.9, "zorder": 0}
    ax.plot([x - 1.15 * size, x + 1.15 * size], [y, y], **thin)
    ax.plot([x, x], [y - 1.15 * size, y + 1.15 * size], **thin)
    face: dict[str, Any] = {"fc": color("raised"), "ec": color("line"), "zorder": -1}
    ax.add_patch(Circle(center, size, **face))
    ends = []
    for letter, role, turn, (length, angle) in (
        ("q", "query", turn_q, query),
        ("k", "key", turn_k, key),
    ):
        if turn % 360:
            _hand(ax, center, length * size, angle, "muted", dashed=True)
        _hand(ax, center, length * size, angle + turn, role)
        _label(ax, center, length * size, angle + turn, letter, role)
        ends.append(angle + turn)
    first, gap = ends[0], math.remainder(ends[1] - ends[0], 360)
    low, high = sorted((first, first + gap))
    sector: dict[str, Any] = {"fc": color("position"), "ec": "none", "alpha": 0.3}
    ax.add_patch(Wedge(center, 0.42 * size, low, high, **sector))


def _hand(
    ax: Axes, center: Any, length: float, angle: float, role: str, dashed: bool = False
) -> None:
    end = _at(center, length, angle)
    style: dict[str, Any] = {**_arrow(role), "shrinkA": 0, "shrinkB": 0}
    if dashed:
        style |= {"ls": (0, (3, 2)), "arrowstyle": "-", "lw": 1.4}
    ax.annotate("", end, center, arrowprops=style)


def _label(
    ax: Axes, center: Any, length: float, angle: float, words: str, role: str
) -> None:
    x, y = _at(center, length + 0.13, angle)
    at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 13}
    ax.text(x, y, f"${words}$", color=color(role), **at)


def _arrow(role: str) -> dict[str, Any]:
    return {"arrowstyle": "-|>", "color": color(role), "lw": 2, "mutation_scale": 13}


def _at(center: Any, length: float, degrees: float) -> tuple[float, float]:
    turned = math.radians(degrees)
    return (
        center[0] + length * math.cos(turned),
        center[1] + length * math.sin(turned),
    )


def multiply(ax: Axes | None = None) -> Axes:
    """A point of the plane before and after multiplication by a number of length 1.

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
        _hand(ax, (0, 0), length, a, role)
        x, y = _at((0, 0), length, a)
        ax.plot([x, x, 0], [0, y, y], ls=":", lw=1.2, color=color(role))
        ax.text(x + 0.08, y + 0.06, words, color=color(role), fontsize=14)
    x, y = _at((0, 0), length, angle + phi)
    ax.text(x - 0.1, y + 0.1, r"$z\,e^{i\varphi}$", ha="right", fontsize=14)
    for radius, low, high, role, words in (
        (0.95, 0, angle, "muted", r"$\vartheta$"),
        (1.3, angle, angle + phi, "position", r"$\varphi$"),
    ):
        arc = Arc((0, 0), radius, radius, theta1=low, theta2=high, lw=2)
        arc.set_edgecolor(color(role))
        ax.add_patch(arc)
        at = _at((0, 0), radius / 2 + 0.16, (low + high) / 2)
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 13}
        ax.text(*at, words, color=color(role), **style)
    return ax


def helix(ax: Axes | None = None) -> Axes:
    """The curve of all e^{ix}, its shadow on the floor and its shadow on the wall.

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
        return 0.5 * x - 0.8 * real, imaginary - 0.28 * real

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
    ax.annotate("", point, start, arrowprops={**_arrow("position"), "shrinkA": 0})
    big: dict[str, Any] = {"fontsize": 12, "va": "center"}
    ax.text(*view(end + 1.1, 0, 0), "$x$", **big)
    words = "shadow on the wall: imaginary part, $\\sin x$"
    ax.text(*view(0, wall, 1.55), words, color=color("value"), **big)
    words = "shadow on the floor: real part, $\\cos x$"
    ax.text(*view(0, 1.3, floor - 0.35), words, color=color("key"), **big)
    ax.text(*view(-1.1, 1, 0), "$e^{ix}$", fontsize=15)
    return ax
