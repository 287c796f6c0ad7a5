"""The picture that opens the chapter on Swin: one small table serves every window."""

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import ConnectionPatch, Rectangle

from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import choose, color, panels

from .cells import cells, frame, offset_axes, shades_of
from .made_up_table import example_table

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
    """Two by two windows; the first one has colors, the query and the key."""
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
