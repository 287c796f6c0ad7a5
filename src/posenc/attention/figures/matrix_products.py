"""The matrices of the running example, from Q and K to the outputs."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.attention import attention_weights
from posenc.core import running_example as example
from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color

from .attended import WEIGHT_COLORS
from .heat_maps import output_shades, short


def products(*, ax: Axes | None = None) -> Axes:
    """Draw the matrices of the running example: Q, K, scores; weights, V, outputs.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 3.9))[1]
    scores = example.Q @ example.K.T / 2
    mixed = attention_weights(example.Q, example.K)
    plain, table = mpl.colormaps["Greys"], mpl.colormaps[WEIGHT_COLORS]

    def soft(numbers: Any) -> Any:
        return plain(0.1 + 0.1 * numbers)

    top, bottom = 1.0, 7.0
    _block(ax, (0, top), example.Q, soft(example.Q), "$Q$", "query")
    _sign(ax, (4.5, top + 1.5), "×")
    _block(ax, (5, top - 0.5), example.K.T, soft(example.K.T), "$K^\\top$", "key")
    _sign(ax, (8.75, top + 1.5), "/ 2 =")
    _block(ax, (9.5, top), scores, soft(scores), "scores $S$", "text")
    _block(ax, (0, bottom), mixed, table(mixed), "weights $A$", "text")
    _sign(ax, (3.5, bottom + 1.5), "×")
    _block(ax, (4, bottom), example.V, soft(example.V), "$V$", "value")
    _sign(ax, (8.4, bottom + 1.5), "=")
    result = mixed @ example.V
    _block(ax, (8.8, bottom), result, output_shades(result), "outputs $Z$", "value")
    look: dict[str, Any] = {"arrowstyle": "->", "color": color("muted"), "lw": 1.5}
    bend = {**look, "connectionstyle": "angle,angleA=-90,angleB=180,rad=8"}
    ax.annotate("", (1.5, bottom - 1.15), (11, top + 3.2), arrowprops=bend)
    words: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    ax.text(6.2, bottom - 1.65, "softmax of each row", **words)
    for row, token in enumerate(example.TOKENS):
        for y in (top, bottom):
            ax.text(-0.2, y + row + 0.5, token, ha="right", va="center_baseline")
    ax.set(xlim=(-1.7, 12.9), ylim=(10.1, -0.7), aspect="equal")
    ax.set_axis_off()
    return ax


def _block(
    ax: Axes,
    corner: tuple[float, float],
    numbers: Any,
    shades: Any,
    name: str,
    role: str,
) -> None:
    """Cells of a matrix with their numbers, and its name above."""
    rows, columns = numbers.shape
    x, y = corner
    edges = x + np.arange(columns + 1), y + np.arange(rows + 1)
    gap: dict[str, Any] = {"edgecolors": color("surface"), "linewidth": 1}
    ax.pcolormesh(*edges, shades, **gap)
    for (i, j), number in np.ndenumerate(numbers):
        label = ax.text(x + j + 0.5, y + i + 0.5, short(number), fontsize=9.5)
        label.set(ha="center", va="center_baseline")
        label.set_color(readable_ink(shades[i, j]))
    at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 12}
    ax.text(x + columns / 2, y - 0.5, name, color=color(role), **at)


def _sign(ax: Axes, at: tuple[float, float], sign: str) -> None:
    ax.text(*at, sign, ha="center", va="center", fontsize=11)
