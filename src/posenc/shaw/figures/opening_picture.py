"""Pictures of words and the vectors they meet: the opening, and the index arrows."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from posenc.kit.figures.text import CENTERED, readable_ink
from posenc.kit.figures.themes import color

from .words_and_rows import FIVE_WORDS, index_shades, rows_of_query, vector_name


def opening(*, clip: int = 2, ax: Axes | None = None) -> Axes:
    """One sentence seen from two of its words, and the one table that both use.

    Parameters
    ----------
    clip : int, default 2
        Clipping distance: the table holds 2 `clip` + 1 vectors.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.4, 4.6))[1]
    ax.set(xlim=(-0.55, 4.55), ylim=(-0.55, 5.75))
    ax.set_axis_off()
    places = np.linspace(0.2, 3.8, 2 * clip + 1)
    shades = index_shades(np.arange(2 * clip + 1), 2 * clip + 1)
    for query, height, side in ((0, 4.9, 1), (3, 0.0, -1)):
        _sentence(ax, query, height, side, (places, shades))
    rng = np.random.default_rng(1)
    for row, place in enumerate(places):
        _vector(ax, place, shades[row], rng.uniform(0.45, 1, 4), row - clip)
    return ax


def _sentence(ax: Axes, query: int, height: float, side: int, table: Any) -> None:
    """Five words at `height`, each tied to its vector; `side` 1 is above the table."""
    places, shades = table
    clip = (len(places) - 1) // 2
    for key, row in enumerate(rows_of_query(len(FIVE_WORDS), query, clip)):
        _tie(ax, (key, height), (places[row], 2.45), side, shades[row])
        box: dict[str, Any] = {"fc": shades[row], "ec": "none"}
        if key == query:
            box.update(ec=color("query"), lw=2.5)
        corner = (key - 0.46, height - 0.2)
        ax.add_patch(Rectangle(corner, 0.92, 0.4, zorder=3, **box))
        ink = readable_ink(shades[row])
        word: dict[str, Any] = {"color": ink, "fontsize": 11, "zorder": 4}
        ax.text(key, height - 0.01, FIVE_WORDS[key], **CENTERED, **word)
    style: dict[str, Any] = {"color": color("query"), "fontsize": 10.5}
    ax.text(query, height + side * 0.42, "query", **CENTERED, **style)


def _tie(ax: Axes, word: Any, vector: Any, side: int, shade: Any) -> None:
    """Ribbon from a word to its vector."""
    (x, y), (u, v) = word, vector
    y, v = y - side * 0.22, v + side * 0.52
    bend = (y + v) / 2
    left = [(x - 0.2, y), (x - 0.2, bend), (u - 0.12, bend), (u - 0.12, v)]
    right = [(u + 0.12, v), (u + 0.12, bend), (x + 0.2, bend), (x + 0.2, y)]
    curve = [Path.CURVE4] * 3
    codes = [Path.MOVETO, *curve, Path.LINETO, *curve]
    style: dict[str, Any] = {"fc": shade, "alpha": 0.55, "ec": "none", "zorder": 1}
    ax.add_patch(PathPatch(Path([*left, *right], codes), **style))


def _vector(ax: Axes, x: float, shade: Any, strength: Any, offset: int) -> None:
    """Draw a column of numbers as cells of one color, with its name."""
    for i, alpha in enumerate(strength):
        style: dict[str, Any] = {"ec": color("surface"), "lw": 1, "zorder": 2}
        back = Rectangle((x - 0.2, 1.97 + 0.24 * i), 0.4, 0.24, fc=color("surface"))
        cell = Rectangle((x - 0.2, 1.97 + 0.24 * i), 0.4, 0.24, fc=shade, **style)
        cell.set_alpha(alpha)
        ax.add_patch(back)
        ax.add_patch(cell)
    frame: dict[str, Any] = {"fill": False, "ec": color("text"), "lw": 1.2}
    if offset == 0:
        ax.add_patch(Rectangle((x - 0.23, 1.94), 0.46, 1.02, zorder=3, **frame))
    name: dict[str, Any] = {"color": color("position"), "fontsize": 11}
    ax.text(x + 0.27, 2.45, vector_name(offset), ha="left", va="center", **name)
