"""Small graphs with labeled edges: a sentence's tree and a molecule."""

from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from posenc.kit.figures.text import CENTERED, readable_ink
from posenc.kit.figures.themes import color

from .words_and_rows import INDEX_COLORS

#: The same for the labels of a graph, which have no order.
LABEL_COLORS = "viridis"


class Graph(NamedTuple):
    """A small graph: nodes with a place in the unit square, edges with a label.

    Parameters
    ----------
    nodes : tuple of str
        Word or atom of each node.
    places : tuple of (float, float)
        Where each node is drawn; the second number grows downward.
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
        """Label of each query and key, −1 where there is no edge."""
        matrix = np.full((len(self.nodes), len(self.nodes)), -1)
        np.fill_diagonal(matrix, 0)
        for query, key, label in self.edges:
            matrix[query, key] = label
        return matrix


def _tree(heads: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    """Both edges of each dependency: to the head is label 1, back is `label`."""
    edges: list[tuple[int, int, int]] = []
    for dependent, head, label in heads:
        edges += [(dependent, head, 1), (head, dependent, label)]
    return tuple(edges)


def _bonds(bonds: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    """Both directions of each bond, with the same label."""
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
    """Color of each label of a graph: gray for a node itself, then one for each."""
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
        Where to draw (default: new Axes).
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
    """Arrow with its label in a colored disk; a pale line if it is not shown."""
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
