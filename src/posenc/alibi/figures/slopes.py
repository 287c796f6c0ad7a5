"""Slopes, bias and weights of a head; pictures of the opening and of the widget."""

from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc import t5
from posenc.alibi import alibi_bias, alibi_reach, alibi_slopes
from posenc.kit.figures.themes import choose, color, panels
from posenc.t5.figures import HEAD, bias_matrix, mpnet_bias

_REACH, _DEPTH = 18, 4.0  # tokens, and the lowest bias that is drawn
_HEADS = (1, 3, 5, 8)  # of 8
_STYLES = ("-", (0, (6, 2)), (0, (3, 2)), (0, (1, 1.5)))
_STRIP = 0.62  # height of a strip


def opening(ax: Axes | None = None) -> Axes:
    """Draw the bias of four heads, and the weight that each leaves to far keys.

    A cell's color is as strong as ``exp(bias)`` is large, the factor of the weight of
    that key.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.4, 4.9))[1]
    strips = len(_HEADS) * (_STRIP + 0.12)
    ax.set(xlim=(-_REACH - choose(4.7, 6.1), 1.3), ylim=(-_DEPTH - strips - 1.6, 0.75))
    ax.set_axis_off()
    offsets = np.arange(-_REACH, 1)
    left = -_REACH - choose(4.6, 6)
    slopes = alibi_slopes(8)
    _frame(ax)
    for head, style in zip(_HEADS, _STYLES, strict=True):
        slope = float(slopes[head - 1])
        end = -min(_REACH, _DEPTH / slope)
        line: dict[str, Any] = {"color": color("position"), "lw": 2.2, "ls": style}
        ax.plot([end, 0], [slope * end, 0], **line)
    for row, (head, style) in enumerate(zip(_HEADS, _STYLES, strict=True)):
        slope = float(slopes[head - 1])
        top = -_DEPTH - 0.75 - row * (_STRIP + 0.12)
        middle = top - _STRIP / 2
        sample = [left, left + 1.4]
        ax.plot(sample, [middle] * 2, c=color("position"), ls=style)
        words = f"1/{round(1 / slope)}"
        ax.text(-_REACH - 0.9, middle, words, ha="right", va="center", fontsize=11)
        _strip(ax, offsets, np.exp(slope * offsets), top)
    below = -_DEPTH - 1.0 - strips
    ax.text(0, below - 0.1, "query", ha="center", color=color("query"), fontsize=11.5)
    ax.text(-_REACH, below - 0.1, "← keys before it", color=color("key"), fontsize=11.5)
    return ax


def _frame(ax: Axes) -> None:
    """Draw the axis of the bias, and the words of the upper half."""
    ax.plot([-_REACH, 0], [0, 0], color=color("line"), lw=0.8)
    ax.plot([0, 0], [-_DEPTH, 0], color=color("line"), lw=0.8)
    for bias in range(0, -int(_DEPTH) - 1, -1):
        words = str(bias).replace("-", "−")
        ax.text(0.35, bias, words, color=color("muted"), va="center", fontsize=10)
    ax.text(-_REACH, 0.25, "added to the score", fontsize=11.5)
    ax.text(-_REACH - choose(4.6, 6), -_DEPTH - 0.45, "slope", fontsize=11, va="center")
    words = "what is left of the weight"
    ax.text(-_REACH - 0.4, -_DEPTH - 0.45, words, fontsize=11.5, va="center")


def _strip(ax: Axes, offsets: np.ndarray, factors: np.ndarray, top: float) -> None:
    """Draw one cell per key, its color as opaque as the factor is large."""
    for offset, factor in zip(offsets, factors, strict=True):
        corner = (offset - 0.46, top - _STRIP)
        shade: dict[str, Any] = {
            "fc": color("position"),
            "alpha": max(float(factor), 0.04),
        }
        ax.add_patch(Rectangle(corner, 0.92, _STRIP, ec="none", **shade))


#: Distance at which the last bucket of the learned bias begins.
LAST_BUCKET = int(t5.bucket_starts()[-1])

#: Shares of the weight whose reach is marked.
SHARES = (0.5, 0.9, 0.99)


class HeadView(NamedTuple):
    """Bias and weights of one query, by its own head and by MPNet's.

    `offsets` are the relative positions of its keys; the weights are the softmax of the
    biases alone, so all scores are taken to be equal.
    """

    offsets: Int[np.ndarray, " k_len"]
    bias: Float[np.ndarray, " k_len"]
    weights: Float[np.ndarray, " k_len"]
    t5_bias: Float[np.ndarray, " k_len"]
    t5_weights: Float[np.ndarray, " k_len"]


def head_view(
    num_heads: int, head: int, length: int, *, causal: bool = True
) -> HeadView:
    """Return biases and weights of the last query, or of that in the middle.

    Parameters
    ----------
    num_heads, head : int
        Heads in all, and the one to look at, counted from 1 as in the slopes.
    length : int
        Tokens of the sequence.
    causal : bool, default True
        True for the last query, which looks back, False for the middle one, which looks
        both ways, with -m |i - j|.
    """
    slope = float(alibi_slopes(num_heads)[head - 1])
    query = length - 1 if causal else length // 2
    offsets = np.arange(length) - query
    bias = -slope * np.abs(offsets)
    learned = learned_bias(offsets)
    return HeadView(offsets, bias, prior(bias), learned, prior(learned))


def learned_bias(
    relative_position: Int[np.ndarray, "..."],
) -> Float[np.ndarray, "..."]:
    """Return the bias of head 7 of MPNet, of T5's kind (`posenc.t5.figures.HEAD`).

    Parameters
    ----------
    relative_position : integer array
        Key minus query.
    """
    return mpnet_bias()[t5.relative_position_bucket(relative_position), HEAD]


def prior(bias: Float[np.ndarray, " k_len"]) -> Float[np.ndarray, " k_len"]:
    """Return a query's weights for equal scores, the softmax of the bias."""
    weights = np.exp(bias - bias.max())
    return weights / weights.sum()


def measured_reach(
    weights: Float[np.ndarray, " k_len"],
    offsets: Int[np.ndarray, " k_len"],
    share: float,
) -> int:
    """Return the smallest distance whose keys hold `share`, by adding weights up.

    Parameters
    ----------
    weights : float array of shape (k_len,)
        They sum to 1.
    offsets : integer array of shape (k_len,)
        Relative position of each.
    share : float
        Above 0 and below 1.
    """
    shares = np.bincount(np.abs(offsets), weights=weights).cumsum()
    return int(np.argmax(shares >= share))


def slope_dots(
    num_heads: int, *, head: int | None = None, ax: Axes | None = None
) -> Axes:
    """Draw each head's slope on a logarithmic axis; appended ones are diamonds.

    Parameters
    ----------
    num_heads : int
        Attention heads.
    head : int, optional
        Head with a ring around it, counted from 1.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw the distance within which each head has half, 90 % and 99 % of its weight.

    Parameters
    ----------
    num_heads : int, default 8
        Attention heads; past keys without end, and equal scores.
    ax : Axes, optional
        Axes to draw on (default: new).
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


#: Lowest bias that the widget draws: a factor of 1/3000.
DEEPEST = -8.0
_MATRIX = 12  # tokens of the heat map in the overview


def overview(
    *, num_heads: int = 8, head: int = 2, length: int = 64, causal: bool = True
) -> Figure:
    """Draw slopes, bias and weights of one head, the widget's still picture.

    Parameters
    ----------
    num_heads, head, length, causal
        As in `head_view`.
    """
    figure, axes = panels(2, 2, figsize=(9.2, 7.2), narrow_height=12)
    view = head_view(num_heads, head, length, causal=causal)
    slope_dots(num_heads, head=head, ax=axes[0])
    size = min(length, _MATRIX)
    bias = alibi_bias(num_heads, size, size, symmetric=not causal)[head - 1]
    bias_matrix(bias, limit=-DEEPEST, causal=causal, numbers=False, ax=axes[1])
    _curves(axes[2], view, view.bias, view.t5_bias, "bias")
    axes[2].set_ylim(
        max(DEEPEST, 1.05 * min(view.bias.min(), view.t5_bias.min())),
        0.6 + max(0.0, view.t5_bias.max()),
    )
    _curves(axes[3], view, view.weights, view.t5_weights, "weight, equal scores")
    for number, share in enumerate(SHARES):
        reach = measured_reach(view.weights, view.offsets, share)
        for end in (-reach,) if causal else (-reach, reach):
            axes[3].axvline(end, color=color("muted"), ls=":", lw=1)
        at: dict[str, Any] = {
            "transform": axes[3].get_xaxis_transform(),
            "fontsize": 9,
        }
        axes[3].text(
            -reach,
            choose(1.0, 1 + 0.07 * (number % 2)),
            f"{share:.0%}",
            ha="right",
            va="bottom",
            **at,
        )
    return figure


def _curves(ax: Axes, view: HeadView, line: Any, stairs: Any, words: str) -> None:
    ax.plot(view.offsets, line, color=color("position"), lw=2, label="ALiBi")
    style: dict[str, Any] = {
        "color": color("muted"),
        "ls": "--",
        "drawstyle": "steps-mid",
    }
    ax.plot(view.offsets, stairs, label="MPNet", **style)
    ax.set_xlabel("relative position (key − query)", color=color("position"))
    ax.set_ylabel(words)
    ax.legend(fontsize=9.5, loc="best")
