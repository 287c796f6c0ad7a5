"""The picture that opens the chapter on ALiBi: straight lines, and what they leave."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.alibi import alibi_slopes
from posenc.kit.figures.themes import choose, color

_REACH, _DEPTH = 18, 4.0  # tokens, and the lowest bias that is drawn


_HEADS = (1, 3, 5, 8)  # of 8


_STYLES = ("-", (0, (6, 2)), (0, (3, 2)), (0, (1, 1.5)))


_STRIP = 0.62  # height of a strip


def opening(ax: Axes | None = None) -> Axes:
    """Bias of four heads as lines, and the weight that each leaves to far keys.

    The stronger a cell's color, the larger ``exp(bias)``: the factor by which the
    weight of that key is multiplied.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
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
    """Axis of the bias, and the words of the upper half."""
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
    """One cell per key, its color as opaque as the factor is large."""
    for offset, factor in zip(offsets, factors, strict=True):
        corner = (offset - 0.46, top - _STRIP)
        shade: dict[str, Any] = {
            "fc": color("position"),
            "alpha": max(float(factor), 0.04),
        }
        ax.add_patch(Rectangle(corner, 0.92, _STRIP, ec="none", **shade))
