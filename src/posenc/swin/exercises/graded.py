"""For marks: the table read column by column, and the table of mirrored images."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import MISTAKES, index


def _rows(height: int, width: int, *mistakes: str) -> Any:
    return np.asarray(index(height, width, mistakes))


_INDEX_MISTAKES: Mistakes = [
    ("That is the index row by row, as in the chapter.", _rows),
    (
        MISTAKES["key_minus_query"],
        lambda h, w: _rows(h, w, "columns_first", "key_minus_query"),
    ),
    (
        "The column offset is multiplied by 2 * width - 1. It is the number of row "
        "offsets that counts: 2 * height - 1.",
        lambda h, w: _by_width(h, w),
    ),
    (MISTAKES["unshifted"], lambda h, w: _rows(h, w, "columns_first", "unshifted")),
    (
        MISTAKES["shifts_swapped"],
        lambda h, w: _rows(h, w, "columns_first", "shifts_swapped"),
    ),
]


def _by_width(height: int, width: int) -> Any:
    by_rows = _rows(height, width)  # u * (2 * width - 1) + v
    u, v = by_rows // (2 * width - 1), by_rows % (2 * width - 1)
    return v * (2 * width - 1) + u


@ask_for_function(
    "How many different row offsets are there? So many rows of the table belong to one "
    "column offset.",
    "Shift both offsets so that the smallest is 0, then multiply the column offset.",
    "(column offset + width - 1) * (2 * height - 1) + row offset + height - 1.",
    right=lambda h, w: _rows(h, w, "columns_first"),
    what="The index",
    problem="A pair of cells has another row of the table.",
    mistakes=_INDEX_MISTAKES,
    held=["windows that are no squares", "every row of the table"],
    axes="(height * width, height * width)",
)
def column_major_index(rng: Any) -> Any:
    """Row of the table for each pair of cells, with the table read column by column."""
    drawn = rng.integers(1, 6, size=(3, 2)).tolist()
    return [
        (1, 1),
        (2, 1),
        (1, 3),
        (2, 3),
        (3, 2),
        *map(tuple, drawn),
        (1, 20),
        (20, 1),
        (9, 9),
    ]


def _mirrored(table: Any, height: int, width: int, *, flip: Sequence[int]) -> Any:
    """Move the table's rows to their mirrored offsets, one by one."""
    out = np.empty(table.shape)
    down, across = 2 * height - 1, 2 * width - 1
    for u in range(down):
        for v in range(across):
            a = down - 1 - u if 0 in flip else u
            b = across - 1 - v if 1 in flip else v
            out[u * across + v] = table[a * across + b]
    return out


_MIRROR_MISTAKES: Mistakes = [
    (
        "All rows are reversed: that also turns the image upside down.",
        lambda t, h, w: _mirrored(t, h, w, flip=(0, 1)),
    ),
    (
        "That is for images turned upside down: it is the column offset that changes "
        "its sign.",
        lambda t, h, w: _mirrored(t, h, w, flip=(0,)),
    ),
    ("Nothing has changed.", lambda t, h, w: t),
    (
        "The heads are reversed as well. They stay where they are.",
        lambda t, h, w: _mirrored(t, h, w, flip=(1,))[:, ::-1],
    ),
]


@ask_for_function(
    "In the mirrored image, which sign has the column offset of a pair of cells? And "
    "the row offset?",
    "Give the table its two axes: reshape to (2 height - 1, 2 width - 1, heads).",
    "Reverse the axis of the column offsets, and reshape back.",
    right=lambda t, h, w: _mirrored(t, h, w, flip=(1,)),
    what="The table",
    problem="A pair of cells of the mirrored image gets another bias.",
    mistakes=_MIRROR_MISTAKES,
    held=["windows that are no squares", "every head"],
    shown=["table"],
)
def mirror_table(rng: Any) -> Any:
    """Table that treats mirrored images as the old one treats images."""
    cases = []
    for height, width, heads in [
        (2, 2, 2),
        (2, 3, 2),
        (3, 2, 3),
        (1, 4, 2),
        (12, 20, 1),
    ]:
        rows = (2 * height - 1) * (2 * width - 1)
        table = np.round(rng.normal(size=(rows, heads)), 2)
        cases.append((table, height, width))
    return cases
