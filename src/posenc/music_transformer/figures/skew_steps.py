"""The skew: its four matrices, and the same numbers as one line of memory."""

import textwrap
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import choose, color

from .cells import draw_cells, words
from .skew_matrices import STEPS, skew_frames


def steps(
    *, seq_len: int = 4, masked: bool = True, followed: int | None = None
) -> Figure:
    """Draw the four matrices of a skew: products, padded, reshaped, result.

    Parameters
    ----------
    seq_len : int, default 4
        Queries.
    masked : bool, default True
        As in `skew_frames`.
    followed : int, optional
        Number of a product that gets a thick frame in every matrix.
    """
    frames = skew_frames(seq_len, masked=masked)
    columns = frames.columns + 1
    figure, axes = plt.subplots(
        2, 2, figsize=(5.4, choose(5.4, 4.4) * (seq_len + 2.3) / columns)
    )
    names = ("products", *(f"{i}. {step}" for i, step in enumerate(STEPS[masked], 1)))
    for which, (ax, name) in enumerate(zip(axes.flat, names, strict=True)):
        rows, wide = frames.matrices[which].shape
        ax.set(xlim=(-0.75, columns), ylim=(seq_len + 1.1, -1.2), aspect="equal")
        ax.set_axis_off()
        draw_cells(ax, frames, which)
        ax.set_title(_wrapped(name), fontsize=11, loc="left", x=0.75 / (columns + 0.75))
        _heads(ax, which, rows, wide, seq_len)
        for row, column in np.argwhere(frames.matrices[which] == followed):
            thick = Rectangle((column, row), 1, 1, fill=False, lw=2.5)
            thick.set(edgecolor=color("text"), zorder=3)
            ax.add_patch(thick)
    return figure


def _wrapped(name: str) -> str:
    if choose(False, True):
        return textwrap.fill(name, 20)
    return name if len(name) < 26 else name.replace(" and ", " and\n", 1)


def _heads(ax: Axes, which: int, rows: int, wide: int, seq_len: int) -> None:
    """Label rows that are queries, and columns that are offsets or keys."""
    for row in range(rows) if which != 2 else ():
        words(ax, -0.4, row + 0.5, "abcdefghij"[row], "query")
    for column in range(wide) if which in (0, 3) else ():
        offset = column - (seq_len - 1)
        head = column if which == 3 else signed_offset(offset)
        role = "key" if which == 3 else "position"
        words(ax, column + 0.5, -0.45, head, role, size=10)


def tape(*, seq_len: int = 3, ax: Axes | None = None) -> Axes:
    """Draw the padded numbers as they lie in memory, read in two lengths of row.

    Parameters
    ----------
    seq_len : int, default 3
        Queries.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    frames = skew_frames(seq_len)
    (_, padded, *rest) = frames.matrices
    line = padded.ravel()
    if ax is None:
        ax = plt.subplots(figsize=(5.6, 2.3))[1]
    ax.set(xlim=(-0.2, len(line) + 0.2), ylim=(3.3, -1.9), aspect="equal")
    ax.set_axis_off()
    draw_cells(ax, frames._replace(matrices=(line[None], *rest)), 0, size=10)
    for index in range(len(line)):
        words(ax, index + 0.5, 1.4, index, "muted", size=9)
    for rows, length, side in ((seq_len, seq_len + 1, -1), (seq_len + 1, seq_len, 1)):
        y = -0.35 if side < 0 else 2.0
        for row in range(rows):
            dropped = side > 0 and row == 0
            name = "dropped" if dropped else f"row {row - (side > 0)}"
            _bracket(ax, row * length, length, y, side, name, dropped=dropped)
    words(ax, 0, -1.55, f"before: rows of {seq_len + 1}", ha="left", size=10.5)
    words(ax, 0, 3.05, f"after: rows of {seq_len}", ha="left", size=10.5)
    return ax


def _bracket(
    ax: Axes,
    start: int,
    length: int,
    y: float,
    side: int,
    name: str,
    *,
    dropped: bool = False,
) -> None:
    """Bracket below some cells (side 1) or above them (side -1), and its name."""
    role = "muted" if dropped else "text"
    ends = (start + 0.08, start + length - 0.08)
    heights = [y - side * 0.2, y, y, y - side * 0.2]
    style: Any = {"color": color(role), "lw": 1.2, "ls": ":" if dropped else "-"}
    ax.plot([ends[0], *ends, ends[1]], heights, **style)
    words(ax, sum(ends) / 2, y + side * 0.5, name, role, size=10)


def view(*, seq_len: int = 3, ax: Axes | None = None) -> Axes:
    """Draw the products as they lie in memory, without a pad, and rows that overlap.

    Parameters
    ----------
    seq_len : int, default 3
        Queries.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    frames = skew_frames(seq_len)
    products, *rest = frames.matrices
    line = products.ravel()
    if ax is None:
        ax = plt.subplots(figsize=(4.4, 3.0))[1]
    ax.set(xlim=(-0.2, len(line) + 0.2), ylim=(4.5, -1.9), aspect="equal")
    ax.set_axis_off()
    draw_cells(ax, frames._replace(matrices=(line[None], *rest)), 0, size=10)
    for index in range(len(line)):
        words(ax, index + 0.5, 1.4, index, "muted", size=9)
    for row in range(seq_len):
        before, after = row * seq_len, (row + 1) * (seq_len - 1)
        _bracket(ax, before, seq_len, -0.35, -1, f"row {row}")
        _bracket(ax, after, seq_len, 2.0 + 1.05 * (row % 2), 1, f"row {row}")
    words(ax, 0, -1.55, f"products: a row every {seq_len}", ha="left", size=10.5)
    words(ax, 0, 4.2, f"view: a row every {seq_len - 1}", ha="left", size=10.5)
    return ax
