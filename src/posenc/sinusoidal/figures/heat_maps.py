"""The encoding as a heat map, in its layouts."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.kit.figures.themes import color
from posenc.sinusoidal import Layout, sinusoidal_table

#: matplotlib's color table for the values of an encoding, from -1 to 1.
ENCODING_COLORS = "coolwarm"

#: Rows and columns for each of which a picture has a pixel.
MOST_CELLS = (400, 480)


def heat_map(
    table: Float[np.ndarray, "seq_len d_model"], *, ax: Axes | None = None
) -> Axes:
    """Values of an encoding from -1 to 1, positions down and features across."""
    rows, columns = table.shape
    if ax is None:
        ax = plt.subplots(figsize=(5.4, min(1.4 + 0.16 * rows, 4.6)))[1]
    # A page loads the picture: a pixel for a cell, or, of more cells than a screen has
    # pixels, for a few of them, in fewer colors. Cells left out would make patterns.
    small = _pooled(table)
    levels = 33 if small.size < table.size else 256
    image = ax.imshow(
        small,
        cmap=mpl.colormaps[ENCODING_COLORS].resampled(levels),
        vmin=-1,
        vmax=1,
        aspect="auto",
        interpolation="none",
        extent=(-0.5, columns - 0.5, rows - 0.5, -0.5),
    )
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.xaxis.set_label_position("top")
    ax.set_xlabel("feature")
    ax.set_ylabel("position", color=color("position"))
    whole = mpl.ticker.MaxNLocator(6, integer=True)
    ax.yaxis.set_major_locator(whole)
    bar = ax.figure.colorbar(image, ax=ax, ticks=[-1, 0, 1], aspect=14)
    bar.outline.set_visible(False)
    return ax


def _pooled(
    table: Float[np.ndarray, "seq_len d_model"],
) -> Float[np.ndarray, "rows columns"]:
    """Mean of neighboring cells, until a picture has room for what is left."""
    for axis, most in enumerate(MOST_CELLS):
        while table.shape[axis] > most:
            at = range(0, table.shape[axis], 2)
            count = np.diff([*at, table.shape[axis]])
            sums = np.add.reduceat(table, at, axis=axis)
            table = sums / np.expand_dims(count, 1 - axis)
    return table


def layouts(*, seq_len: int = 10, d_model: int = 64) -> Figure:
    """Draw the same table in both orders of its features, one above the other."""
    figure, axes = plt.subplots(2, 1, figsize=(4.8, 5.2))
    names: tuple[Layout, ...] = ("interleaved", "half")
    for ax, layout in zip(axes, names, strict=True):
        heat_map(sinusoidal_table(seq_len, d_model, layout=layout), ax=ax)
        ax.set_title(f'layout="{layout}"')
    return figure
