"""Tables of query and key: rows, labels of a graph, the band that is picked."""

from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from posenc.core.running_example import TOKENS
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import CENTERED, readable_ink
from posenc.kit.figures.themes import choose, color, panels
from posenc.shaw import relative_position_index

from .sentences import INDEX_COLORS, TWELVE_WORDS, index_shades, vector_name

#: The same for the labels of a graph, which have no order.
LABEL_COLORS = "viridis"


class Graph(NamedTuple):
    """A small graph: nodes with a place in the unit square, edges with a label.

    Parameters
    ----------
    nodes : tuple of str
        Word or atom of each node.
    places : tuple of (float, float)
        Place of each node; the second number grows downward.
    labels : tuple of str
        Words of each label; label 0 is that of a node with itself.
    edges : tuple of (int, int, int)
        Query node, key node, label; every node also has an edge to itself.
    """

    nodes: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    labels: tuple[str, ...]
    edges: tuple[tuple[int, int, int], ...]

    def matrix(self) -> Int[np.ndarray, "nodes nodes"]:
        """Return the label of each query and key, −1 where there is no edge."""
        matrix = np.full((len(self.nodes), len(self.nodes)), -1)
        np.fill_diagonal(matrix, 0)
        for query, key, label in self.edges:
            matrix[query, key] = label
        return matrix


def _tree(heads: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    """Return both edges of each dependency, label 1 to the head and `label` back."""
    edges: list[tuple[int, int, int]] = []
    for dependent, head, label in heads:
        edges += [(dependent, head, 1), (head, dependent, label)]
    return tuple(edges)


def _bonds(bonds: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    """Return both directions of each bond, with the same label."""
    return tuple(e for a, b, label in bonds for e in ((a, b, label), (b, a, label)))


GRAPHS = {
    "tree": Graph(
        nodes=("the", "dog", "bites", "an", "old", "man"),
        places=(
            (0.06, 0.92),
            (0.24, 0.5),
            (0.5, 0.08),
            (0.52, 0.92),
            (0.94, 0.92),
            (0.76, 0.5),
        ),
        labels=("itself", "its head", "its subject", "its object", "its modifier"),
        edges=_tree([(0, 1, 4), (1, 2, 2), (3, 5, 4), (4, 5, 4), (5, 2, 3)]),
    ),
    "molecule": Graph(  # acetic acid, without its hydrogen atoms
        nodes=("C", "C", "O", "O"),
        places=((0.1, 0.88), (0.48, 0.58), (0.48, 0.06), (0.88, 0.92)),
        labels=("itself", "single bond", "double bond"),
        edges=_bonds([(0, 1, 1), (1, 2, 2), (1, 3, 1)]),
    ),
}


def label_shades(
    labels: Int[np.ndarray, "*shape"], num_labels: int
) -> Float[np.ndarray, "*shape 4"]:
    """Return each label's color in a graph, gray for a node itself."""
    labels = np.asarray(labels)
    shades = np.asarray(mpl.colormaps[LABEL_COLORS](labels / max(num_labels - 1, 1)))
    shades[labels <= 0] = mpl.colormaps[INDEX_COLORS](0.5)
    return shades


def graph_edges(name: str, *, query: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw a labeled graph; with a query, only that node's edges have their color.

    Parameters
    ----------
    name : str
        One of the graphs in ``shaw_data.GRAPHS``.
    query : int, optional
        Node whose edges are shown; the others are pale.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    graph = GRAPHS[name]
    if ax is None:
        ax = plt.subplots(figsize=(5.0, 3.6))[1]
    ax.set(xlim=(-0.12, 1.12), ylim=(1.1, -0.1))
    ax.set_axis_off()
    shades = label_shades(np.arange(len(graph.labels)), len(graph.labels))
    for a, b, label in graph.edges:
        shown = query is None or query == a
        _edge(ax, graph.places[a], graph.places[b], (label, shades[label]), shown)
    for node, (word, place) in enumerate(zip(graph.nodes, graph.places, strict=True)):
        edge = color("query") if node == query else color("line")
        wide = 0.012 * len(word)
        ax.add_patch(
            FancyBboxPatch(
                (place[0] - wide, place[1] - 0.025),
                2 * wide,
                0.05,
                boxstyle="round,pad=0.025",
                fc=color("surface"),
                ec=edge,
                lw=2.5 if node == query else 1,
                zorder=3,
            )
        )
        ax.text(*place, word, **CENTERED, fontsize=12, zorder=4)
    return ax


def _edge(ax: Axes, start: Any, end: Any, label: Any, shown: bool) -> None:
    """Draw an arrow with its label in a colored disk, or a pale line if not shown."""
    number, shade = label
    style: dict[str, Any] = {"color": color("muted" if shown else "line"), "zorder": 1}
    style.update(lw=1.6 if shown else 0.8, alpha=1.0 if shown else 0.45)
    ax.add_patch(
        FancyArrowPatch(
            start,
            end,
            connectionstyle="arc3,rad=0.16",
            arrowstyle="-|>",
            mutation_scale=12,
            shrinkA=18,
            shrinkB=20,
            **style,
        )
    )
    if not shown:
        return
    (x, y), (u, v) = start, end
    bend = 0.08  # half of the arc's: where its middle lies beside the straight line
    middle = ((x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x))
    at: dict[str, Any] = {"fontsize": 10.5, "zorder": 5, "color": readable_ink(shade)}
    disk = {"boxstyle": "circle,pad=0.22", "fc": shade, "ec": "none"}
    ax.text(*middle, str(number), **CENTERED, bbox=disk, **at)


def index_matrix(
    index: Int[np.ndarray, "q_len k_len"],
    *,
    clip: int,
    names: bool = False,
    q_offset: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the table of row numbers, queries down and keys across, colored by row.

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
        Axes to draw on (default: new).
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
    """Draw the labels of a graph as a table; cells without an edge are empty.

    Parameters
    ----------
    name : str
        One of the graphs in `GRAPHS`.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw three vectors of places, and nine entries that share five vectors."""
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
        Products of the running example's tokens with each vector, for the cells.
        Their shape replaces `length` and `clip`.
    ax : pair of Axes, optional
        Axes to draw on (default: a new figure).
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
    """Write words at the edges, and each product into the cells that use it."""
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


def overview(
    *, view: str = "sentence", length: int = 8, clip: int = 2, query: int = 2
) -> Figure:
    """Draw table and arrows of one setting, the widget's still picture.

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
    """Draw a sentence's words above the rows of the table that they use."""
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
