"""Weights and outputs of a sentence, before and after a shuffle."""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from posenc.kit.figures.themes import NARROW, choose

from .attended import attend, numbered, same_outputs
from .heat_maps import outputs, weights


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
        As in `attend`.
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
