"""From pairs of cells to rows of the table, step by step."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Int, Shaped
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc import swin
from posenc.core.arrays import relative_positions
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import signed, signed_offset
from posenc.kit.figures.themes import choose, color, panels

from .cells import cells
from .rules_for_rows import ROW_COLORS


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
    word = np.vectorize(signed_offset)
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
    figure, axes = panels(
        2,
        2,
        figsize=(6.4, 6.6),
        narrow_height=12.5,
        ratios=choose(None, (1, 2, 2, 2)),
        layout=choose("constrained", "compressed"),
    )
    plain = np.tile(mpl.colors.to_rgba(color("raised")), (height, width, 1))
    names = [f"{n}: {r}, {c}" for n, (r, c) in enumerate(place)]
    text = np.asarray(names).reshape(height, width)
    cells(axes[0], plain, text).set_title("1  cell: row, column", loc="left")
    axes[0].set_aspect(choose(1, 0.5))
    for word in axes[0].texts:
        word.set_fontsize(choose(word.get_fontsize(), 10.5))
    shades = mpl.colormaps[ROW_COLORS](index / max(int(index.max()), 1))
    words = [_pairs(offset, signs=True), _pairs(shifted), index.astype(str)]
    titles = [
        "2  query − key",
        f"3  + ({height - 1}, {width - 1})",
        f"4  row · {2 * width - 1} + column",
    ]
    for ax, text, title in zip(axes[1:], words, titles, strict=True):
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
