"""The bias table that MPNet learned, and its twelve heads as curves and strips."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc import t5
from posenc.core import data
from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import choose, color

BIAS_COLORS = "coolwarm"
#: The head that pictures of one head show.
HEAD = 7
#: Bias at the ends of the color scale, and the lowest that a curve shows.
_LIMIT, _FLOOR = 4.0, -11.6


def mpnet_bias() -> Float[np.ndarray, "32 12"]:
    """Return the table of MPNet: 32 buckets by 12 heads, both directions, up to 128.

    ``book/data/mpnet_bias.json`` has its origin and license.
    """
    return np.asarray(data.load("mpnet_bias")["bias"])


def mpnet_head(
    *,
    num_buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
    head: int = HEAD,
) -> Float[np.ndarray, " {num_buckets}"]:
    """Return the bias of each bucket of a setting, taken from a head of MPNet.

    A bucket has the bias that the head gives to its nearest distance. With MPNet's own
    setting, the default, that is the head's column of the table.

    Parameters
    ----------
    num_buckets, max_distance, bidirectional
        As in `posenc.t5.bucket_starts`.
    head : int, default `HEAD`
        Column of the table.

    Returns
    -------
    float64 array of shape (num_buckets,)
        The bias of an empty bucket is that of the distance where it would begin; the
        first bucket for keys after the query has that of MPNet's, which no pair uses.
    """
    column = mpnet_bias()[:, head]
    starts = t5.bucket_starts(
        num_buckets=num_buckets, max_distance=max_distance, bidirectional=bidirectional
    )
    before = column[t5.relative_position_bucket(-starts)]
    if not bidirectional:
        return before
    after = column[t5.relative_position_bucket(starts)]
    after[0] = column[len(column) // 2]
    return np.concatenate([before, after])


def trained_heads(
    table: Float[np.ndarray, "num_buckets num_heads"], *, columns: int = 2
) -> Figure:
    """One panel for each head: its bias as a curve, and as a strip of buckets.

    All buckets are equally wide, in the order of their relative positions. The bucket
    that no pair uses stands between the two directions.

    Parameters
    ----------
    table : array of shape (num_buckets, num_heads)
        A table for both directions, up to distance 128.
    columns : int, default 2
        Panels in a row; with two, a phone shows the labels large enough.
    """
    num_buckets, num_heads = table.shape
    half = num_buckets // 2
    order = [*range(half - 1, -1, -1), *range(half, num_buckets)]
    rows = -(-num_heads // columns)
    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=(2.3 * columns, 1.5 * rows + 0.5),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for head, ax in enumerate(axes.flat):
        if head < num_heads:
            _head(ax, table[order, head], half, f"head {head}")
        else:
            ax.set_axis_off()
    starts = t5.bucket_starts(num_buckets=num_buckets)
    shown = (half // 2, half - 1)  # the first bucket of several distances, and the last
    ticks = [half - 1 - bucket for bucket in shown] + [
        half + bucket for bucket in shown
    ]
    words = [signed_offset(sign * starts[b]) for sign in (-1, 1) for b in shown]
    for ax in axes[-1]:
        ax.set_xticks([half - 1, *ticks], ["0", *words], fontsize=9.5)
    figure.set_layout_engine("constrained", wspace=choose(0.02, 0.12))
    figure.supxlabel("relative position at which a bucket begins", fontsize=11)
    figure.supylabel("learned bias", fontsize=11)
    return figure


def _head(
    ax: Axes, bias: Float[np.ndarray, " num_buckets"], half: int, name: str
) -> None:
    """Draw the curve of a head above its strip, with the unused bucket marked."""
    x = np.arange(len(bias))
    ax.axhline(0, color=color("line"), lw=0.8)
    ax.axvline(half - 1, color=color("query"), lw=1, ls=":")
    for part in (x < half, x > half):
        style: dict[str, Any] = {"color": color("position"), "lw": 1.6}
        ax.plot(x[part], bias[part], marker="o", ms=2.2, **style)
    ax.plot(half, bias[half], "o", ms=4.5, mfc="none", color=color("text"))
    norm = mpl.colors.Normalize(-_LIMIT, _LIMIT)
    bottom, height = _FLOOR - 3.0, 2.4
    for place, value in enumerate(bias):
        shade = mpl.colormaps[BIAS_COLORS](norm(value))
        edge: dict[str, Any] = {"ec": color("text"), "lw": 0.9, "zorder": 4}
        ax.add_patch(
            Rectangle(
                (place - 0.5, bottom),
                1,
                height,
                fc=shade,
                **(edge if place == half else {"ec": "none", "zorder": 3}),
            )
        )
    ax.set_title(name, fontsize=11, pad=3)
    ax.set(xlim=(-0.7, len(bias) - 0.3), ylim=(bottom - 0.2, 4.2))
    ax.set_yticks([-9, -6, -3, 0, 3])
    ax.tick_params(labelsize=9.5)
