"""Heat maps of attention: the weights, and the outputs that they mix."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.themes import color

from .attended import OUTPUT_COLORS, OUTPUT_LIMIT, WEIGHT_COLORS, Attended, numbered


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
    """Color of each number of an output, by its size and sign."""
    return mpl.colormaps[OUTPUT_COLORS]((rows / OUTPUT_LIMIT + 1) / 2)


def short(number: float) -> str:
    """Few characters: 0.98 as ``.98``, 1.97 as ``2.0``; whole numbers as they are."""
    if number == round(number):
        return f"{number:.0f}"
    if abs(number) < 0.995:
        return f"{number:.2f}".replace("0.", ".").replace("-", "−")
    return f"{number:.1f}".replace("-", "−")
