"""Drawings made of boxes: tables, memory, a window, the way of a token."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.core.arrays import relative_positions
from posenc.core.running_example import TOKENS
from posenc.kit.figures.themes import color

from .canvas import Pair, new_axes, pointer


def relative_position_grid(ax: Axes | None = None) -> Axes:
    """Draw key minus query for three tokens: queries down, keys across, zero marked."""
    ax = new_axes(ax, (3.6, 3.0))
    for (i, j), value in np.ndenumerate(relative_positions(3, 3)):
        _box(ax, (j, i), f"{value}".replace("-", "−"), marked=i == j)
    query: dict[str, Any] = {"color": color("query")}
    key: dict[str, Any] = {"color": color("key")}
    for n, token in enumerate(TOKENS):
        ax.text(-0.15, n + 0.5, f"{token}  {n}", ha="right", va="center", **query)
        ax.text(n + 0.5, -0.15, f"{token}\n{n}", ha="center", **key)
    ax.text(1.5, -0.95, "key position $j$", ha="center", **key)
    middle: dict[str, Any] = {"ha": "center", "va": "center", "rotation": 90}
    ax.text(-1.5, 1.5, "query position $i$", **middle, **query)
    return _bare(ax, (-1.75, 3.1), (3.1, -1.3))


def memory_line(ax: Axes | None = None) -> Axes:
    """Draw twelve numbers in a row, cut into rows of four and into rows of three."""
    ax = new_axes(ax, (4.8, 2.2))
    for n in range(12):
        _box(ax, (n, 0), str(n), marked=n == 8)
    cuts = ((4, -0.3, -0.15, "bottom"), (3, 1.3, 0.15, "top"))
    for length, y, gap, side in cuts:
        for row in range(12 // length):
            left, right = row * length, (row + 1) * length
            ax.plot([left + 0.1, right - 0.1], [y, y], color=color("text"), lw=1)
            ax.text((left + right) / 2, y + gap, f"row {row}", ha="center", va=side)
    ax.text(6, -1.5, "shape (3, 4)", ha="center", va="center", weight="bold")
    ax.text(6, 2.5, "shape (4, 3)", ha="center", va="center", weight="bold")
    return _bare(ax, (-0.1, 12.1), (3, -2))


def sliding_window(ax: Axes | None = None) -> Axes:
    """Draw a convolution, where three weights under five numbers give one output."""
    ax = new_axes(ax, (4.2, 2.6))
    numbers, weights = [2, 0, 1, 3, 0], [1, 2, 1]
    output = np.correlate(numbers, weights, mode="same")
    for n, (value, result) in enumerate(zip(numbers, output, strict=True)):
        _box(ax, (n, 0), str(value), marked=1 <= n <= 3)
        _box(ax, (n, 2.9), str(result), marked=n == 2)
    for n, value in enumerate(weights, start=1):
        _box(ax, (n, 1.2), str(value), role="position")
    pointer(ax, (2.5, 2.25), (2.5, 2.85))
    for y, name in ((0.5, "input"), (1.7, "weights"), (3.4, "output")):
        ax.text(-0.2, y, name, ha="right", va="center")
    return _bare(ax, (-1.7, 5.1), (4, -0.1))


def where_position_enters(ax: Axes | None = None) -> Axes:
    """Draw the way of a token through attention, with four places for position."""
    ax = new_axes(ax, (4.8, 4.6))
    steps = (
        ("token $x$", "added to the input", "sinusoids, CAPE,\nconvolution"),
        ("$q = xW_Q$,  $k = xW_K$", "turns query and key", "RoPE"),
        (
            r"score $q \cdot k$",
            "added to the score",
            "Shaw, Music, XL,\nT5, Swin, ALiBi",
        ),
        ("weights (softmax)", "", ""),
        (r"output: weights $\times\;v$", "added to the value", "Shaw"),
    )
    for n, (name, door, methods) in enumerate(steps):
        y = n * 1.5
        _box(ax, (0, y), name, size=(3.1, 0.8))
        if n:
            pointer(ax, (1.55, y - 0.68), (1.55, y - 0.02))
        if door:
            pointer(ax, (3.9, y + 0.4), (3.15, y + 0.4), role="position")
            text = ax.text(4, y + 0.2, door, va="center", weight="bold", fontsize=10)
            text.set_color(color("position"))
            ax.text(4, y + 0.4, methods, va="top", fontsize=10)
    return _bare(ax, (-0.1, 6.9), (6.9, -0.1))


def _bare(ax: Axes, xlim: Pair, ylim: Pair) -> Axes:
    """Set equal units and no axes, for drawings made of boxes."""
    ax.set(xlim=xlim, ylim=ylim, aspect="equal")
    ax.set_axis_off()
    return ax


def _box(
    ax: Axes,
    corner: Pair,
    text: str,
    *,
    size: Pair = (1.0, 1.0),
    marked: bool = False,
    role: str = "text",
) -> None:
    """Draw a box with text; a marked one is filled and bold, with a thick edge."""
    box = Rectangle(corner, *size, facecolor="none", edgecolor=color("line"))
    if marked:
        box.set(edgecolor=color("text"), linewidth=2, zorder=2)
    if marked or size != (1.0, 1.0):
        box.set_facecolor(color("raised"))
    ax.add_patch(box)
    middle = (corner[0] + size[0] / 2, corner[1] + size[1] / 2)
    label = ax.text(*middle, text, ha="center", va="center", color=color(role))
    label.set(weight="bold" if marked else "normal", zorder=3)
