"""The vector of each pair of query and key, and the table they are from."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.kit.figures.text import signed_offset

from .cells import draw_cell, words


def big_tensor(*, seq_len: int = 5, ax: Axes | None = None) -> Axes:
    """Draw the vector of each pair of query and key, and the table they all come from.

    Parameters
    ----------
    seq_len : int, default 5
        Queries and keys.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.0, 4.0))[1]
    right = seq_len + 1.9
    ax.set(xlim=(-1.5, right + 1.7), ylim=(seq_len + 0.9, -1.6), aspect="equal")
    ax.set_axis_off()
    for i, j in np.ndindex(seq_len, seq_len):
        _vector(ax, (j, i), j - i, seq_len, hidden=j > i)
    for row in range(seq_len):
        _vector(ax, (right, row), row - (seq_len - 1), seq_len)
        words(ax, row + 0.5, -0.4, row)
        words(ax, -0.4, row + 0.5, row)
    words(ax, seq_len / 2, -1.15, "key", "key")
    words(ax, -1.15, seq_len / 2, "query", "query", rotation=90)
    words(ax, seq_len / 2, seq_len + 0.5, "$R$: a vector for each pair", size=11.5)
    words(ax, right + 0.5, seq_len + 0.5, "$E$", size=11.5)
    return ax


def _vector(
    ax: Axes, corner: Any, offset: int, seq_len: int, *, hidden: bool = False
) -> None:
    kind = "zero" if hidden else "wanted"
    ink = draw_cell(ax, corner, kind, offset + seq_len - 1, seq_len)
    if offset == 0:
        inner = Rectangle((corner[0] + 0.1, corner[1] + 0.1), 0.8, 0.8, fill=False)
        inner.set(edgecolor=ink, linewidth=1)
        ax.add_patch(inner)
    if not hidden:
        number = signed_offset(offset)
        at: Any = {"color": ink, "fontsize": 11, "ha": "center"}
        label = f"$w_{{{number}}}$"
        ax.text(corner[0] + 0.5, corner[1] + 0.52, label, va="center_baseline", **at)
