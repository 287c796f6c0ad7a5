"""Tables of query and key: the bucket numbers, and the bias."""

from typing import Any

import matplotlib as mpl
import numpy as np
from jaxtyping import Bool, Float, Int
from matplotlib.axes import Axes

from posenc.core.arrays import relative_positions
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import signed
from posenc.kit.figures.themes import color

from .trained_bias import BIAS_COLORS

#: matplotlib's color tables for bucket numbers and for biases.
BUCKET_COLORS = "viridis"


def bucket_matrix(
    buckets: Int[np.ndarray, "q_len k_len"],
    *,
    num_buckets: int | None = None,
    causal: bool = False,
    q_offset: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Table of bucket numbers, queries down and keys across, colored by bucket.

    Parameters
    ----------
    buckets : integer array of shape (q_len, k_len)
        Bucket number of each query and key.
    num_buckets : int, optional
        Buckets in all, for the scale of the colors (default: the largest number + 1).
    causal : bool, default False
        Draw keys after the query pale: a causal mask hides them.
    q_offset : int, default 0
        Position of the first query; keys begin at 0.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    buckets = np.asarray(buckets)
    top = (int(buckets.max()) + 1 if num_buckets is None else num_buckets) - 1
    shades = mpl.colormaps[BUCKET_COLORS](buckets / max(top, 1))
    if causal:
        _hide_keys_after_query(shades, q_offset)
    return draw_matrix(shades, buckets.astype(str), q_offset=q_offset, ax=ax)


def bias_matrix(
    bias: Float[np.ndarray, "q_len k_len"],
    *,
    limit: float | None = None,
    numbers: bool | None = None,
    causal: bool = False,
    q_offset: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Bias of one head, queries down and keys across, on a scale symmetric about 0.

    Its color bar shows the lower half alone if no bias is above 0.

    Parameters
    ----------
    bias : float array of shape (q_len, k_len)
        What is added to the score of each query and key.
    limit : float, optional
        Bias at the ends of the color scale (default: the largest in size).
    numbers : bool, optional
        Write the values into the cells (default: up to 12 keys).
    causal : bool, default False
        Leave the cells of keys after the query empty: a causal mask hides them.
    q_offset : int, default 0
        Position of the first query; keys begin at 0.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    bias = np.asarray(bias)
    limit = float(np.abs(bias).max()) if limit is None else limit
    norm = mpl.colors.CenteredNorm(halfrange=max(limit, 1e-9))
    shades = mpl.colormaps[BIAS_COLORS](norm(bias))
    numbers = bias.shape[1] <= 12 if numbers is None else numbers
    text = np.where(bias == 0, "0", np.vectorize(signed)(bias)) if numbers else None
    if causal:
        after = _hide_keys_after_query(shades, q_offset)
        text = None if text is None else np.where(after, "", text)
    ax = draw_matrix(shades, text, q_offset=q_offset, ax=ax)
    scale = mpl.cm.ScalarMappable(norm, BIAS_COLORS)
    bar = ax.figure.colorbar(scale, ax=ax, shrink=0.8, label="bias")
    bar.outline.set_visible(False)
    if bias.min() < 0 >= bias.max():
        bar.ax.set_ylim(-limit, 0)
    return ax


def _hide_keys_after_query(
    shades: Any, q_offset: int
) -> Bool[np.ndarray, "q_len k_len"]:
    after = relative_positions(*shades.shape[:2], q_offset=q_offset) > 0
    shades[after] = mpl.colors.to_rgba(color("raised"))
    return after
