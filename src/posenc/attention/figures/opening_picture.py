"""The picture that opens the first chapter: two orders of words, the same outputs."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color

from .attended import OUTPUT_COLORS, OUTPUT_LIMIT, attend

_CELL = 0.4  # width of one number of an output


_STEP = 2.0  # from word to word


def opening(*, ax: Axes | None = None) -> Axes:
    """Two orders of one sentence, their outputs, and lines between equal ones.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.7, 4.4))[1]
    order = [2, 1, 0]
    before, after = attend("dog bites man"), attend("dog bites man", order)
    ax.set(xlim=(-1.0, 5.0), ylim=(7.35, -0.35))
    ax.set_axis_off()
    for attended, word_y, box_y, output_y in (
        (before, 0.0, 1.0, 2.1),
        (after, 7.0, 6.0, 4.9),
    ):
        _attention(ax, box_y)
        for place, word in enumerate(attended.words):
            _word(ax, (place * _STEP, word_y), word)
            _output(ax, (place * _STEP, output_y), attended.outputs[place])
            down = 1 if word_y < box_y else -1
            for start, end in (
                (word_y + 0.3 * down, box_y - 0.36 * down),
                (box_y + 0.36 * down, output_y - 0.26 * down),
            ):
                _arrow(ax, (place * _STEP, start), (place * _STEP, end))
    for place, old in enumerate(order):
        same = np.allclose(before.outputs[old], after.outputs[place])
        line: dict[str, Any] = {"color": color("value"), "ls": "-" if same else ":"}
        ax.plot([old * _STEP, place * _STEP], [2.4, 4.6], lw=2, **line)
    words: dict[str, Any] = {"va": "center", "color": color("value"), "fontsize": 11}
    for x in (0.62, 3.38):
        ax.text(x, 3.5, "same", ha="center", **words)
    ax.text(4.95, 2.75, "outputs", ha="right", **words)
    return ax


def _word(ax: Axes, at: tuple[float, float], word: str) -> None:
    text = ax.text(*at, word, ha="center", va="center", fontsize=13, weight="bold")
    text.set_in_layout(False)


def _attention(ax: Axes, y: float) -> None:
    """Box that all words enter together."""
    look: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
    corner, size = (-0.85, y - 0.32), (5.7, 0.64)
    ax.add_patch(FancyBboxPatch(corner, *size, boxstyle="round,pad=0.02", **look))
    ax.text(2, y, "self-attention", ha="center", va="center", fontsize=11)


def _output(ax: Axes, at: tuple[float, float], numbers: Any) -> None:
    """Row of numbers, colored by value, around a place."""
    shades = mpl.colormaps[OUTPUT_COLORS]((numbers / OUTPUT_LIMIT + 1) / 2)
    for n, (number, shade) in enumerate(zip(numbers, shades, strict=True)):
        left = at[0] + (n - len(numbers) / 2) * _CELL
        edge: dict[str, Any] = {"ec": color("surface"), "lw": 0.8}
        ax.add_patch(Rectangle((left, at[1] - 0.22), _CELL, 0.44, fc=shade, **edge))
        ink = readable_ink(shade)
        label = ax.text(left + _CELL / 2, at[1], f"{number:.1f}", color=ink)
        label.set(ha="center", va="center_baseline", fontsize=9)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    look = {"arrowstyle": "->", "color": color("muted"), "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=look)
