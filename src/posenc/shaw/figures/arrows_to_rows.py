"""From each key an arrow to its row of the table."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from posenc.kit.figures.text import CENTERED, readable_ink
from posenc.kit.figures.themes import choose, color

from .words_and_rows import FIVE_WORDS, index_shades, rows_of_query, vector_name


def index_arrows(
    query: int,
    clip: int,
    *,
    words: tuple[str, ...] = FIVE_WORDS,
    ax: Axes | None = None,
) -> Axes:
    """Arrows from one query to every key, with the index of the vector on each.

    Parameters
    ----------
    query : int
        Position of the query.
    clip : int
        Clipping distance; row `clip` is the vector of the query's own position.
    words : tuple of str
        The sentence.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 2.3))[1]
    rows = rows_of_query(len(words), query, clip)
    shades = index_shades(np.asarray(rows), 2 * clip + 1)
    for key, row in enumerate(rows):
        style: dict[str, Any] = {"color": color("muted"), "lw": 1.3, "shrinkA": 0}
        bend = {-1: 0.42, 0: 0, 1: -0.42}[int(np.sign(key - query))]
        if key != query:
            ax.add_patch(
                FancyArrowPatch(
                    (query, 0.28),
                    (key, 0.3),
                    connectionstyle=f"arc3,rad={bend}",
                    arrowstyle="-|>",
                    mutation_scale=9,
                    **style,
                )
            )
        ax.text(key, 0.05, words[key], **CENTERED, fontsize=12)
        ax.add_patch(Rectangle((key - 0.2, -0.62), 0.4, 0.36, fc=shades[key]))
        number: dict[str, Any] = {"color": readable_ink(shades[key]), "fontsize": 11}
        ax.text(key, -0.45, str(row), **CENTERED, **number)
        below: dict[str, Any] = {"color": color("position"), "fontsize": 10.5}
        ax.text(key, -0.84, vector_name(row - clip), **CENTERED, **below)
        if key == query:
            frame: dict[str, Any] = {"fill": False, "ec": color("query"), "lw": 2}
            side = choose(0.46, 0.36)
            ax.add_patch(Rectangle((key - side, -0.12), 2 * side, 0.36, **frame))
    longest = max(abs(key - query) for key in range(len(words)))
    ax.set(xlim=(-0.6, len(words) - 0.4), ylim=(-1.02, 0.45 + 0.25 * longest))
    ax.set_axis_off()
    return ax
