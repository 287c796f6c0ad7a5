"""Clocks, turns and the matrix that shifts an encoding."""

import math
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle, Rectangle, Wedge

from posenc.core import angles as _angles
from posenc.kit.figures.cost import cost_curve
from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color


def clock(
    ax: Axes, center: tuple[float, float], angle: float, turn: float, *, size: float = 1
) -> None:
    """Draw a dial with its hand at `angle` (pale), and again after a further `turn`.

    Hands start at 12 and go clockwise, so a hand points to (sin, cos) of its angle.

    Parameters
    ----------
    ax : Axes
        Axes to draw on.
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


_BASE, _D_MODEL = 30.0, 8
_STARTS, _SHIFT = (1, 5), 2


def opening(ax: Axes | None = None) -> Axes:
    """Draw four hands at two starts, moved on by the same shift, each by its angle.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
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


def turn_in_plane(
    angle: float = 0.45, turn: float = 0.8, *, ax: Axes | None = None
) -> Axes:
    """Draw one hand before and after a turn, with its sine across and its cosine up.

    Parameters
    ----------
    angle, turn : float
        In radians, clockwise from 12 o'clock.
    ax : Axes, optional
        Axes to draw on (default: new).
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


#: matplotlib's color table for sines and cosines.
TURN_COLORS = "coolwarm"


def shift_matrix(
    matrix: Float[np.ndarray, "d d"],
    *,
    numbers: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a shift operator as colored cells, its 2 × 2 blocks framed, zeros left pale.

    Parameters
    ----------
    matrix : array of shape (d, d)
        As `posenc.rotation.shift_operator` gives it.
    numbers : bool, optional
        Write the values into the blocks (default: up to 8 features).
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    matrix = np.asarray(matrix)
    d = len(matrix)
    ax = plt.subplots(figsize=(4.6, 4.2))[1] if ax is None else ax
    ax.set(xlim=(-0.5, d - 0.5), ylim=(d - 0.5, -0.5), aspect="equal")
    shades = mpl.colormaps[TURN_COLORS]((matrix + 1) / 2)
    row, column = np.indices(matrix.shape)
    shades[row // 2 != column // 2] = mpl.colors.to_rgba(color("raised"))
    edges = np.arange(d + 1) - 0.5
    gap = min(0.8, 8 / d)
    ax.pcolormesh(edges, edges, shades, edgecolors=color("surface"), linewidth=gap)
    numbers = d <= 8 if numbers is None else numbers
    for i in range(0, d, 2):
        frame: dict[str, Any] = {"fill": False, "ec": color("text"), "lw": 1.2}
        ax.add_patch(Rectangle((i - 0.5, i - 0.5), 2, 2, **frame))
        for r, c in np.ndindex(2, 2) if numbers else ():
            words = f"{matrix[i + r, i + c]:.2f}".replace("-", "−")
            ink = readable_ink(shades[i + r, i + c])
            at: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
            size = min(11, 64 / d)
            ax.text(i + c, i + r, words, color=ink, fontsize=size, **at)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(mpl.ticker.MultipleLocator(1 if d <= 8 else 4))
    ax.xaxis.set_label_position("top")
    ax.set(xlabel="feature before", ylabel="feature after")
    return ax


def shift_cost(
    milliseconds: Mapping[str, Mapping[str, Mapping[str, float]]],
    labels: Mapping[str, str],
    *,
    bound: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw median times of a shift against the number of features d.

    Parameters
    ----------
    milliseconds, labels, bound, ax
        As in `posenc.kit.figures.cost.cost_curve`, with d in place of the length.
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 4.0))[1]
    ax = cost_curve(milliseconds, labels, bound=bound, ax=ax)
    ax.set_xlabel("features d")
    return ax
