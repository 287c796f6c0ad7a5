"""Tables of query and key: rows, labels, and the band that is picked."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.core.running_example import TOKENS
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import CENTERED, readable_ink
from posenc.kit.figures.themes import choose, color
from posenc.shaw import relative_position_index

from .graphs import GRAPHS, label_shades
from .words_and_rows import index_shades, vector_name


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
        One of the graphs in `GRAPHS`.
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
    ax.xaxis.labelpad += choose(0, 6)
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
        name = f"$p_{i}$"
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


def band(
    *,
    length: int = 6,
    clip: int = 2,
    products: Float[np.ndarray, "length vectors"] | None = None,
    ax: Any = None,
) -> Figure:
    """Draw the few products of each query, and how all pairs pick theirs.

    Parameters
    ----------
    length : int, default 6
        Tokens.
    clip : int, default 2
        Clipping distance.
    products : array of shape (3, 2k + 1), optional
        Products of the running example's tokens with each vector: they are written
        into the cells, and say how many tokens and vectors there are.
    ax : pair of Axes, optional
        Where to draw (default: a new figure).
    """
    if products is not None:
        length, clip = len(products), products.shape[1] // 2
    if ax is None:
        widths = (2 * clip + 1, length)
        gap, size = (0.34, (4.8, 2.8)) if products is None else (0.4, (4.6, 2.1))
        room: dict[str, Any] = {"width_ratios": widths, "gridspec_kw": {"wspace": gap}}
        _, ax = plt.subplots(1, 2, figsize=size, **room)
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
    names[1::2] = choose(names[1::2], [""] * clip)
    left.set_xticks(rows, names, color=color("position"), fontsize=11)
    left.set_ylabel("query", color=color("query"))
    left.set_xlabel("products", labelpad=5)
    right.set_xlabel("key", color=color("key"), labelpad=8)
    right.set_xticks([])
    if products is not None:
        _write_products(left, right, products, index)
    arrow = {"arrowstyle": "-|>", "color": color("muted"), "lw": 1.5}
    middle = (length - 1) / 2
    reach = 1.5 if products is None else 0.9
    ends: dict[str, Any] = {"xy": (-0.6, middle), "xytext": (-0.6 - reach, middle)}
    right.annotate("", **ends, arrowprops=arrow, annotation_clip=False)
    above = 0.45 if products is None else 0.25
    right.text(-0.65 - reach / 2, middle - above, "pick", **CENTERED, fontsize=10)
    figure: Figure = left.figure
    return figure


def _write_products(left: Any, right: Any, products: Any, index: Any) -> None:
    """Words at the edges, each product in its cell, and in the cells that pick it."""
    places = range(len(TOKENS))
    left.set_yticks(places, TOKENS, color=color("query"), fontsize=11)
    left.set_ylabel("")
    right.set_xticks(places, TOKENS, color=color("key"), fontsize=11)
    picked = np.take_along_axis(products, index, axis=1)
    for axes, numbers in ((left, products), (right, picked)):
        shades = axes.collections[0].get_array()
        for (i, j), number in np.ndenumerate(numbers):
            ink = readable_ink(shades[i, j])
            text = f"{number:.0f}".replace("-", "−")
            axes.text(j, i, text, **CENTERED, color=ink, fontsize=12)
