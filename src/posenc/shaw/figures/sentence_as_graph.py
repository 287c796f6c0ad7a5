"""A sentence as a graph with labels."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch

from posenc.kit.figures.text import CENTERED, readable_ink
from posenc.kit.figures.themes import color

from .words_and_rows import FIVE_WORDS, index_shades, vector_name


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
        ax.text(at_x, height, label, **CENTERED, bbox=box, **at)
    for node, word in enumerate(FIVE_WORDS):
        own = node == query
        edge = color("query") if own else color("line")
        style: dict[str, Any] = {"fc": color("surface"), "ec": edge}
        ax.add_patch(Circle((node, 0), 0.3, lw=2.5 if own else 1, zorder=3, **style))
        ax.text(node, 0, f"$x_{node}$", **CENTERED, fontsize=12, zorder=4)
        ax.text(node, -0.55, word, **CENTERED, fontsize=11)
    ax.set(xlim=(-0.6, last + 0.6), ylim=(-0.8, 1.3), aspect="equal")
    ax.set_axis_off()
    return ax
