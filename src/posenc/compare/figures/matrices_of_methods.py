"""The matrices of all methods side by side."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.text import readable_ink, signed
from posenc.kit.figures.themes import color

from .examples import EXAMPLES, SENTENCE
from .scores import TITLES, shown

#: matplotlib's color tables for scores and their changes, and for weights.
SCORE_COLORS = "coolwarm"


WEIGHT_COLORS = "viridis"


_COLUMNS = 3


_SCALES = {"change": "change of the score", "scores": "score", "weights": "weight"}


def color_range(text: str, view: str) -> tuple[float, float]:
    """Return the color table's ends, the same for all methods, masked or not."""
    if view == "weights":
        return 0.0, 1.0
    matrices = shown(text, view, causal=False).values()
    highest = max(float(np.nanmax(np.abs(matrix))) for matrix in matrices)
    limit = np.ceil(2 * highest) / 2
    return -limit, limit


def matrices(
    text: str = SENTENCE,
    view: str = "change",
    *,
    causal: bool = False,
    methods: Sequence[str] = tuple(TITLES),
) -> Figure:
    """Draw each method's matrix, queries down and keys across, in one color scale.

    Parameters
    ----------
    text, view, causal
        As in `shown`.
    methods : sequence of str
        Names of the methods.
    """
    rows = -(-len(methods) // _COLUMNS)
    columns = min(_COLUMNS, len(methods))
    size: dict[str, Any] = {"figsize": (4.7, 0.3 + 1.72 * rows), "squeeze": False}
    # Compressed: squares that are as wide as their column leave titles their room.
    figure, axes = plt.subplots(rows, columns, layout="compressed", **size)
    ends = color_range(text, view)
    values = shown(text, view, causal=causal)
    for ax in axes.ravel()[len(methods) :]:
        ax.set_axis_off()
    for name, ax in zip(methods, axes.ravel(), strict=False):
        matrix(values[name], view, ends, ax=ax)
        ax.set_title(TITLES[name], fontsize=9.5, pad=3)
    mapped = mpl.cm.ScalarMappable(mpl.colors.Normalize(*ends), colors_of(view))
    bar = figure.colorbar(mapped, ax=axes, orientation="horizontal", aspect=40)
    bar.outline.set_visible(False)
    bar.set_label(_SCALES[view])
    return figure


def matrix(
    values: Float[np.ndarray, "q_len k_len"],
    view: str,
    ends: tuple[float, float],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw one matrix with its numbers, if they fit; the diagonal is framed.

    Parameters
    ----------
    values : float64 array of shape (q_len, k_len)
        NaN where the mask hides a cell.
    view : str
        Tells the color table.
    ends : (float, float)
        Values of its first and its last color.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots()[1] if ax is None else ax
    scale = mpl.colors.Normalize(*ends)
    shades = mpl.colormaps[colors_of(view)](scale(np.nan_to_num(values)))
    shades[np.isnan(values)] = mpl.colors.to_rgba(color("raised"))
    ax.imshow(shades, interpolation="none")  # a pixel for each cell
    few = len(values) < 6
    for q, k in np.ndindex(*values.shape):
        ink = readable_ink(shades[q, k])
        if q == k:
            frame: dict[str, Any] = {"fill": False, "ec": ink, "lw": 0.5}
            ax.add_patch(Rectangle((k - 0.4, q - 0.4), 0.8, 0.8, **frame))
        if few and not np.isnan(values[q, k]):
            words = f"{values[q, k]:.2f}" if view == "weights" else signed(values[q, k])
            ax.text(k, q, words, ha="center", va="center", color=ink, fontsize=8)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return ax


def colors_of(view: str) -> str:
    """Return the name of matplotlib's color table for a view."""
    return WEIGHT_COLORS if view == "weights" else SCORE_COLORS


def alt_text(text: str, view: str, *, causal: bool, methods: Sequence[str]) -> str:
    """Describe the picture of these matrices in words."""
    what = {
        "change": "what position changes in the attention scores",
        "scores": "attention scores",
        "weights": "attention weights",
    }[view]
    mask = "with a causal mask" if causal else "without a mask"
    titles = ", ".join(TITLES[name] for name in methods)
    return (
        f"Heat maps of {what} for the {EXAMPLES[text].length} words “{text}”, {mask}, "
        f"queries down, keys across: {titles}."
    )
