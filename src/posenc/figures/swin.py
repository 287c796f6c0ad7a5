"""Figures of the chapter on Swin: from two cells to a row of the table."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Int, Shaped
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc import swin
from posenc._arrays import relative_positions

from .matrix import draw_matrix, signed
from .swin_cells import cells, frame, shades_of
from .swin_data import ROW_COLORS, example_table, rows_by_rule
from .swin_opening import opening
from .swin_tables import offset_table, resized, rules, seen_from_each
from .swin_windows import windows
from .themes import color

__all__ = [
    "index_matrix",
    "line",
    "offset_table",
    "opening",
    "overview",
    "resized",
    "rules",
    "seen_from_each",
    "sign_rules",
    "steps",
    "windows",
]


def index_matrix(
    index: Int[np.ndarray, "cells cells"], *, ax: Axes | None = None
) -> Axes:
    """Row of the table for every query (down) and key (across) of a window.

    Parameters
    ----------
    index : integer array of shape (cells, cells)
        From `posenc.swin.relative_position_index`, or by another rule.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    index = np.asarray(index)
    shades = mpl.colormaps[ROW_COLORS](index / max(int(index.max()), 1))
    return draw_matrix(shades, index.astype(str), ax=ax)


def line(length: int) -> Figure:
    """Relative positions in one dimension, and the rows of a table that they become.

    Parameters
    ----------
    length : int
        Tokens in the line.
    """
    rows = relative_positions(length, length) + length - 1
    shades = mpl.colormaps[ROW_COLORS](rows / max(2 * length - 2, 1))
    figure, axes = plt.subplots(1, 2, figsize=(5.2, 2.9))
    word = np.vectorize(lambda r: signed(r, 0) if r else "0")
    titles = ["key − query", f"key − query + {length - 1}"]
    texts = [word(rows - length + 1), rows.astype(str)]
    for ax, text, title in zip(axes, texts, titles, strict=True):
        draw_matrix(shades, text, ax=ax).set_title(title)
    return figure


def steps(height: int, width: int) -> Figure:
    """From cells to rows of the table: coordinates, offsets, shifted, index.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells.
    """
    index = swin.relative_position_index(height, width)
    place = np.stack(np.divmod(np.arange(height * width), width), axis=-1)
    offset = place[:, None] - place[None, :]
    shifted = offset + np.asarray([height - 1, width - 1])
    figure, axes = plt.subplots(2, 2, figsize=(5.2, 5.4))
    plain = np.tile(mpl.colors.to_rgba(color("raised")), (height, width, 1))
    text = np.asarray([f"{r}, {c}" for r, c in place]).reshape(height, width)
    cells(axes[0, 0], plain, text).set_title("1  row, column", loc="left")
    shades = mpl.colormaps[ROW_COLORS](index / max(int(index.max()), 1))
    words = [_pairs(offset, signs=True), _pairs(shifted), index.astype(str)]
    titles = [
        "2  query − key",
        f"3  + ({height - 1}, {width - 1})",
        f"4  row · {2 * width - 1} + column",
    ]
    for ax, text, title in zip(axes.ravel()[1:], words, titles, strict=True):
        draw_matrix(shades, text, ax=ax).set_title(title, loc="left")
    return figure


def _pairs(
    numbers: Int[np.ndarray, "q k 2"], *, signs: bool = False
) -> Shaped[np.ndarray, "q k"]:
    def word(n: int) -> str:
        return signed(n, 0) if signs and n else str(n)

    pairs = [[f"{word(r)}, {word(c)}" for r, c in line] for line in numbers.tolist()]
    return np.asarray(pairs)


def sign_rules(height: int, width: int) -> Figure:
    """Index of a window by both sign rules, side by side.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells.
    """
    index = swin.relative_position_index(height, width)
    figure, axes = plt.subplots(1, 2, figsize=(5.2, 2.9))
    titles = ["query − key (ours)", "other − base"]
    for ax, numbers, title in zip(axes, (index, index.T), titles, strict=True):
        index_matrix(numbers, ax=ax).set_title(title)
    axes[1].set_xlabel("other (key)", color=color("key"))
    axes[1].set_ylabel("base (query)", color=color("query"))
    return figure


def overview(
    height: int,
    width: int,
    query: tuple[int, int],
    key: tuple[int, int],
    *,
    rule: str = "width",
    show_bias: bool = False,
) -> Figure:
    """Window with a query and a key, and their place in the table of offsets.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells.
    query, key : (row, column)
        Two cells of the window.
    rule : {"width", "added", "height"}, default "width"
        How an offset becomes a row.
    show_bias : bool, default False
        Show made-up biases instead of rows.
    """
    table = example_table(height, width)
    rows = rows_by_rule(rule, height, width)
    # Every key of the window, seen from the query: a piece of the table, turned.
    places = np.ix_(
        query[0] - np.arange(height) + height - 1,
        query[1] - np.arange(width) + width - 1,
    )
    if show_bias:
        limit = float(np.abs(table).max())
        shades = shades_of(table[places], limit=limit)
        text: Any = np.vectorize(signed)(table[places])
    else:
        shades = mpl.colormaps[ROW_COLORS](rows[places] / max(int(rows.max()), 1))
        text = rows[places].astype(str)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.6), width_ratios=(4, 6))
    cells(left, shades, text)
    frame(left, *query, color("query"), letter="q", outside=True)
    frame(left, *key, color("key"), letter="k", outside=True)
    left.set_title("the window, seen from the query")
    offset_table(height, width, rule=rule, bias=table if show_bias else None, ax=right)
    place = query[0] - key[0] + height - 1, query[1] - key[1] + width - 1
    frame(right, *place, color("position"), outside=True)
    return figure
