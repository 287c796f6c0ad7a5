"""Sentences and masks before and after a shuffle."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Bool
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from posenc.attention import causal_mask
from posenc.core.arrays import relative_positions
from posenc.kit.figures.text import CENTERED, readable_ink
from posenc.kit.figures.themes import NARROW, choose, color

from .matrices import (
    OUTPUT_COLORS,
    OUTPUT_LIMIT,
    attend,
    numbered,
    outputs,
    same_outputs,
    weights,
)

_CELL = 0.4  # width of one number of an output
_STEP = 2.0  # from word to word


def opening(*, ax: Axes | None = None) -> Axes:
    """Draw two orders of one sentence, their outputs, and lines between equal ones.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw the box that all words enter together."""
    look: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
    corner, size = (-0.85, y - 0.32), (5.7, 0.64)
    ax.add_patch(FancyBboxPatch(corner, *size, boxstyle="round,pad=0.02", **look))
    ax.text(2, y, "self-attention", ha="center", va="center", fontsize=11)


def _output(ax: Axes, at: tuple[float, float], numbers: Any) -> None:
    """Draw a row of numbers, colored by value, around a place."""
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


def shuffle(
    sentence: str,
    order: Sequence[int],
    *,
    encoding: bool = False,
    causal: bool = False,
) -> Figure:
    """Draw a sentence's weights and outputs, and below them those of its shuffle.

    A check mark stands at words that kept their output, ``≠`` at the others.

    Parameters
    ----------
    sentence, order, encoding, causal
        As in `attend`.
    """
    before = attend(sentence, encoding=encoding, causal=causal)
    after = attend(sentence, order, encoding=encoding, causal=causal)
    same = same_outputs(before, after, order)
    names = numbered(before.words)
    shuffled = [names[n] for n in order]
    figure, axes = _places(len(names), max(map(len, names)))
    for (left, right), attended, own, marks, title in (
        (axes[0], before, names, None, "before"),
        (axes[1], after, shuffled, ["✓" if equal else "≠" for equal in same], "after"),
    ):
        weights(attended, names=own, ax=left)
        outputs(attended, names=[""] * len(names), marks=marks, ax=right)
        at: dict[str, Any] = {"fontsize": 12, "weight": "bold", "ha": "left"}
        left.text(-0.15, 1.12, title, transform=left.transAxes, **{**at, "ha": "right"})
    return figure


def _places(length: int, longest: int) -> tuple[Figure, Any]:
    """Return a figure with two rows of weights and outputs, in cells of one size."""
    width, margin, gap, mark, low = (
        choose(4.7, NARROW),
        choose(1.15, 1.05),
        0.3,
        0.3,
        0.15,
    )
    head = 0.45 + 0.075 * longest  # for the words above the columns
    cell = min(0.5, (width - margin - gap - mark) / (length + 4))
    height = 2 * (head + length * cell + low)
    figure = plt.figure(figsize=(width, height), layout="none")
    rows = []
    for row in (1, 0):
        bottom = row * height / 2 + low
        columns = ((margin, length), (margin + length * cell + gap, 4))
        rows.append(
            [
                figure.add_axes(
                    (
                        x / width,
                        bottom / height,
                        count * cell / width,
                        length * cell / height,
                    )
                )
                for x, count in columns
            ]
        )
    return figure, rows


_LENGTH = 5


def moved_masks() -> Figure:
    """Draw two masks, and beside each the same moved along with its words.

    The filled cells may be seen; ``≠`` stands in those that have changed.
    """
    near = abs(relative_positions(_LENGTH, _LENGTH)) <= 1
    masks = {"causal": causal_mask(_LENGTH, _LENGTH), "itself and both neighbors": near}
    figure, rows = plt.subplots(len(masks), 2, figsize=(4.7, 5.0))
    order = list(range(_LENGTH))[::-1]
    for (left, right), (name, mask) in zip(rows, masks.items(), strict=True):
        moved = mask[order][:, order]
        changed = moved != mask
        _cells(left, mask, np.zeros_like(mask), order[::-1])
        _cells(right, moved, changed, order)
        left.set_ylabel("query", color=color("query"))
        for ax, words in (
            (left, name),
            (right, f"{changed.sum()} cells differ" if changed.any() else "the same"),
        ):
            below: dict[str, Any] = {"transform": ax.transAxes, "va": "top"}
            ax.text(0.5, -0.03, words, ha="center", fontsize=11, **below)
    for ax, title in zip(rows[0], ("$M$", r"$P M P^\top$"), strict=True):
        ax.set_title(title)
        ax.set_xlabel("key", color=color("key"))
        ax.xaxis.set_label_position("top")
    return figure


def _cells(
    ax: Axes,
    mask: Bool[np.ndarray, "L L"],
    changed: Bool[np.ndarray, "L L"],
    names: Sequence[int],
) -> None:
    """Draw a mask's cells, a sign in some, and the words' numbers at the margins."""
    places = range(_LENGTH)
    ax.set(xlim=(-0.5, _LENGTH - 0.5), ylim=(_LENGTH - 0.5, -0.5), aspect="equal")
    fills = to_rgba(color("raised")), to_rgba(color("muted"))
    shades = np.asarray(fills)[mask.astype(int)]
    edges = np.arange(_LENGTH + 1) - 0.5
    look: dict[str, Any] = {"edgecolors": color("surface"), "linewidth": 1.5}
    ax.pcolormesh(edges, edges, shades, **look)
    for query, key in np.argwhere(changed):
        ink = readable_ink(shades[query, key])
        ax.text(key, query, "≠", color=ink, fontsize=11, **CENTERED)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.set_xticks(places, [str(n) for n in names])
    ax.set_yticks(places, [str(n) for n in names])
