"""Figures of the first chapter: attention as products, before and after a shuffle."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Arc, FancyBboxPatch

from posenc import running_example as example
from posenc.attention import attention_weights

from .attention_data import (
    OUTPUT_COLORS,
    OUTPUT_LIMIT,
    WEIGHT_COLORS,
    Attended,
    attend,
    numbered,
    same_outputs,
)
from .attention_map import encodings_map
from .attention_opening import opening
from .matrix import draw_matrix, readable_ink
from .themes import color

__all__ = ["encodings_map", "opening", "outputs", "paths", "products", "shuffle"]
__all__ += ["weights"]


def weights(
    attended: Attended, *, names: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Attention weights as a heat map, queries down and keys across.

    Parameters
    ----------
    attended : Attended
        What to draw.
    names : sequence of str, optional
        Names of the words (default: the words, numbered where they repeat).
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    names = numbered(attended.words) if names is None else names
    shades = mpl.colormaps[WEIGHT_COLORS](attended.weights)
    text = np.vectorize(_short)(attended.weights)
    ax = draw_matrix(shades, text, ax=ax)
    ax.set_xticks(range(len(names)), names, rotation=60, ha="left")
    ax.set_yticks(range(len(names)), names)
    return ax


def outputs(
    attended: Attended,
    *,
    names: Sequence[str] | None = None,
    marks: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Output of each word as a row of four numbers.

    Parameters
    ----------
    attended, names, ax
        As in `weights`.
    marks : sequence of str, optional
        What to write to the right of each row.
    """
    rows = attended.outputs
    names = numbered(attended.words) if names is None else names
    text = np.vectorize(_short)(rows)
    # No diagonal is marked: the columns are features, and none belongs to a place.
    ax = draw_matrix(_output_shades(rows), text, q_offset=rows.size, ax=ax)
    ax.set_xticks(range(rows.shape[1]))
    ax.set_xlabel("output", color=color("value"))
    ax.set_yticks(range(len(names)), names)
    ax.set_ylabel("")
    for place, mark in enumerate(marks or ()):
        at: dict[str, Any] = {"va": "center", "fontsize": 11, "clip_on": False}
        ax.text(rows.shape[1] - 0.3, place, mark, **at)
    return ax


def shuffle(
    sentence: str,
    order: Sequence[int],
    *,
    encoding: bool = False,
    causal: bool = False,
) -> Figure:
    """Weights and outputs of a sentence, and below them those of its words shuffled.

    A check mark says that the word kept its output, ``≠`` that it did not.

    Parameters
    ----------
    sentence, order, encoding, causal
        As in `attention_data.attend`.
    """
    before = attend(sentence, encoding=encoding, causal=causal)
    after = attend(sentence, order, encoding=encoding, causal=causal)
    kept = same_outputs(before, after, order)
    names = numbered(before.words)
    shuffled = [names[n] for n in order]
    figure, axes = _places(len(names), max(map(len, names)))
    for (left, right), attended, own, marks, title in (
        (axes[0], before, names, None, "before"),
        (axes[1], after, shuffled, ["✓" if same else "≠" for same in kept], "after"),
    ):
        weights(attended, names=own, ax=left)
        outputs(attended, names=[""] * len(names), marks=marks, ax=right)
        at: dict[str, Any] = {"fontsize": 12, "weight": "bold", "ha": "left"}
        left.text(-0.15, 1.12, title, transform=left.transAxes, **{**at, "ha": "right"})
    return figure


def _places(length: int, longest: int) -> tuple[Figure, Any]:
    """Figure with two rows of weights and outputs; cells of one size, in inches."""
    width, margin, gap, mark, low = 4.7, 1.15, 0.3, 0.3, 0.15
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


def products(*, ax: Axes | None = None) -> Axes:
    """The matrices of the running example: Q, K, scores; weights, V, outputs.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.7, 3.9))[1]
    scores = example.Q @ example.K.T / 2
    mixed = attention_weights(example.Q, example.K)
    plain, table = mpl.colormaps["Greys"], mpl.colormaps[WEIGHT_COLORS]

    def soft(numbers: Any) -> Any:
        return plain(0.1 + 0.1 * numbers)

    top, bottom = 1.0, 7.0
    _block(ax, (0, top), example.Q, soft(example.Q), "$Q$", "query")
    _sign(ax, (4.5, top + 1.5), "×")
    _block(ax, (5, top - 0.5), example.K.T, soft(example.K.T), "$K^\\top$", "key")
    _sign(ax, (8.75, top + 1.5), "/ 2 =")
    _block(ax, (9.5, top), scores, soft(scores), "scores $S$", "text")
    _block(ax, (0, bottom), mixed, table(mixed), "weights $A$", "text")
    _sign(ax, (3.5, bottom + 1.5), "×")
    _block(ax, (4, bottom), example.V, soft(example.V), "$V$", "value")
    _sign(ax, (8.4, bottom + 1.5), "=")
    result = mixed @ example.V
    _block(ax, (8.8, bottom), result, _output_shades(result), "outputs $Z$", "value")
    look: dict[str, Any] = {"arrowstyle": "->", "color": color("muted"), "lw": 1.5}
    bend = {**look, "connectionstyle": "angle,angleA=-90,angleB=180,rad=8"}
    ax.annotate("", (1.5, bottom - 1.15), (11, top + 3.2), arrowprops=bend)
    words: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    ax.text(6.2, bottom - 1.65, "softmax of each row", **words)
    ax.set(xlim=(-0.1, 12.9), ylim=(10.1, -0.7), aspect="equal")
    ax.set_axis_off()
    return ax


def paths(*, ax: Axes | None = None) -> Axes:
    """Steps from the first word to the last: one by one in an RNN, one in attention.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.7, 2.8))[1]
    words = ["I", "am", "going", "to", "eat"]
    ax.set(xlim=(-0.6, 4.6), ylim=(-0.4, 2.75))
    ax.set_axis_off()
    for y, top, name in (
        (1.95, 2.5, "recurrent network: 4 steps"),
        (0.0, 1.25, "attention: 1 step"),
    ):
        for x, word in enumerate(words):
            _word_box(ax, (x, y), word, ends=x in (0, 4))
        ax.text(-0.4, top, name, fontsize=11.5, va="center")
    arrow: dict[str, Any] = {"arrowstyle": "-|>", "lw": 2, "shrinkA": 0, "shrinkB": 0}
    for x in range(4):
        look = {**arrow, "color": color("query")}
        ax.annotate("", (x + 0.62, 1.95), (x + 0.4, 1.95), arrowprops=look)
    for x in range(4):
        reach, middle = 4 - x, ((x + 4) / 2, 0.27)
        arc = Arc(middle, reach, 0.38 * reach, theta1=0, theta2=180)
        arc.set(color=color("line" if x else "query"), lw=0.9 if x else 2.2)
        ax.add_patch(arc)
    return ax


def _block(
    ax: Axes,
    corner: tuple[float, float],
    numbers: Any,
    shades: Any,
    name: str,
    role: str,
) -> None:
    """Cells of a matrix with their numbers, and its name above."""
    rows, columns = numbers.shape
    x, y = corner
    edges = x + np.arange(columns + 1), y + np.arange(rows + 1)
    gap: dict[str, Any] = {"edgecolors": color("surface"), "linewidth": 1}
    ax.pcolormesh(*edges, shades, **gap)
    for (i, j), number in np.ndenumerate(numbers):
        label = ax.text(x + j + 0.5, y + i + 0.5, _short(number), fontsize=9.5)
        label.set(ha="center", va="center_baseline")
        label.set_color(readable_ink(shades[i, j]))
    at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 12}
    ax.text(x + columns / 2, y - 0.5, name, color=color(role), **at)


def _sign(ax: Axes, at: tuple[float, float], sign: str) -> None:
    ax.text(*at, sign, ha="center", va="center", fontsize=11)


def _word_box(ax: Axes, at: tuple[float, float], word: str, *, ends: bool) -> None:
    x, y = at
    look: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
    if ends:
        look |= {"ec": color("query"), "lw": 2}
    box = FancyBboxPatch((x - 0.36, y - 0.22), 0.72, 0.44, **look)
    box.set_boxstyle("round", pad=0.02)
    ax.add_patch(box)
    ax.text(x, y, word, ha="center", va="center_baseline", fontsize=11)


def _output_shades(rows: Float[np.ndarray, "L d"]) -> Any:
    return mpl.colormaps[OUTPUT_COLORS]((rows / OUTPUT_LIMIT + 1) / 2)


def _short(number: float) -> str:
    """Few characters: 0.98 as ``.98``, 1.97 as ``2.0``; whole numbers as they are."""
    if number == round(number):
        return f"{number:.0f}"
    if abs(number) < 0.995:
        return f"{number:.2f}".replace("0.", ".").replace("-", "−")
    return f"{number:.1f}".replace("-", "−")
