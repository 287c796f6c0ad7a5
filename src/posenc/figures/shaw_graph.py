"""Pictures of labeled graphs, and of the way of vectors through attention."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle

from .matrix import readable_ink
from .shaw_data import (
    FIVE_WORDS,
    GRAPHS,
    index_shades,
    label_shades,
    vector_name,
)
from .themes import color

_CENTER: dict[str, Any] = {"ha": "center", "va": "center"}


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
        ax.text(*place, word, **_CENTER, fontsize=12, zorder=4)
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
    ax.text(*middle, str(number), **_CENTER, bbox=disk, **at)


def sequence_graph(*, query: int = 2, clip: int = 1, ax: Axes | None = None) -> Axes:
    """Five tokens as a complete graph, the edges of one query with their vectors.

    Every edge from i to j carries two vectors, of the keys and of the values; both are
    found under the clipped offset.

    Parameters
    ----------
    query : int, default 2
        Token whose edges are shown.
    clip : int, default 1
        Clipping distance.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.7, 2.1))[1]
    last = len(FIVE_WORDS) - 1
    shades = index_shades(np.arange(2 * clip + 1), 2 * clip + 1)
    for key in range(last + 1):
        if key == query:
            continue
        offset = int(np.clip(key - query, -clip, clip))
        reach = abs(key - query)
        height = 0.28 + 0.36 * reach
        side = 1 if key < query else -1
        ax.add_patch(
            FancyArrowPatch(
                (query, 0.28),
                (key, 0.3),
                connectionstyle=f"arc3,rad={side * 0.7}",
                arrowstyle="-|>",
                mutation_scale=11,
                color=color("muted"),
                lw=1.5,
            )
        )
        shade = shades[offset + clip]
        name = vector_name(offset)
        box = {"boxstyle": "round,pad=0.25", "fc": shade, "ec": "none"}
        label = f"$a_{{{query}{key}}}$ = {name}"
        at: dict[str, Any] = {"fontsize": 10, "color": readable_ink(shade), "zorder": 4}
        at_x = (query + key) / 2 - side * 0.15 * reach
        ax.text(at_x, height, label, **_CENTER, bbox=box, **at)
    for node, word in enumerate(FIVE_WORDS):
        own = node == query
        edge = color("query") if own else color("line")
        style: dict[str, Any] = {"fc": color("surface"), "ec": edge}
        ax.add_patch(Circle((node, 0), 0.3, lw=2.5 if own else 1, zorder=3, **style))
        ax.text(node, 0, f"$x_{node}$", **_CENTER, fontsize=12, zorder=4)
        ax.text(node, -0.55, word, **_CENTER, fontsize=11)
    ax.set(xlim=(-0.6, last + 0.6), ylim=(-0.8, 1.3), aspect="equal")
    ax.set_axis_off()
    return ax


def data_flow(*, ax: Axes | None = None) -> Axes:
    """Two columns: absolute positions enter once, Shaw's vectors in every layer."""
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 5.4))[1]
    ax.set(xlim=(-0.1, 10.1), ylim=(-0.3, 11.6))
    ax.set_axis_off()
    for left, relative in ((0.0, False), (5.4, True)):
        _column(ax, left, relative)
    return ax


def _column(ax: Axes, left: float, relative: bool) -> None:
    """One attention layer from top to bottom; purple is where position enters."""
    title = "relative (Shaw)" if relative else "absolute"
    ax.text(left + 2.3, 11.2, title, **_CENTER, fontsize=12, weight="bold")
    _box(ax, (left + 1.3, 9.9), 2.0, "token x")
    if not relative:
        _door(ax, (left, 9.0), 1.05, "$p_i$")
        ax.text(left + 3.5, 9.0, "once", **_CENTER, fontsize=10, color=color("muted"))
        _plus(ax, (left + 2.3, 9.0))
        _arrow(ax, (left + 1.1, 9.0), (left + 2.0, 9.0))
        _arrow(ax, (left + 2.3, 9.85), (left + 2.3, 9.32))
    top = 9.85 if relative else 8.68
    for x, role in ((0.55, "query"), (2.3, "key"), (4.05, "value")):
        letter = role[0]
        _box(ax, (left + x - 0.45, 6.9), 0.9, letter, role)
        _arrow(ax, (left + 2.3, top), (left + x, 7.75))
    _box(ax, (left + 0.35, 4.9), 2.2, "score")
    for x in (0.55, 2.3):
        _arrow(ax, (left + x, 6.85), (left + 1.1 + 0.3 * x, 5.75))
    _box(ax, (left + 0.35, 3.0), 2.2, "weights")
    _arrow(ax, (left + 1.45, 4.85), (left + 1.45, 3.85))
    _box(ax, (left + 1.2, 0.4), 2.2, "output")
    _arrow(ax, (left + 1.45, 2.95), (left + 1.95, 1.25))
    _arrow(ax, (left + 4.05, 6.85), (left + 2.75, 1.25))
    if relative:
        _door(ax, (left + 2.75, 5.3), 1.05, "$a^K_{ij}$")
        _arrow(ax, (left + 2.75, 5.3), (left + 2.55, 5.3))
        _door(ax, (left + 3.55, 0.8), 1.05, "$a^V_{ij}$")
        _arrow(ax, (left + 3.55, 0.8), (left + 3.4, 0.8))
        words = "in every layer"
    else:
        words = "nothing more"
    at: dict[str, Any] = {"fontsize": 10, "color": color("muted")}
    ax.text(left + 2.3, -0.15, words, **_CENTER, **at)


def _box(ax: Axes, corner: Any, width: float, text: str, role: str = "text") -> None:
    style: dict[str, Any] = {"fc": color("raised"), "ec": color("line"), "lw": 1}
    ax.add_patch(Rectangle(corner, width, 0.8, zorder=2, **style))
    at = (corner[0] + width / 2, corner[1] + 0.38)
    ax.text(*at, text, **_CENTER, color=color(role), fontsize=11.5, zorder=3)


def _door(ax: Axes, corner: Any, width: float, text: str) -> None:
    """Box in the color of position: what a method adds."""
    (x, y) = corner
    style: dict[str, Any] = {"fc": color("surface"), "ec": color("position"), "lw": 2}
    ax.add_patch(Rectangle((x, y - 0.45), width, 0.9, zorder=2, **style))
    at: dict[str, Any] = {"color": color("position"), "fontsize": 11.5, "zorder": 3}
    ax.text(x + width / 2, y, text, **_CENTER, **at)


def _plus(ax: Axes, at: Any) -> None:
    style: dict[str, Any] = {"fc": color("surface"), "ec": color("text"), "lw": 1}
    ax.add_patch(Circle(at, 0.3, zorder=2, **style))
    ax.text(at[0], at[1], "+", **_CENTER, fontsize=12, zorder=3)


def _arrow(ax: Axes, start: Any, end: Any) -> None:
    style: dict[str, Any] = {"color": color("muted"), "lw": 1.2, "shrinkA": 0}
    ax.add_patch(
        FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=9, shrinkB=0, **style
        )
    )
