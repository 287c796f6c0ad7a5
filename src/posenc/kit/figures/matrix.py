"""Matrices as the book draws them: queries down, keys across, 0 always marked."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from .text import readable_ink
from .themes import SMALLEST, choose, color

#: Smallest cell, in points, whose text is drawn.
_LEGIBLE = 9


def draw_matrix(
    shades: Float[np.ndarray, "q_len k_len 4"],
    text: Any = None,
    *,
    q_offset: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw colored cells with their text; those of relative position 0 have a frame.

    Parameters
    ----------
    shades : array of shape (q_len, k_len, 4)
        Color of each cell: red, green, blue, opacity.
    text : array of str of shape (q_len, k_len), optional
        What is written into the cells, where they are large enough.
    q_offset : int, default 0
        Position of the first query; keys begin at 0.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    q_len, k_len = shades.shape[:2]
    ax = plt.subplots()[1] if ax is None else ax
    ax.set(xlim=(-0.5, k_len - 0.5), ylim=(q_len - 0.5, -0.5), aspect="equal")
    edges = np.arange(k_len + 1) - 0.5, np.arange(q_len + 1) - 0.5
    longest = max(k_len, q_len)
    points = min(ax.get_window_extent().size) * 72 / ax.figure.dpi / longest  # a cell
    gap: dict[str, Any] = {
        "edgecolors": color("surface"),
        "linewidth": min(0.6, points / 16),
    }
    ax.pcolormesh(*edges, shades, **gap)
    text = None if points < _LEGIBLE else text
    size = min(0.42 * points, 10)
    if text is not None and choose(False, _has_room(text, points)):
        size = SMALLEST
    line: dict[str, Any] = {"fill": False, "lw": min(1, points / 10)}
    for q, k in np.ndindex(q_len, k_len):
        ink = readable_ink(shades[q, k])
        if k == q + q_offset:
            ax.add_patch(Rectangle((k - 0.4, q - 0.4), 0.8, 0.8, ec=ink, **line))
        if text is not None:
            label = ax.text(k, q, text[q, k], color=ink, fontsize=size)
            label.set(ha="center", va="center_baseline", in_layout=False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.xaxis.set_label_position("top")
    ax.set_xlabel("key", color=color("key"))
    ax.set_ylabel("query", color=color("query"))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(
            mpl.ticker.MultipleLocator(1 + (longest - 1) // choose(16, 9))
        )
    return ax


def _has_room(text: Any, points: float) -> bool:
    """Return True if a cell of the narrow version holds its text in legible letters."""
    widths = (len(words) - 0.5 * words.count(".") for words in np.ravel(text))
    return max(widths) * 0.62 * SMALLEST < points
