"""The running example, moved along a text, and its scores by several methods."""

import dataclasses
import functools
from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc import alibi, rope, sinusoidal, t5
from posenc.kit.figures.text import CENTERED
from posenc.kit.figures.themes import choose, color

from .examples import EXAMPLES, Example
from .matrices_of_methods import matrix
from .scores import TITLES, Matrix, of_inputs

#: The methods, in the book's order, and how each of them brings position in.
KINDS = {
    "sinusoidal": "addition",
    "t5": "bias",
    "alibi": "bias",
    "rope": "rotation",
}

LAST_POSITION = 20


LARGEST_SHIFT = LAST_POSITION - 2


_RUNNING = EXAMPLES["dog bites man"]


def sentence(*, swapped: bool = False) -> tuple[str, ...]:
    """Return the three words in the order of the text."""
    return _RUNNING.words[::-1] if swapped else _RUNNING.words


def _example(*, swapped: bool) -> Example:
    if not swapped:
        return _RUNNING
    return dataclasses.replace(
        _RUNNING, words=sentence(swapped=True), x=_RUNNING.x[::-1]
    )


def shifted_scores(method: str, shift: int, *, swapped: bool = False) -> Matrix:
    """Return scores of the three words when they stand at shift to shift + 2.

    Parameters
    ----------
    method : str
        One of `KINDS`.
    shift : int
        Position of the first word.
    swapped : bool, default False
        True if *dog* and *man* have changed places.
    """
    e, length = _example(swapped=swapped), shift + 3
    positions, d = np.arange(float(shift), length), _RUNNING.x.shape[-1]
    if method == "sinusoidal":
        return of_inputs(e, e.x + sinusoidal.sinusoidal_encoding(positions, d))
    if method == "rope":
        angles = rope.rotary_angles(positions, d)
        q, k = (rope.apply_rotary(rows, angles) for rows in (e.q, e.k))
        return q @ k.T / e.root
    if method == "t5":
        bias = t5.relative_position_bias(
            e.learned["buckets"], length, length, max_distance=e.max_distance
        )[0]
    else:  # a single head has slope 1/256, and the bias is proportional to the slope
        bias = alibi.alibi_bias(1, length, length, symmetric=True)[0] * 256 * e.slope
    return of_inputs(e, e.x) + bias[shift:, shift:]


def bias_of_offsets(method: str) -> list[float]:
    """Return the bias for a key 2 before the query, 1 before, at it, 1 or 2 after."""
    bias = shifted_scores(method, 0) - of_inputs(_RUNNING, _RUNNING.x)
    return [float(bias[max(-o, 0), max(o, 0)]) for o in range(-2, 3)]


@functools.cache
def shifted_limit() -> float:
    """Return the end of the color scale, which holds every score of every setting."""
    highest = max(
        np.abs(shifted_scores(method, shift, swapped=swapped)).max()
        for method in KINDS
        for shift in range(LARGEST_SHIFT + 1)
        for swapped in (False, True)
    )
    return float(np.ceil(2 * highest) / 2)


def shifted(
    shift: int = 0,
    *,
    swapped: bool = False,
    methods: Sequence[str] = ("sinusoidal", "t5", "rope"),
) -> Figure:
    """Draw the sentence on a ruler of positions, and the scores of each method below.

    Parameters
    ----------
    shift, swapped
        As in `shifted_scores`.
    methods : sequence of str
        Some of `KINDS`.
    """
    figure = plt.figure(figsize=(7, choose(3.1, 1.1 + 2.6 * len(methods))))
    ratios = (1, choose(2.4, 2.4 * len(methods)))
    above, below = figure.subfigures(2, 1, height_ratios=ratios)
    _ruler(above.subplots(), shift, sentence(swapped=swapped))
    limit = shifted_limit()
    axes = below.subplots(*choose((1, len(methods)), (len(methods), 1)), squeeze=False)
    for method, ax in zip(methods, axes.flat, strict=True):
        values = shifted_scores(method, shift, swapped=swapped)
        _scores(ax, values, limit, sentence(swapped=swapped))
        ax.set_title(f"{KINDS[method]}: {TITLES[method]}", fontsize=10)
    return figure


def _ruler(ax: Axes, shift: int, words: Sequence[str]) -> None:
    ax.set(xlim=(-1, LAST_POSITION + 1), ylim=(-0.9, 1.6))
    ax.axis("off")
    ax.plot([0, LAST_POSITION], [0, 0], color=color("line"))
    for position in range(LAST_POSITION + 1):
        here = shift <= position <= shift + 2
        ink = color("position" if here else "muted")
        ax.plot([position] * 2, [0, 0.15], color=ink)
        if choose(True, position % 4 == 0):
            ax.text(position, -0.5, str(position), color=ink, fontsize=9, **CENTERED)
    edge, apart = choose((2.2, 1.9), (4, 3.2))
    middle = min(max(shift + 1, edge), LAST_POSITION - edge)
    for i, word in enumerate(words):
        x = middle + apart * (i - 1)
        ax.plot([x, shift + i], [0.65, 0.15], color=color("position"), lw=1)
        ax.text(x, 1, word, color=color("text"), fontsize=11, **CENTERED)


def _scores(ax: Axes, values: Matrix, limit: float, words: Sequence[str]) -> None:
    matrix(values, "scores", (-limit, limit), ax=ax)
    for text, value in zip(ax.texts, values.ravel(), strict=True):
        text.set_text(f"{value + 0.0:.2f}".replace("-", "−"))
    ax.set_xticks(range(3), words)
    ax.set_yticks(range(3), words)
    ax.tick_params(length=0, labelsize=9)
    ax.tick_params(axis="x", top=True, bottom=False, labeltop=True, labelbottom=False)
    ax.tick_params(axis="x", labelcolor=color("key"))
    ax.tick_params(axis="y", labelcolor=color("query"))
