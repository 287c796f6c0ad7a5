"""The widget as a still picture: a table, and the rows or edges of one query."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color, panels
from posenc.shaw import relative_position_index

from .graphs import graph_edges
from .matrices_of_labels import index_matrix, label_matrix
from .words_and_rows import TWELVE_WORDS, index_shades, vector_name


def overview(
    *, view: str = "sentence", length: int = 8, clip: int = 2, query: int = 2
) -> Figure:
    """Table and arrows of one setting, one above the other: the widget as a picture.

    Parameters
    ----------
    view : str, default "sentence"
        ``"sentence"``, or one of the graphs in `GRAPHS`.
    length, clip : int
        Tokens of the sentence, clipping distance.
    query : int
        Query whose vectors are shown.
    """
    if view != "sentence":
        figure, (left, right) = panels(1, 2, figsize=(7.4, 3.7), narrow_height=6.8)
        label_matrix(view, ax=left)
        graph_edges(view, query=query, ax=right)
        return figure
    figure, (left, right) = plt.subplots(
        2, 1, figsize=(5.2, 6.4), height_ratios=(5, 2.4)
    )
    index = relative_position_index(length, length, clip)
    index_matrix(index, clip=clip, ax=left)
    left.add_patch(
        Rectangle((-0.5, query - 0.5), length, 1, fill=False, ec=color("query"), lw=2)
    )
    _rows_used(right, length, clip, query)
    return figure


def _rows_used(ax: Axes, length: int, clip: int, query: int) -> None:
    """Words of a sentence above, rows of the table below, and who uses which."""
    rows = relative_position_index(1, length, clip, q_offset=query)[0]
    shades = index_shades(np.arange(2 * clip + 1), 2 * clip + 1)
    places = np.linspace(0, length - 1, 2 * clip + 1) if clip else [(length - 1) / 2]
    center: dict[str, Any] = {"ha": "center", "va": "center"}
    for key, row in enumerate(rows.tolist()):
        role = "query" if key == query else "text"
        word: dict[str, Any] = {"fontsize": 9.5, "color": color(role)}
        ax.text(key, 1.12, TWELVE_WORDS[key], **center, **word)
        ax.plot([key, places[row]], [0.98, 0.32], color=shades[row], lw=3, zorder=1)
    for row, place in enumerate(places):
        used = row in rows
        style: dict[str, Any] = {"fc": shades[row], "alpha": 1 if used else 0.25}
        ax.add_patch(Rectangle((place - 0.3, 0), 0.6, 0.3, zorder=2, **style))
        ink = readable_ink(shades[row]) if used else color("muted")
        ax.text(place, 0.14, str(row), **center, color=ink, fontsize=10, zorder=3)
        name: dict[str, Any] = {"color": color("position"), "fontsize": 9.5}
        ax.text(place, -0.16, vector_name(row - clip), **center, **name)
    ax.set(xlim=(-0.6, length - 0.4), ylim=(-0.32, 1.3))
    ax.set_axis_off()
