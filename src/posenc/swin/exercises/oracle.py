"""Swin's row of the table in plain loops over cells, right or with known mistakes.

This judges answers to the exercises, and our own code: it shares nothing with
`posenc.swin`.
Each mistake is a switch; the diagnosis is the smallest set of switches that turns the
judge's rows into the learner's.
"""

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

#: Sentences for a learner whose results show the switch.
MISTAKES = {
    "key_minus_query": "The sign is turned: these are the rows of key - query. The "
    "index of Swin counts query - key.",
    "added": "The row offset is not multiplied by anything, so (2, 1) and (1, 2) meet.",
    "by_height": "The row offset is multiplied by 2 * height - 1. It is the number of "
    "column offsets that counts: 2 * width - 1. On squares you do not see it.",
    "by_width": "The row offset is multiplied by width alone. There are 2 * width - 1 "
    "column offsets.",
    "columns_first": "The column offset is multiplied instead of the row offset: the "
    "table is read column by column.",
    "unshifted": "The offsets are not shifted, so rows are counted from the middle of "
    "the table: add height - 1 and width - 1 first.",
    "shift_one_more": "The offsets are shifted one too far: add height - 1 and "
    "width - 1, so that the smallest becomes 0.",
    "shifts_swapped": "The two shifts are exchanged: height - 1 belongs to the rows.",
    "cells_by_column": "The cells are numbered column by column. Number them row by "
    "row: cell n is in row n // width.",
}


class Pair(NamedTuple):
    """A query and a key (cell numbers) in a window."""

    query: int
    key: int
    height: int
    width: int


def offset(pair: Pair, mistakes: Iterable[str] = ()) -> tuple[int, int]:
    """Return rows and columns from key to query, as query minus key."""
    q, k, height, width = pair
    if "cells_by_column" in mistakes:
        row, column = q % height - k % height, q // height - k // height
    else:
        row, column = q // width - k // width, q % width - k % width
    return (-row, -column) if "key_minus_query" in mistakes else (row, column)


def table_row(pair: Pair, mistakes: Iterable[str] = ()) -> int:
    """Return the table row of a pair."""
    mistakes = frozenset(mistakes)
    height, width = pair.height, pair.width
    row, column = offset(pair, mistakes)
    if "shifts_swapped" in mistakes:
        row, column = row + width - 1, column + height - 1
    elif "unshifted" not in mistakes:
        more = "shift_one_more" in mistakes
        row, column = row + height - 1 + more, column + width - 1 + more
    if "columns_first" in mistakes:
        return row + column * (2 * height - 1)
    if "added" in mistakes:
        return row + column
    if "by_height" in mistakes:
        return row * (2 * height - 1) + column
    return row * (width if "by_width" in mistakes else 2 * width - 1) + column


def pairs(height: int, width: int) -> list[Pair]:
    """Return all pairs of a window, query by query."""
    cells = range(height * width)
    return [Pair(q, k, height, width) for q in cells for k in cells]


def num_offsets(height: int, width: int) -> int:
    """Return the number of rows of the table."""
    return (2 * height - 1) * (2 * width - 1)


def index(height: int, width: int, mistakes: Iterable[str] = ()) -> list[list[int]]:
    """Return the table row of every query and key."""
    rows = _rows(height, width, frozenset(mistakes))
    cells = height * width
    return [[*rows[q * cells : (q + 1) * cells]] for q in range(cells)]


@functools.cache
def _rows(height: int, width: int, mistakes: frozenset[str]) -> tuple[int, ...]:
    return tuple(table_row(pair, mistakes) for pair in pairs(height, width))


def sorted_index(height: int, width: int, sign: int) -> list[list[int]]:
    """Return the index by numbering the sorted offsets, in a dictionary.

    `sign` +1 counts query minus key (the authors' code), -1 key minus query.
    """
    cells = [(r, c) for r in range(height) for c in range(width)]
    offsets = sorted({(r - s, c - d) for r, c in cells for s, d in cells})
    number = {offset: row for row, offset in enumerate(offsets)}
    return [
        [number[sign * (r - s), sign * (c - d)] for s, d in cells] for r, c in cells
    ]


def sharing(
    row: int, column: int, stride: int, height: int, width: int
) -> tuple[tuple[int, int], ...]:
    """Return the offsets that share a row with the given one, by trying all."""
    offsets = [
        (r, c) for r in range(1 - height, height) for c in range(1 - width, width)
    ]
    return tuple(o for o in offsets if o[0] * stride + o[1] == row * stride + column)


def random_windows(rng: Any, count: int) -> list[tuple[int, int]]:
    """Draw sizes of windows from a NumPy generator."""
    drawn = rng.integers(1, 8, size=(count, 2)).tolist()
    return [(height, width) for height, width in drawn]


def neighbors(
    rows: int, columns: int, window: tuple[int, int], shift: tuple[int, int]
) -> list[list[list[bool]]]:
    """Return True for pairs of cells in the rolled windows that were in one piece.

    That is so if neither axis wraps around between them. Then both cells come from
    before the image's end, or both from after it.
    """
    out = []
    for top in range(0, rows, window[0]):
        for left in range(0, columns, window[1]):
            cells = [
                ((r + shift[0]) // rows, (c + shift[1]) // columns)
                for r in range(top, top + window[0])
                for c in range(left, left + window[1])
            ]
            out.append([[a == b for b in cells] for a in cells])
    return out


def cubic_resize(values: Sequence[float], new_len: int) -> list[float]:
    """Resize a list by Keys' cubic convolution, a = -0.75, pixel centers at halves."""
    a, out = -0.75, list[float]()
    for o in range(new_len):
        x = (o + 0.5) * len(values) / new_len - 0.5
        total = 0.0
        for j in range(math.floor(x) - 1, math.floor(x) + 3):
            t = abs(x - j)
            if t <= 1:
                weight = (a + 2) * t**3 - (a + 3) * t**2 + 1
            else:
                weight = a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a
            total += weight * values[min(max(j, 0), len(values) - 1)]
        out.append(total)
    return out


def resize(
    table: Any, window: tuple[int, int], new_window: tuple[int, int]
) -> list[list[float]]:
    """Resize each head's table as an image, rows first, then columns."""
    (height, width), (new_height, new_width) = window, new_window
    num_heads = len(table[0])
    out = [[0.0] * num_heads for _ in range((2 * new_height - 1) * (2 * new_width - 1))]
    for h in range(num_heads):
        across = 2 * width - 1
        image = [
            cubic_resize(
                [table[r * across + c][h] for c in range(across)], 2 * new_width - 1
            )
            for r in range(2 * height - 1)
        ]
        for c in range(2 * new_width - 1):
            column = cubic_resize([row[c] for row in image], 2 * new_height - 1)
            for r, value in enumerate(column):
                out[r * (2 * new_width - 1) + c][h] = value
    return out
