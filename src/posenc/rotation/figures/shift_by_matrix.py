"""The matrix that shifts an encoding, and what it costs to apply."""

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.kit.figures.cost import cost_curve
from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color

#: matplotlib's color table for sines and cosines.
TURN_COLORS = "coolwarm"


def shift_matrix(
    matrix: Float[np.ndarray, "d d"],
    *,
    numbers: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a shift operator as colored cells, its 2 × 2 blocks framed, zeros left pale.

    Parameters
    ----------
    matrix : array of shape (d, d)
        As `posenc.rotation.shift_operator` gives it.
    numbers : bool, optional
        Write the values into the blocks (default: up to 8 features).
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    matrix = np.asarray(matrix)
    d = len(matrix)
    ax = plt.subplots(figsize=(4.6, 4.2))[1] if ax is None else ax
    ax.set(xlim=(-0.5, d - 0.5), ylim=(d - 0.5, -0.5), aspect="equal")
    shades = mpl.colormaps[TURN_COLORS]((matrix + 1) / 2)
    row, column = np.indices(matrix.shape)
    shades[row // 2 != column // 2] = mpl.colors.to_rgba(color("raised"))
    edges = np.arange(d + 1) - 0.5
    gap = min(0.8, 8 / d)
    ax.pcolormesh(edges, edges, shades, edgecolors=color("surface"), linewidth=gap)
    numbers = d <= 8 if numbers is None else numbers
    for i in range(0, d, 2):
        frame: dict[str, Any] = {"fill": False, "ec": color("text"), "lw": 1.2}
        ax.add_patch(Rectangle((i - 0.5, i - 0.5), 2, 2, **frame))
        for r, c in np.ndindex(2, 2) if numbers else ():
            words = f"{matrix[i + r, i + c]:.2f}".replace("-", "−")
            ink = readable_ink(shades[i + r, i + c])
            at: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
            size = min(11, 64 / d)
            ax.text(i + c, i + r, words, color=ink, fontsize=size, **at)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(mpl.ticker.MultipleLocator(1 if d <= 8 else 4))
    ax.xaxis.set_label_position("top")
    ax.set(xlabel="feature before", ylabel="feature after")
    return ax


def shift_cost(
    milliseconds: Mapping[str, Mapping[str, Mapping[str, float]]],
    labels: Mapping[str, str],
    *,
    bound: str,
    ax: Axes | None = None,
) -> Axes:
    """Median times of a shift against the number of features d.

    Parameters
    ----------
    milliseconds, labels, bound, ax
        As in `posenc.kit.figures.cost.cost_curve`, with d in place of the length.
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 4.0))[1]
    ax = cost_curve(milliseconds, labels, bound=bound, ax=ax)
    ax.set_xlabel("features d")
    return ax
