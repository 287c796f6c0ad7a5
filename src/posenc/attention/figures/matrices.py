"""Attention as products of matrices: the words' weights and outputs, as heat maps."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Bool, Float
from matplotlib.axes import Axes

from posenc.attention import attention_weights, causal_mask
from posenc.core import running_example as example
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color
from posenc.sinusoidal import sinusoidal_table

#: matplotlib's color tables for weights (0 … 1) and for outputs (-3 … 3).
WEIGHT_COLORS = "viridis"
OUTPUT_COLORS = "coolwarm"
OUTPUT_LIMIT = 3.0


#: Sentences to shuffle; in the second and the fourth a word occurs twice.
SENTENCES = (
    "dog bites man",
    "I think therefore I am",
    "I am going to eat",
    "the cat sees the dog",
)


#: Embedding of each word: shape (4,).
WORDS: dict[str, Float[np.ndarray, "4"]] = {
    **dict(zip(example.TOKENS, example.X, strict=True)),
    "I": np.asarray([2.0, 0.0, 1.0, 0.0]),
    "think": np.asarray([0.0, 2.0, 0.0, 1.0]),
    "therefore": np.asarray([1.0, 0.0, 0.0, 2.0]),
    "am": np.asarray([0.0, 1.0, 2.0, 0.0]),
    "going": np.asarray([1.0, 2.0, 0.0, 0.0]),
    "to": np.asarray([0.0, 0.0, 1.0, 1.0]),
    "eat": np.asarray([2.0, 0.0, 0.0, 1.0]),
    "the": np.asarray([1.0, 0.0, 0.0, 1.0]),
    "cat": np.asarray([0.0, 2.0, 1.0, 0.0]),
    "sees": np.asarray([2.0, 1.0, 0.0, 0.0]),
}


#: The longest sentence.
MAX_LENGTH = max(len(sentence.split()) for sentence in SENTENCES)


class Attended(NamedTuple):
    """Attention over one order of a sentence.

    Parameters
    ----------
    words : list of str
        Words in this order.
    weights : float array of shape (L, L)
        Queries down, keys across.
    outputs : float array of shape (L, 4)
        One row per word.
    """

    words: list[str]
    weights: Float[np.ndarray, "L L"]
    outputs: Float[np.ndarray, "L 4"]


def attend(
    sentence: str,
    order: Sequence[int] | None = None,
    *,
    encoding: bool = False,
    causal: bool = False,
) -> Attended:
    """Apply self-attention of the running example to a sentence, in another order.

    Parameters
    ----------
    sentence : str
        Words out of `WORDS`, with spaces between them.
    order : sequence of int, optional
        Word of the sentence at each place (default: as it is written).
    encoding : bool, default False
        Add the sinusoidal encoding of the place to each word.
    causal : bool, default False
        Hide the words after the query.
    """
    words = sentence.split()
    words = [words[n] for n in (range(len(words)) if order is None else order)]
    x = np.stack([WORDS[word] for word in words])
    if encoding:
        x = x + sinusoidal_table(len(words), 4)
    mask = causal_mask(len(words), len(words)) if causal else None
    q, k, v = x @ example.W_Q, x @ example.W_K, x @ example.W_V
    weights = attention_weights(q, k, mask=mask)
    return Attended(words, weights, weights @ v)


def same_outputs(
    before: Attended, after: Attended, order: Sequence[int]
) -> Bool[np.ndarray, " L"]:
    """Return, for each place, True if its word has kept its output in the shuffle."""
    return np.isclose(after.outputs, before.outputs[list(order)]).all(axis=-1)


def numbered(words: Sequence[str]) -> list[str]:
    """Return the words, with a small number where the same one occurs again.

    Examples
    --------
    >>> numbered(["I", "think", "therefore", "I", "am"])
    ['I₁', 'think', 'therefore', 'I₂', 'am']
    """
    names, seen = [], dict.fromkeys(words, 0)
    for word in words:
        seen[word] += 1
        again = list(words).count(word) > 1
        names.append(word + "₀₁₂₃₄₅₆₇₈₉"[seen[word]] if again else word)
    return names


def score_tables() -> dict[str, Any]:
    """Return tables from which every score and output can be added up.

    With a word x and the encoding p of its place, the score is
    (x + p) W_Q · (y + r) W_K / 2: a sum of four numbers, each found in a table. The
    value (x + p) W_V is a sum of two rows.

    Returns
    -------
    dict
        ``"words"``: the vocabulary; ``"content"`` (V, V), ``"content_position"``
        (V, L), ``"position_content"`` (L, V), ``"position"`` (L, L): scores, queries
        down and keys across, scaled; ``"word_values"`` (V, 4) and
        ``"position_values"`` (L, 4).
    """
    names = list(WORDS)
    x, p = np.stack(list(WORDS.values())), sinusoidal_table(MAX_LENGTH, 4)
    scores = {
        f"{query}_{key}": rows @ example.W_Q @ (columns @ example.W_K).T / 2
        for query, rows in (("content", x), ("position", p))
        for key, columns in (("content", x), ("position", p))
    }
    tables = {
        "content": scores["content_content"],
        "content_position": scores["content_position"],
        "position_content": scores["position_content"],
        "position": scores["position_position"],
        "word_values": x @ example.W_V,
        "position_values": p @ example.W_V,
    }
    rounded = {name: table.round(9).tolist() for name, table in tables.items()}
    return {"words": names, **rounded}


def weights(
    attended: Attended, *, names: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw attention weights as a heat map, queries down and keys across.

    Parameters
    ----------
    attended : Attended
        Attention to draw.
    names : sequence of str, optional
        Names of the words (default: the words, numbered where they repeat).
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    names = numbered(attended.words) if names is None else names
    shades = mpl.colormaps[WEIGHT_COLORS](attended.weights)
    text = np.vectorize(short)(attended.weights)
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
    """Draw the output of each word as a row of four numbers.

    Parameters
    ----------
    attended, names, ax
        As in `weights`.
    marks : sequence of str, optional
        Marks to the right of each row.
    """
    rows = attended.outputs
    names = numbered(attended.words) if names is None else names
    text = np.vectorize(short)(rows)
    # No diagonal is marked: the columns are features, and none belongs to a place.
    ax = draw_matrix(output_shades(rows), text, q_offset=rows.size, ax=ax)
    ax.set_xticks(range(rows.shape[1]))
    ax.set_xlabel("output", color=color("value"))
    ax.set_yticks(range(len(names)), names)
    ax.set_ylabel("")
    for place, mark in enumerate(marks or ()):
        at: dict[str, Any] = {"va": "center", "fontsize": 11, "clip_on": False}
        ax.text(rows.shape[1] - 0.3, place, mark, **at)
    return ax


def output_shades(rows: Float[np.ndarray, "L d"]) -> Any:
    """Return the color of each number of an output, by its size and sign."""
    return mpl.colormaps[OUTPUT_COLORS]((rows / OUTPUT_LIMIT + 1) / 2)


def short(number: float) -> str:
    """Shorten 0.98 to ``.98`` and 1.97 to ``2.0``; keep whole numbers."""
    if number == round(number):
        return f"{number:.0f}"
    if abs(number) < 0.995:
        return f"{number:.2f}".replace("0.", ".").replace("-", "−")
    return f"{number:.1f}".replace("-", "−")


def products(*, ax: Axes | None = None) -> Axes:
    """Draw the matrices of the running example: Q, K, scores; weights, V, outputs.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 3.9))[1]
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
    _block(ax, (8.8, bottom), result, output_shades(result), "outputs $Z$", "value")
    look: dict[str, Any] = {"arrowstyle": "->", "color": color("muted"), "lw": 1.5}
    bend = {**look, "connectionstyle": "angle,angleA=-90,angleB=180,rad=8"}
    ax.annotate("", (1.5, bottom - 1.15), (11, top + 3.2), arrowprops=bend)
    words: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    ax.text(6.2, bottom - 1.65, "softmax of each row", **words)
    for row, token in enumerate(example.TOKENS):
        for y in (top, bottom):
            ax.text(-0.2, y + row + 0.5, token, ha="right", va="center_baseline")
    ax.set(xlim=(-1.7, 12.9), ylim=(10.1, -0.7), aspect="equal")
    ax.set_axis_off()
    return ax


def _block(
    ax: Axes,
    corner: tuple[float, float],
    numbers: Any,
    shades: Any,
    name: str,
    role: str,
) -> None:
    """Draw the cells of a matrix with their numbers, and its name above."""
    rows, columns = numbers.shape
    x, y = corner
    edges = x + np.arange(columns + 1), y + np.arange(rows + 1)
    gap: dict[str, Any] = {"edgecolors": color("surface"), "linewidth": 1}
    ax.pcolormesh(*edges, shades, **gap)
    for (i, j), number in np.ndenumerate(numbers):
        label = ax.text(x + j + 0.5, y + i + 0.5, short(number), fontsize=9.5)
        label.set(ha="center", va="center_baseline")
        label.set_color(readable_ink(shades[i, j]))
    at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 12}
    ax.text(x + columns / 2, y - 0.5, name, color=color(role), **at)


def _sign(ax: Axes, at: tuple[float, float], sign: str) -> None:
    ax.text(*at, sign, ha="center", va="center", fontsize=11)
