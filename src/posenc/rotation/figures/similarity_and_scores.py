"""Heat maps: dot products of encodings, and the parts of scores."""

from collections.abc import Mapping

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc import rotation
from posenc.core.arrays import relative_positions
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.themes import choose, color

#: matplotlib's color tables for similarities and for scores.
SIMILARITY_COLORS = "viridis"


SCORE_COLORS = "coolwarm"


def similarity_matrix(
    seq_len: int, d_model: int, *, base: float = 10_000.0, ax: Axes | None = None
) -> Axes:
    """Dot products of all pairs of encodings, divided by d/2; distance 0 is marked.

    Parameters
    ----------
    seq_len : int
        Positions, from 0.
    d_model, base
        As in `posenc.rotation.position_similarity`.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    offsets = relative_positions(seq_len, seq_len)
    values = rotation.position_similarity(offsets, d_model, base=base) / (d_model / 2)
    return heat_map(values, SIMILARITY_COLORS, ax=ax)


def heat_map(
    values: Float[np.ndarray, "q_len k_len"],
    colors: str,
    *,
    scale: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Many scores as pixels, queries down, keys across, with a line along distance 0.

    Parameters
    ----------
    values : array of shape (q_len, k_len)
        What is drawn.
    colors : str
        One of matplotlib's color tables.
    scale : bool, default True
        Whether to draw the scale of the colors, too.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.8, 4.0))[1] if ax is None else ax
    image = ax.imshow(values, cmap=colors, interpolation="nearest")
    last = min(values.shape) - 1
    for ink, style in (("surface", "-"), ("text", (0, (2, 3)))):  # seen on any color
        ax.plot([0, last], [0, last], color=color(ink), lw=0.8, ls=style)
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.xaxis.set_label_position("top")
    ax.spines[:].set_visible(False)
    ax.set_xlabel("key", color=color("key"))
    ax.set_ylabel("query", color=color("query"))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(mpl.ticker.MaxNLocator(5, integer=True))
    if scale:
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.8)
        bar.outline.set_visible(False)
    return ax


def four_terms(
    terms: Mapping[str, Float[np.ndarray, "q_len k_len"]], *, limit: float = 16.0
) -> Figure:
    """Small matrices with their numbers, all on one scale: the parts of the scores.

    Parameters
    ----------
    terms : mapping
        Title to matrix, up to six.
    limit : float, default 16
        Score at the ends of the color scale.
    """
    down = (len(terms) + 1) // 2
    size = 5.2, choose(2.95, 2.3) * down
    figure, panels = plt.subplots(down, 2, figsize=size, squeeze=False)
    figure.set_layout_engine("constrained", h_pad=0.13)
    for ax in panels.flat[len(terms) :]:
        ax.set_axis_off()
    norm = mpl.colors.CenteredNorm(halfrange=limit)
    for ax, (title, values) in zip(panels.flat, terms.items(), strict=False):
        shades = mpl.colormaps[SCORE_COLORS](norm(values))
        text = np.vectorize(lambda v: f"{v:.2f}".replace("-", "−"))(values + 0.0)
        draw_matrix(shades, text, ax=ax)
        ax.set_title(title, y=-0.05, va="top", fontsize=11)
    return figure


def score_pair(
    pictures: Mapping[str, Float[np.ndarray, "q_len k_len"]],
) -> Figure:
    """Score matrices side by side, each on a scale of its own.

    Parameters
    ----------
    pictures : mapping
        Title to matrix.
    """
    size = (5.8, 3.3)
    figure, panels = plt.subplots(1, len(pictures), figsize=size, squeeze=False)
    for ax, (title, values) in zip(panels.flat, pictures.items(), strict=True):
        heat_map(values, SIMILARITY_COLORS, scale=False, ax=ax)
        ax.set_title(title, y=-0.06, va="top", fontsize=12)
    return figure
