"""Figures of the chapter on Swin that show the table: offsets, rules, maps, growing."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc import swin
from posenc.kit.figures.themes import choose

from .cells import bias_text, cells, frame, offset_axes, shades_of
from .made_up_table import example_table
from .rules_for_rows import ROW_COLORS, RULES, rows_by_rule, rule_errors


def rules(height: int, width: int) -> Figure:
    """Table of offsets with the rows that each rule gives; cells that share are struck.

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
        found = f"{shared} of {rows.size} offsets share a row"
        if beyond:
            found += f", {beyond} beyond the table"
        ax.set_title(f"rows times {RULES[rule]}\n{found}", fontsize=11, loc="left")
    return figure


def offset_table(
    height: int,
    width: int,
    *,
    rule: str = "width",
    bias: Float[np.ndarray, "rows columns"] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Table of offsets, query minus key: rows down, columns across, zero marked.

    Its cells hold their row of the table, or a bias. A cell that shares its row with
    another, or whose row does not exist, has a dashed frame.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells.
    rule : {"width", "added", "height"}, default "width"
        How an offset becomes a row.
    bias : array of shape (2 * height - 1, 2 * width - 1), optional
        What to show in place of the rows; nan where there is none.
    ax : Axes, optional
        Where to draw (default: new Axes).
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
    """Two learned tables of one head, with their numbers.

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
    """Bias that each query of a window adds to every key: one small map per query.

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
    """Table of one head as a picture, before and after growing the window.

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
