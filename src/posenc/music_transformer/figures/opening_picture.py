"""The picture that opens the chapter on the skew, and the cells that all draw."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch

from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import choose, color

from .cells import draw_cells, words
from .skew_matrices import skew_frames


def opening(*, seq_len: int = 5, ax: Axes | None = None) -> Axes:
    """Products by offset on the left, the same by key on the right.

    Parameters
    ----------
    seq_len : int, default 5
        Queries, at most 10.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    gap = 2.6
    width = 2 * seq_len + gap
    # The second matrix lies to the right, in the narrow version below.
    right, down = choose((seq_len + gap, 0.0), (0.0, seq_len + 4.2))
    if ax is None:
        size = 5.4, 5.4 * (seq_len + 3.1) / (width + 1.7)
        ax = plt.subplots(figsize=choose(size, (4.1, 6.8)))[1]
    high = down + seq_len + 1.3
    ax.set(xlim=(-1.6, choose(width, 6.4) + 0.1), ylim=(high, -1.8), aspect="equal")
    ax.set_axis_off()
    frames = skew_frames(seq_len)
    draw_cells(ax, frames, 0)
    draw_cells(ax, frames, 3, origin=(right, down))
    words(ax, -0.3, -1.35, "in the column of the offset", "position", ha="left")
    words(ax, right - 0.3, down - 1.35, "in the column of the key", "key", ha="left")
    for i in range(seq_len):
        words(ax, i + 0.5, -0.45, signed_offset(i + 1 - seq_len))
        words(ax, right + i + 0.5, down - 0.45, i)
        words(ax, -0.45, i + 0.5, "abcdefghij"[i], "query")
    words(ax, -1.25, seq_len / 2, "query", "query", rotation=90)
    middle = seq_len / 2
    arrow: Any = {"arrowstyle": "-|>", "mutation_scale": 16, "lw": 1.5}
    low = seq_len + 1.2
    ends = choose(
        ((seq_len + 0.35, middle), (right - 0.35, middle)),
        ((middle, low), (middle, down - 1.8)),
    )
    ax.add_patch(FancyArrowPatch(*ends, color=color("text"), **arrow))
    if choose(True, False):
        words(ax, seq_len + gap / 2, middle - 0.55, "pad,")
        words(ax, seq_len + gap / 2, middle + 0.55, "reshape,")
        words(ax, seq_len + gap / 2, middle + 1.2, "drop")
    else:
        words(ax, middle + 0.5, low + 0.6, "pad, reshape, drop", ha="left")
    words(ax, choose(seq_len / 2, 1.0), seq_len + 0.65, "$Q E^\\top$", size=13)
    words(ax, right + seq_len / 2, down + seq_len + 0.65, "$S$", size=13)
    return ax
