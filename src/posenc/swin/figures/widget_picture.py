"""The widget as a still picture: a window, and its table of offsets."""

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from posenc.kit.figures.themes import choose, color, panels

from .cells import bias_text, cells, frame, shades_of
from .made_up_table import biases_by_rule
from .rules_for_rows import ROW_COLORS, rows_by_rule
from .tables_of_offsets import offset_table


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
