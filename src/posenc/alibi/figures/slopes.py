"""Slope of each head of ALiBi, and how far its weight reaches."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.alibi import alibi_reach, alibi_slopes
from posenc.kit.figures.themes import choose, color

from .head_weights import SHARES


def slope_dots(
    num_heads: int, *, head: int | None = None, ax: Axes | None = None
) -> Axes:
    """Slope of each head on a logarithmic axis; appended ones are diamonds.

    Parameters
    ----------
    num_heads : int
        Attention heads.
    head : int, optional
        Head with a ring around it, counted from 1.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.4, 3.2))[1]
    slopes = alibi_slopes(num_heads)
    power = 1 << (num_heads.bit_length() - 1)
    heads = np.arange(1, num_heads + 1)
    first, added = heads <= power, heads > power
    shade = color("position")
    ax.plot(heads[first], slopes[first], "o", color=shade, label=f"{power} heads")
    if added.any():
        words = f"every other slope of {2 * power}"
        empty: dict[str, Any] = {"mfc": color("surface"), "color": color("key")}
        ax.plot(heads[added], slopes[added], "D", label=words, **empty)
        above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
        ax.legend(fontsize=9.5, **choose({"loc": "lower left"}, above))
    if head is not None:
        ring: dict[str, Any] = {"mfc": "none", "color": color("text"), "ms": 12}
        ax.plot(head, slopes[head - 1], "o", **ring)
    ax.set(xlabel="head", ylabel="slope", yscale="log", ylim=(2**-8.8, 1.3))
    ax.set_xlim(0.3, num_heads + 0.7)
    ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    ax.set_yticks([2.0**-n for n in (8, 6, 4, 2, 0)])
    ax.set_yticklabels(["1/256", "1/64", "1/16", "1/4", "1"])
    ax.minorticks_off()
    ax.grid(visible=True, axis="y")
    return ax


def reaches(num_heads: int = 8, *, ax: Axes | None = None) -> Axes:
    """Distance within which each head has half, 90 % and 99 % of its weight.

    Parameters
    ----------
    num_heads : int, default 8
        Attention heads; past keys without end, and equal scores.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, 3.6))[1]
    slopes = alibi_slopes(num_heads).tolist()
    heads = list(range(1, num_heads + 1))
    for share, alpha in zip(SHARES[::-1], (0.3, 0.6, 1.0), strict=True):
        ends = [alibi_reach(slope, share) + 1 for slope in slopes]
        bar: dict[str, Any] = {
            "color": color("position"),
            "alpha": alpha,
            "height": 0.66,
        }
        ax.barh(heads, np.asarray(ends) - 0.7, left=0.7, label=f"{share:.0%}", **bar)
        for head, end in zip(heads, ends, strict=True):
            if share == SHARES[-1]:
                ax.text(end * 1.08, head, f"{end - 1:,}", va="center", fontsize=10)
    ax.set(xscale="log", xlim=(0.7, 4000), ylim=(num_heads + 0.6, 0.4), ylabel="head")
    ticks = [1, 10, 100, 1000]
    ax.set_xticks([tick + 1 for tick in ticks], labels=[f"{t:,}" for t in ticks])
    ax.minorticks_off()
    ax.set_xlabel("distance (tokens)", color=color("position"))
    ax.set_yticks(heads)
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(handles[::-1], labels[::-1], title="of the weight", loc="upper right")
    return ax
