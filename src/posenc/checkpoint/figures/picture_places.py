"""Positions of text and a picture on three axes, as a table of numbers."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.kit.figures.themes import color

_AXES = ("time", "row", "column")


def places_of(before: int, rows: int, columns: int, after: int) -> np.ndarray:
    """Positions (3, tokens) of a picture between two texts, as Qwen2-VL counts them."""
    text = np.arange(before)
    row, column = np.indices((rows, columns)).reshape(2, -1)
    patches = before + np.stack([0 * row, row, column])
    rest = before + max(rows, columns) + np.arange(after)
    return np.concatenate([[text] * 3, patches, [rest] * 3], axis=1)


def places(ax: Axes | None = None) -> Axes:
    """Two tokens of text, a picture of 2 × 3 patches, and two tokens of text.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 2.0))[1]  # narrow: a phone shows it large
    before, rows, columns, after = 2, 2, 3, 2
    table = places_of(before, rows, columns, after)
    patches = rows * columns
    for line, numbers in enumerate(table):
        for place, number in enumerate(numbers):
            picture = before <= place < before + patches
            fill = color("raised") if picture else "none"
            box = Rectangle(
                (place - 0.47, line - 0.44), 0.94, 0.88, fc=fill, ec=color("line")
            )
            ax.add_patch(box)
            shade = "position" if picture else "text"
            ax.text(
                place, line, str(number), ha="center", va="center", color=color(shade)
            )
    first = 0
    for name, count in (("text", before), ("patches", patches), ("text", after)):
        middle = first + (count - 1) / 2
        ax.text(middle, -0.75, name, ha="center", va="center", fontsize=10)
        first += count
    ax.set_yticks(range(3), labels=_AXES)
    ax.set(xlim=(-0.6, first - 0.4), ylim=(2.6, -1.1))
    ax.set_xticks([])
    ax.spines[:].set_visible(False)
    ax.tick_params(left=False)
    return ax
