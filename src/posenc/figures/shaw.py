"""Figures of the chapter on Shaw's vectors: index tables, the band, labels."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.running_example import TOKENS
from posenc.shaw import relative_position_index

from .matrix import draw_matrix, readable_ink
from .shaw_cost import bleu, cost_over_length
from .shaw_data import (
    GRAPHS,
    TWELVE_WORDS,
    index_shades,
    label_shades,
    vector_name,
)
from .shaw_graph import data_flow, graph_edges, sequence_graph
from .shaw_opening import index_arrows, opening
from .themes import color

__all__ = [
    "absolute_and_relative",
    "band",
    "bleu",
    "cost_over_length",
    "data_flow",
    "graph_edges",
    "index_arrows",
    "index_matrix",
    "label_matrix",
    "opening",
    "overview",
    "sequence_graph",
]


def index_matrix(
    index: Int[np.ndarray, "q_len k_len"],
    *,
    clip: int,
    names: bool = False,
    q_offset: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Table of row numbers, queries down and keys across, colored by row.

    Parameters
    ----------
    index : integer array of shape (q_len, k_len)
        Row of the table of vectors for each query and key.
    clip : int
        Clipping distance: rows run from 0 to 2 `clip`.
    names : bool, default False
        Write the names of the vectors, ``w₋₁``, instead of their rows.
    q_offset : int, default 0
        Position of the first query; keys begin at 0.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    index = np.asarray(index)
    if ax is None:
        size = 1.0 + 0.35 * max(index.shape)
        ax = plt.subplots(figsize=(size, size))[1]
    words = np.vectorize(
        lambda row: vector_name(int(row) - clip) if names else str(row)
    )
    shades = index_shades(index, 2 * clip + 1)
    return draw_matrix(shades, words(index), q_offset=q_offset, ax=ax)


def label_matrix(name: str, *, ax: Axes | None = None) -> Axes:
    """Labels of a graph as a table; cells without an edge are empty.

    Parameters
    ----------
    name : str
        One of the graphs in ``shaw_data.GRAPHS``.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    graph = GRAPHS[name]
    labels = graph.matrix()
    if ax is None:
        ax = plt.subplots(figsize=(3.8, 3.6))[1]
    shades = label_shades(labels, len(graph.labels))
    shades[labels < 0] = mpl.colors.to_rgba(color("raised"))
    text = np.where(labels < 0, "", labels.astype(str))
    ax = draw_matrix(shades, text, ax=ax)
    places = np.arange(len(graph.nodes))
    ax.set_xticks(places, graph.nodes, rotation=45, ha="left")
    ax.set_yticks(places, graph.nodes)
    return ax


def absolute_and_relative(ax: Axes | None = None) -> Axes:
    """Three tokens: three vectors of places, or nine entries that share five."""
    if ax is None:
        ax = plt.subplots(figsize=(5.0, 3.1))[1]
    n = len(TOKENS)
    index = relative_position_index(n, n, n - 1)
    shades = index_shades(index, 2 * n - 1)
    center: dict[str, Any] = {"ha": "center", "va": "center"}
    ax.text(0.5, -1.35, "absolute", **center, fontsize=12, weight="bold")
    ax.text(4.8, -1.35, "relative", **center, fontsize=12, weight="bold")
    for i, token in enumerate(TOKENS):
        ax.text(-0.15, i, token, ha="right", va="center", fontsize=11)
        style: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
        ax.add_patch(Rectangle((0.05, i - 0.45), 0.9, 0.9, **style))
        name = f"$w_{i}$"
        ax.text(0.5, i, name, **center, color=color("position"), fontsize=13)
        query: dict[str, Any] = {"color": color("query"), "fontsize": 11}
        ax.text(3.15, i, token, ha="right", va="center", **query)
        key: dict[str, Any] = {"color": color("key"), "fontsize": 11}
        ax.text(3.8 + i, -0.7, token, **center, **key)
        for j in range(n):
            shade = shades[i, j]
            edge = color("surface")
            ax.add_patch(Rectangle((3.3 + j, i - 0.5), 1, 1, fc=shade, ec=edge, lw=1.5))
            ink = readable_ink(shade)
            text = vector_name(j - i)
            ax.text(3.8 + j, i, text, **center, color=ink, fontsize=12)
            if i == j:
                frame: dict[str, Any] = {"fill": False, "ec": ink, "lw": 1}
                ax.add_patch(Rectangle((3.38 + j, i - 0.42), 0.84, 0.84, **frame))
    ax.set(xlim=(-1.1, 6.4), ylim=(2.6, -1.7))
    ax.set_axis_off()
    return ax


def band(*, length: int = 8, clip: int = 2, ax: Any = None) -> Figure:
    """The few products of each query, and how all pairs pick theirs.

    Parameters
    ----------
    length : int, default 8
        Tokens.
    clip : int, default 2
        Clipping distance.
    ax : pair of Axes, optional
        Where to draw (default: a new figure).
    """
    if ax is None:
        widths = (2 * clip + 1, length)
        _, ax = plt.subplots(1, 2, figsize=(4.8, 3.5), width_ratios=widths)
    left, right = ax
    rows = np.arange(2 * clip + 1)
    few = np.tile(rows, (length, 1))
    index = relative_position_index(length, length, clip)
    for axes, table in ((left, few), (right, index)):
        shades = index_shades(table, 2 * clip + 1)
        edges = np.arange(table.shape[1] + 1) - 0.5, np.arange(length + 1) - 0.5
        axes.pcolormesh(*edges, shades, edgecolors=color("surface"), linewidth=0.8)
        axes.set(aspect="equal", ylim=(length - 0.5, -0.5), yticks=[])
        for i, j in np.argwhere(table == clip).tolist():
            frame: dict[str, Any] = {"fill": False, "ec": readable_ink(shades[i, j])}
            axes.add_patch(Rectangle((j - 0.4, i - 0.4), 0.8, 0.8, lw=1, **frame))
        axes.spines[:].set_visible(False)
        axes.tick_params(
            length=0, top=True, labeltop=True, bottom=False, labelbottom=False
        )
        axes.xaxis.set_label_position("top")
    names = [vector_name(offset) for offset in range(-clip, clip + 1)]
    left.set_xticks(rows, names, color=color("position"), fontsize=9.5)
    left.set_ylabel("query", color=color("query"))
    left.set_xlabel("products", labelpad=5)
    right.set_xlabel("key", color=color("key"), labelpad=8)
    right.set_xticks([])
    figure: Figure = left.figure
    return figure


def overview(
    *, view: str = "sentence", length: int = 8, clip: int = 2, query: int = 2
) -> Figure:
    """Table and arrows of one setting, one above the other: the widget as a picture.

    Parameters
    ----------
    view : str, default "sentence"
        ``"sentence"``, or one of the graphs in ``shaw_data.GRAPHS``.
    length, clip : int
        Tokens of the sentence, clipping distance.
    query : int
        Query whose vectors are shown.
    """
    if view != "sentence":
        figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.7))
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
