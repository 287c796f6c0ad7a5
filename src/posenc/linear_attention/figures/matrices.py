"""States of a causal sum, the map of chunks, and a circulant matrix."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import readable_ink, signed_offset
from posenc.kit.figures.themes import color


def states(matrices: Any, titles: Any) -> Figure:
    """States of a causal sum, one after the other, with their numbers.

    Parameters
    ----------
    matrices : array of shape (steps, r, d)
        What is remembered after each token: features down, values across.
    titles : sequence of str
        Words above each.
    """
    matrices = np.asarray(matrices)
    figure, axes = plt.subplots(1, len(matrices), figsize=(4.9, 2.0))
    top = mpl.colors.to_rgb(color("value"))
    ground = mpl.colors.to_rgb(color("raised"))
    for ax, matrix, title in zip(axes, matrices, titles, strict=True):
        rows, columns = matrix.shape
        ax.set(xlim=(-0.05, columns + 0.05), ylim=(rows + 0.05, -0.05), aspect="equal")
        ax.set_axis_off()
        ax.set_title(title, fontsize=11.5)
        for i, j in np.ndindex(rows, columns):
            share = abs(matrix[i, j]) / max(np.abs(matrices).max(), 1e-9)
            fill = tuple(
                share * a + (1 - share) * b for a, b in zip(top, ground, strict=True)
            )
            look: dict[str, Any] = {"fc": fill, "ec": color("surface"), "lw": 1}
            ax.add_patch(Rectangle((j, i), 1, 1, **look))
            at: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
            words = f"{matrix[i, j]:g}"
            size = 11.5 if len(words) < 3 else 9
            ink = readable_ink(fill)
            ax.text(j + 0.5, i + 0.52, words, color=ink, fontsize=size, **at)
    return figure


def chunk_map(seq_len: int = 9, chunk: int = 3, *, ax: Axes | None = None) -> Axes:
    """Which weights the chunked form writes down, and which are in the state.

    Parameters
    ----------
    seq_len, chunk : int
        Tokens in all, and in a chunk.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.4, 4.0))[1] if ax is None else ax
    shades = np.zeros((seq_len, seq_len, 4))
    text = np.full((seq_len, seq_len), "", dtype=object)
    for i, j in np.ndindex(seq_len, seq_len):
        same = i // chunk == j // chunk
        if j > i:
            shades[i, j] = mpl.colors.to_rgba(color("raised"))
        else:
            shades[i, j] = mpl.colors.to_rgba(color("query" if same else "value"))
            text[i, j] = "w" if same else "S"
    return draw_matrix(shades, text, ax=ax)


def circulant(seq_len: int = 4, *, ax: Axes | None = None) -> Axes:
    """Draw a Toeplitz matrix in the corner of one whose rows wrap around.

    Parameters
    ----------
    seq_len : int, default 4
        Queries and keys.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.4, 4.0))[1] if ax is None else ax
    size = 2 * seq_len - 1
    shades = np.empty((size, size, 4))
    text = np.empty((size, size), dtype=object)
    scale = mpl.colormaps["viridis"]
    for i, j in np.ndindex(size, size):
        offset = (j - i + seq_len - 1) % size - (seq_len - 1)
        own = i < seq_len and j < seq_len
        shades[i, j] = scale((offset + seq_len - 1) / (size - 1))
        if not own:
            ground = np.asarray(mpl.colors.to_rgba(color("raised")))
            shades[i, j] = 0.25 * shades[i, j] + 0.75 * ground
        text[i, j] = signed_offset(offset)
    ax = draw_matrix(shades, text, ax=ax)
    ax.set(xlabel="", ylabel="")
    return ax
