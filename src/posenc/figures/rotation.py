"""Figures of the chapter on rotation: turns, the block matrix, what it costs."""

import math
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Circle, Rectangle

from posenc import _angles, rotation

from .cost import cost_curve
from .matrix import readable_ink
from .rotation_opening import clock, opening
from .rotation_scores import (
    four_terms,
    previous_token,
    score_pair,
    similarity_curves,
    similarity_matrix,
)
from .themes import color

__all__ = [
    "TURN_COLORS",
    "four_terms",
    "opening",
    "overview",
    "previous_token",
    "score_pair",
    "shift_cost",
    "shift_matrix",
    "similarity_curves",
    "similarity_matrix",
    "sine_alone",
    "turn_in_plane",
]

#: matplotlib's color table for sines and cosines.
TURN_COLORS = "coolwarm"


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


def shift_matrix(
    matrix: Float[np.ndarray, "d d"],
    *,
    numbers: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A shift operator as colored cells, its 2 × 2 blocks framed, zeros left pale.

    Parameters
    ----------
    matrix : array of shape (d, d)
        As `posenc.rotation.shift_operator` gives it.
    numbers : bool, optional
        Write the values into the blocks (default: up to 8 features).
    ax : Axes, optional
        Where to draw (default: new Axes).
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
    """Median times of a shift against the number of features d.

    Parameters
    ----------
    milliseconds, labels, bound, ax
        As in `posenc.figures.cost.cost_curve`, with d in place of the length.
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 4.0))[1]
    ax = cost_curve(milliseconds, labels, bound=bound, ax=ax)
    ax.set_xlabel("features d")
    return ax


def overview(
    *, t: int, offset: int, d_model: int, base: float, positions: int = 41
) -> Figure:
    """Clocks, block matrix, similarity matrix and curve: the widget as a still picture.

    Parameters
    ----------
    t, offset : int
        Position and shift, in tokens.
    d_model, base
        As in `posenc.rotation.shift_operator`.
    positions : int, default 41
        Rows and columns of the similarity matrix.
    """
    figure, panels = plt.subplots(2, 2, figsize=(8.4, 8.2))
    theta = _angles.frequencies(d_model, base=base)
    dials = panels[0, 0]
    across = math.ceil(math.sqrt(len(theta)))
    for i, speed in enumerate(theta):
        center = 2.3 * (i % across), -2.6 * (i // across)
        clock(dials, center, speed * t, speed * offset)
    down = math.ceil(len(theta) / across)
    limits = {"xlim": (-1.2, 2.3 * across - 1.1), "ylim": (-2.6 * down + 1.4, 1.2)}
    dials.set(**limits, aspect="equal", title=f"{t} → {t + offset}")
    dials.set_axis_off()
    matrix = rotation.shift_operator(offset, d_model, base=base)
    shift_matrix(matrix, ax=panels[0, 1])
    similarity_matrix(positions, d_model, base=base, ax=panels[1, 0])
    curve = panels[1, 1]
    similarity_curves((d_model,), positions - 1, base=base, ax=curve)
    value = rotation.position_similarity(np.asarray(offset), d_model, base=base)
    style: dict[str, Any] = {"color": color("text"), "ms": 8, "mfc": "none"}
    curve.plot(abs(offset), value / (d_model / 2), "o", **style)
    return figure
