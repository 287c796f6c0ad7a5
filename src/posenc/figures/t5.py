"""Figures of the chapter on T5: the matrix of buckets, the staircase, the bias."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc import t5
from posenc._arrays import relative_positions

from .matrix import draw_matrix, signed
from .t5_data import BIAS_COLORS, BUCKET_COLORS, bucket_steps
from .t5_opening import opening
from .themes import color

__all__ = ["bias_matrix", "bucket_matrix", "opening", "overview", "staircase"]


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

    Parameters
    ----------
    bias : float array of shape (q_len, k_len)
        What is added to the score of each query and key.
    limit : float, optional
        Bias at the ends of the color scale (default: the largest in size).
    numbers : bool, optional
        Write the values into the cells (default: up to 12 keys).
    causal : bool, default False
        Draw keys after the query pale: a causal mask hides them.
    q_offset : int, default 0
        Position of the first query; keys begin at 0.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    bias = np.asarray(bias)
    limit = float(np.abs(bias).max()) if limit is None else limit
    norm = mpl.colors.CenteredNorm(halfrange=max(limit, 1e-9))
    shades = mpl.colormaps[BIAS_COLORS](norm(bias))
    if causal:
        _hide_keys_after_query(shades, q_offset)
    numbers = bias.shape[1] <= 12 if numbers is None else numbers
    text = np.vectorize(signed)(bias) if numbers else None
    ax = draw_matrix(shades, text, q_offset=q_offset, ax=ax)
    scale = mpl.cm.ScalarMappable(norm, BIAS_COLORS)
    bar = ax.figure.colorbar(scale, ax=ax, shrink=0.8, label="bias")
    bar.outline.set_visible(False)
    return ax


def _hide_keys_after_query(shades: Any, q_offset: int) -> None:
    after = relative_positions(*shades.shape[:2], q_offset=q_offset) > 0
    shades[after] = mpl.colors.to_rgba(color("raised"))


def staircase(
    *,
    num_buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
    logarithmic: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Bucket against relative position: wide steps for far keys, narrow for near ones.

    A circle stands for a bucket that no relative position falls into, a diamond for the
    beginning of the last bucket, a dashed line for `max_distance`.

    Parameters
    ----------
    num_buckets, max_distance, bidirectional
        As in `posenc.t5.bucket_starts`.
    logarithmic : bool, default True
        Whether the axis is ``log2(1 + distance)`` in each direction, or linear.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots()[1] if ax is None else ax
    setting = {"num_buckets": num_buckets, "max_distance": max_distance}
    steps, empty = bucket_steps(**setting, bidirectional=bidirectional)
    limit = 1.6 * max_distance
    if logarithmic:
        ax.set_xscale("function", functions=(_compress, _stretch))
    ax.set(xlim=(-limit, limit if bidirectional else 0.6), ylim=(-1, num_buckets))
    exact = num_buckets // (4 if bidirectional else 2) - 0.5
    ax.axvspan(-exact, exact, fc=color("raised"), zorder=0, label="a bucket each")
    for bucket, first, last in steps:
        left, right = max(first - 0.5, -limit), min(last + 0.5, limit)
        shade = mpl.colormaps[BUCKET_COLORS](bucket / max(num_buckets - 1, 1))
        corner, width = (left, bucket - 0.46), right - left
        ax.add_patch(Rectangle(corner, width, 0.92, fc=shade, ec="none"))
    _mark_surprises(ax, steps, empty, max_distance, bidirectional)
    ax.yaxis.set_major_locator(mpl.ticker.MaxNLocator(9, integer=True))
    _relative_position_axis(ax, max_distance, bidirectional)
    ax.set_ylabel("bucket")
    return ax


def _mark_surprises(
    ax: Axes, steps: Any, empty: Any, max_distance: int, bidirectional: bool
) -> None:
    """Where the last bucket begins, the maximal distance, and the empty buckets."""
    begins = -steps[0][2]  # of the leftmost step; the right half mirrors it
    last = [(-begins + 0.5, steps[0][0])]
    if bidirectional:
        last.append((begins - 0.5, steps[-1][0]))
    # The left half ends below the legend if the right half has buckets of its own.
    for side, top in {-1: 0.55, 1: 1.0}.items() if bidirectional else [(-1, 1.0)]:
        line = ax.axvline(side * max_distance, ymax=top, color=color("muted"), ls="--")
    line.set_label(f"max distance {max_distance}")
    marker: dict[str, Any] = {"color": color("text"), "ls": "none", "ms": 5}
    ax.plot(*zip(*last, strict=True), "D", label=f"last begins at {begins}", **marker)
    if empty:
        buckets, edges = zip(*empty, strict=True)
        which = str(buckets[0]) if len(buckets) == 1 else f"{len(buckets)} buckets"
        ax.plot(edges, buckets, "o", mfc="none", label=f"never used: {which}", **marker)
    corner: Any = "upper left" if bidirectional else "upper right"
    legend = ax.legend(loc=corner, fontsize=9, handlelength=1.4)
    legend.get_patches()[0].set(edgecolor=color("line"), linewidth=0.6)


def _relative_position_axis(ax: Axes, max_distance: int, bidirectional: bool) -> None:
    """Ticks at powers of two, or of four where there are many."""
    ratio = 4 if max_distance > 16 else 2
    ticks = [ratio**i for i in range(8) if ratio**i * 2.5 < max_distance]
    if ax.get_xscale() == "linear":
        ticks = [max_distance // 2]
    ticks = [*ticks, max_distance]
    ax.set_xticks([-t for t in ticks[::-1]] + [0] + (ticks if bidirectional else []))
    ax.minorticks_off()
    ax.xaxis.set_major_formatter(lambda r, _: signed(r, 0) if r else "0")
    ax.set_xlabel("relative position (key − query)", color=color("position"))


def _compress(r: Any) -> Any:
    return np.sign(r) * np.log2(1 + np.abs(r))


def _stretch(x: Any) -> Any:
    return np.sign(x) * (2 ** np.abs(x) - 1)


def overview(
    *,
    q_len: int = 16,
    k_len: int = 16,
    num_buckets: int = 16,
    max_distance: int = 128,
    bidirectional: bool = True,
    bias: Float[np.ndarray, " {num_buckets}"] | None = None,
) -> Figure:
    """Table and staircase of one setting side by side: the widget as a still picture.

    Parameters
    ----------
    q_len, k_len : int
        Rows and columns of the table, in tokens.
    num_buckets, max_distance, bidirectional
        As in `posenc.t5.bucket_starts`.
    bias : float array of shape (num_buckets,), optional
        Scalar of each bucket; if given, the table shows it in place of the numbers.
    """
    setting: dict[str, Any] = {
        "num_buckets": num_buckets,
        "max_distance": max_distance,
        "bidirectional": bidirectional,
    }
    buckets = t5.relative_position_bucket(relative_positions(q_len, k_len), **setting)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.5), width_ratios=(11, 9))
    if bias is None:
        bucket_matrix(
            buckets, num_buckets=num_buckets, causal=not bidirectional, ax=left
        )
    else:
        limit = float(np.abs(bias).max())
        values = np.asarray(bias)[buckets]
        bias_matrix(values, limit=limit, causal=not bidirectional, ax=left)
    staircase(ax=right, **setting)
    return figure
