"""Index and table of offsets: the opening, rules for a row, biases, other sizes."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int, Shaped
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import ConnectionPatch, Rectangle

from posenc import swin
from posenc.core.arrays import relative_positions
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import readable_ink, signed, signed_offset
from posenc.kit.figures.themes import choose, color, panels

from .images import bias_text, cells, frame, offset_axes, shades_of

#: Longest side of a window in the widget.
MAX_SIDE = 8


#: matplotlib's color tables for rows of the table and for biases.
ROW_COLORS = "viridis"


#: Rules for the row of the table, by the factor of the row offset.
RULES = {
    "width": "2 · width − 1 (right)",
    "added": "1 (wrong)",
    "height": "2 · height − 1 (wrong)",
}


def stride(rule: str, height: int, width: int) -> int:
    """Return the factor of the row offset by one of the `RULES`."""
    return {"width": 2 * width - 1, "added": 1, "height": 2 * height - 1}[rule]


def rows_by_rule(
    rule: str, height: int, width: int
) -> Int[np.ndarray, "{2*height-1} {2*width-1}"]:
    """Return the table row that a rule gives to each offset, query minus key.

    Parameters
    ----------
    rule : {"width", "added", "height"}
        One of `RULES`.
    height, width : int
        Size of the window, in cells.

    Examples
    --------
    >>> rows_by_rule("added", 2, 2)
    array([[0, 1, 2],
           [1, 2, 3],
           [2, 3, 4]])
    """
    row, column = np.ogrid[: 2 * height - 1, : 2 * width - 1]
    return row * stride(rule, height, width) + column


def rule_errors(rule: str, height: int, width: int) -> tuple[int, int]:
    """Count the offsets that share a row by a rule, and those beyond the table.

    Returns
    -------
    shared : int
        Offsets that share their row with another offset.
    beyond : int
        Offsets whose row lies beyond the end of the table.

    Examples
    --------
    >>> rule_errors("added", 2, 2), rule_errors("width", 2, 3)
    ((7, 0), (0, 0))
    """
    rows = rows_by_rule(rule, height, width).ravel()
    _, which, counts = np.unique(rows, return_inverse=True, return_counts=True)
    return int((counts[which] > 1).sum()), int((rows >= rows.size).sum())


def example_table(
    height: int, width: int
) -> Float[np.ndarray, "{2*height-1} {2*width-1}"]:
    """Return made-up biases of one head by offset, which look like learned ones.

    High for near cells, higher for keys to the left than to the right, a little uneven.
    An offset has the same bias in every window, so smaller windows show the center of
    the same picture.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells; at most `MAX_SIDE`.
    """
    reach = MAX_SIDE - 1
    row, column = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    near = 3.2 * np.exp(-(row**2) / 6 - (column - 0.6) ** 2 / 10)
    table = near - 0.25 * np.hypot(row, column) - 0.4
    noise = np.random.default_rng(8).normal(scale=0.15, size=table.shape)
    cut = (
        slice(MAX_SIDE - height, reach + height),
        slice(MAX_SIDE - width, reach + width),
    )
    return np.round(table + noise, 2)[cut]


def biases_by_rule(
    rule: str, height: int, width: int
) -> Float[np.ndarray, "{2*height-1} {2*width-1}"]:
    """Return each offset's bias in `example_table` by a rule, right or wrong.

    Offsets that share a row get the same; nan where the row is beyond the table.

    Parameters
    ----------
    rule : {"width", "added", "height"}
        Rule for the row of an offset.
    height, width : int
        Size of the window, in cells; at most `MAX_SIDE`.
    """
    stored = example_table(height, width).ravel()
    rows = rows_by_rule(rule, height, width)
    inside = rows < rows.size
    return np.where(inside, stored[np.where(inside, rows, 0)], np.nan)


_SIDE = 4  # of a window
_QUERY, _KEY = (1, 2), (3, 0)  # row and column in the window


def opening() -> Figure:
    """Draw an image cut into windows, one of them lit, and the table that it reads.

    The colors of the window are those that the query adds to each key; the framed part
    of the table is where they come from, turned by half a turn.
    """
    table = example_table(_SIDE, _SIDE)
    limit = float(np.abs(table).max())
    figure, (left, right) = panels(1, 2, figsize=(6.2, 3.5), narrow_height=7.4)
    seen = table[
        np.ix_(
            _QUERY[0] - np.arange(_SIDE) + _SIDE - 1,
            _QUERY[1] - np.arange(_SIDE) + _SIDE - 1,
        )
    ]
    _image(left, shades_of(seen, limit=limit))
    shades = shades_of(table, limit=limit)
    cells(right, shades)
    zero = _SIDE - 1
    frame(right, zero, zero, shades[zero, zero])
    style: dict[str, Any] = {"fill": False, "ec": color("query"), "lw": 2.5}
    corner = (_QUERY[1] - 0.5, _QUERY[0] - 0.5)
    right.add_patch(Rectangle(corner, _SIDE, _SIDE, zorder=4, **style))
    offset_axes(right, _SIDE, _SIDE)
    right.set_title("one learned number per offset", loc=choose("center", "right"))
    row, column = _QUERY[0] - _KEY[0] + zero, _QUERY[1] - _KEY[1] + zero
    frame(right, row, column, color("key"), outside=True)
    link: Any = {"coordsA": "data", "coordsB": "data", "color": color("key")}
    ends = choose(
        ((_KEY[1] + 0.5, _KEY[0]), (column - 0.5, row)),
        ((_KEY[1], _KEY[0] + 0.5), (column - 0.5, row)),
    )
    bend = choose("arc3", "arc3,rad=0.6")
    arrow = ConnectionPatch(
        *ends, axesA=left, axesB=right, arrowstyle="->", connectionstyle=bend, **link
    )
    arrow.set(linewidth=1.6, zorder=9, in_layout=False)
    figure.add_artist(arrow)
    return figure


def _image(ax: Any, lit: Any) -> None:
    """Draw two by two windows; the first one has colors, the query and the key."""
    shades = np.empty((2 * _SIDE, 2 * _SIDE, 4))
    shades[:] = mpl.colors.to_rgba(color("raised"))
    shades[:_SIDE, :_SIDE] = lit
    cells(ax, shades)
    for r, c in np.ndindex(2, 2):
        corner = (c * _SIDE - 0.5, r * _SIDE - 0.5)
        style: dict[str, Any] = {"fill": False, "ec": color("text"), "lw": 1.8}
        ax.add_patch(Rectangle(corner, _SIDE, _SIDE, clip_on=False, **style))
        if r or c:
            middle = (c + 0.5) * _SIDE - 0.5, (r + 0.5) * _SIDE - 0.5
            at: dict[str, Any] = {"ha": "center", "va": "center"}
            ax.text(*middle, "the same\ntable", color=color("muted"), **at)
    frame(ax, *_QUERY, color("query"), outside=True)
    frame(ax, *_KEY, color("key"), outside=True)
    for (r, c), letter in ((_QUERY, "q"), (_KEY, "k")):
        at = {"ha": "center", "va": "center_baseline", "fontsize": 12}
        ax.text(c, r, letter, color=readable_ink(lit[r, c]), weight="bold", **at)
    ax.set_title("an image, cut into windows")


def index_matrix(
    index: Int[np.ndarray, "cells cells"], *, ax: Axes | None = None
) -> Axes:
    """Draw the table row of every query (down) and key (across) of a window.

    Parameters
    ----------
    index : integer array of shape (cells, cells)
        From `posenc.swin.relative_position_index`, or by another rule.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    index = np.asarray(index)
    shades = mpl.colormaps[ROW_COLORS](index / max(int(index.max()), 1))
    return draw_matrix(shades, index.astype(str), ax=ax)


def line(length: int) -> Figure:
    """Draw relative positions in one dimension, and the table rows they become.

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
    """Draw the steps from cells to table rows: coordinates, offsets, shifted, index.

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
    """Draw the index of a window by both sign rules, side by side.

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


def rules(height: int, width: int) -> Figure:
    """Draw each rule's rows in a table of offsets; cells that share are struck.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells.
    """
    figure, axes = plt.subplots(3, 1, figsize=(5, 8.2))
    for ax, rule in zip(axes, RULES, strict=True):
        rows = rows_by_rule(rule, height, width)
        offset_table(height, width, rule=rule, ax=ax)
        shared, beyond = rule_errors(rule, height, width)
        words = f"{shared} of {rows.size} offsets share a row"
        if beyond:
            words += f", {beyond} beyond the table"
        ax.set_title(f"rows times {RULES[rule]}\n{words}", fontsize=11, loc="left")
    return figure


def offset_table(
    height: int,
    width: int,
    *,
    rule: str = "width",
    bias: Float[np.ndarray, "rows columns"] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a table of offsets, query minus key: rows down, columns across.

    Its cells hold their row of the table, or a bias. A cell that shares its row with
    another, or whose row does not exist, has a dashed frame.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells.
    rule : {"width", "added", "height"}, default "width"
        Rule for the row of an offset.
    bias : array of shape (2 * height - 1, 2 * width - 1), optional
        Biases to show in place of the rows; nan where there is none.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots()[1] if ax is None else ax
    rows = rows_by_rule(rule, height, width)
    if bias is None:
        shades = mpl.colormaps[ROW_COLORS](rows / max(int(rows.max()), 1))
        text = rows.astype(str)
    else:
        shades, text = shades_of(bias), bias_text(bias)
    cells(ax, shades, text)
    for r, c in np.ndindex(rows.shape):
        if (rows == rows[r, c]).sum() > 1 or rows[r, c] >= rows.size:
            frame(ax, r, c, shades[r, c], dashed=True)
    frame(ax, height - 1, width - 1, shades[height - 1, width - 1])
    offset_axes(ax, height, width)
    return ax


def learned(
    full: Float[np.ndarray, "rows columns"], two: Float[np.ndarray, "rows columns"]
) -> Figure:
    """Draw two learned tables of one head, with their numbers.

    Parameters
    ----------
    full, two : array of shape (2 * height - 1, 2 * width - 1)
        A table learned as a whole; the sum of one for rows and one for columns.
    """
    height, width = ((side + 1) // 2 for side in full.shape)
    figure, axes = plt.subplots(2, 1, figsize=(4.6, 9.0))
    titles = ("a full table", "one for rows plus one for columns")
    for ax, bias, title in zip(axes, (full, two), titles, strict=True):
        offset_table(height, width, bias=bias, ax=ax)
        ax.set_title(title)
    return figure


def seen_from_each(height: int, width: int) -> Figure:
    """Draw each query's bias on every key of a window, one small map per query.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells.
    """
    table = example_table(height, width)
    bias = swin.relative_position_bias(table.reshape(-1, 1), height, width)[0]
    figure, axes = plt.subplots(
        height, width, figsize=(5.2, 5.2 * height**2 / width**2)
    )
    limit = float(np.abs(table).max())
    for n, ax in enumerate(np.ravel(axes)):
        row, column = divmod(n, width)
        shades = shades_of(bias[n].reshape(height, width), limit=limit)
        cells(ax, shades)
        frame(ax, row, column, shades[row, column], letter="q")
    return figure


def resized(
    table: Float[np.ndarray, "offsets 1"],
    window: tuple[int, int],
    new_window: tuple[int, int],
) -> Figure:
    """Draw the table of one head as a picture, before and after growing the window.

    Parameters
    ----------
    table : array of shape ((2 * height - 1) * (2 * width - 1), 1)
        Learned scalars of one head.
    window, new_window : (height, width)
        Sizes before and after.
    """
    new_table = swin.resize_table(table, window, new_window)
    figure, axes = plt.subplots(1, 2, figsize=(5.2, 3.1))
    limit = float(np.abs(table).max())
    pictures = [(table, window), (new_table, new_window)]
    for ax, (numbers, (height, width)) in zip(axes, pictures, strict=True):
        image = np.asarray(numbers).reshape(2 * height - 1, 2 * width - 1)
        shades = shades_of(image, limit=limit)
        cells(ax, shades)
        frame(ax, height - 1, width - 1, shades[height - 1, width - 1])
        offset_axes(ax, height, width, every=max(1, (height + width) // choose(6, 3)))
        ax.set_title(f"window {height} × {width}")
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
    """Draw a window with query and key, and their place in the table of offsets.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells.
    query, key : (row, column)
        Two cells of the window.
    rule : {"width", "added", "height"}, default "width"
        Rule for the row of an offset.
    show_bias : bool, default False
        Show made-up biases instead of rows.
    """
    rows = rows_by_rule(rule, height, width)
    table = biases_by_rule(rule, height, width)
    # Every key of the window, seen from the query: a piece of the table, turned.
    places = np.ix_(
        query[0] - np.arange(height) + height - 1,
        query[1] - np.arange(width) + width - 1,
    )
    if show_bias:
        limit = float(np.nanmax(np.abs(table)))
        shades = shades_of(table[places], limit=limit)
        text: Any = bias_text(table[places])
    else:
        shades = mpl.colormaps[ROW_COLORS](rows[places] / max(int(rows.max()), 1))
        text = rows[places].astype(str)
    figure, (left, right) = panels(
        1,
        2,
        figsize=(9, 4.6),
        narrow_height=8.4,
        layout=choose("constrained", "compressed"),
        ratios=choose((4, 6), (1, 1)),
    )
    cells(left, shades, text)
    frame(left, *query, color("query"), letter="q", outside=True)
    frame(left, *key, color("key"), letter="k", outside=True)
    left.set_title("the window, seen from the query")
    offset_table(height, width, rule=rule, bias=table if show_bias else None, ax=right)
    place = query[0] - key[0] + height - 1, query[1] - key[1] + width - 1
    frame(right, *place, color("position"), outside=True)
    return figure
