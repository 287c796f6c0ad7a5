"""Swin's row of the table in plain loops over cells, right or with known mistakes.

This is the judge of the chapter's exercises, so it shares no code with `posenc.swin`.
Each mistake is a switch; the diagnosis is the smallest set of switches that turns the
judge's rows into the learner's.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

#: What each switch does, told to a learner whose results show it.
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


class Observed(NamedTuple):
    """What an answer said about one pair."""

    pair: Pair
    received: int


def offset(pair: Pair, mistakes: Iterable[str] = ()) -> tuple[int, int]:
    """Rows and columns from key to query: query minus key."""
    q, k, height, width = pair
    if "cells_by_column" in mistakes:
        row, column = q % height - k % height, q // height - k // height
    else:
        row, column = q // width - k // width, q % width - k % width
    return (-row, -column) if "key_minus_query" in mistakes else (row, column)


def table_row(pair: Pair, mistakes: Iterable[str] = ()) -> int:
    """Row of the table for a pair."""
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
    """All pairs of a window, query by query."""
    cells = range(height * width)
    return [Pair(q, k, height, width) for q in cells for k in cells]


def num_offsets(height: int, width: int) -> int:
    """Rows of the table."""
    return (2 * height - 1) * (2 * width - 1)


def diagnose(observed: Sequence[Observed]) -> tuple[str, ...]:
    """Smallest set of known mistakes that explains everything observed, in words."""
    for size in (1, 2):
        for mistakes in combinations(MISTAKES, size):
            if all(table_row(pair, mistakes) == row for pair, row in observed):
                return tuple(MISTAKES[name] for name in mistakes)
    return ()


def random_windows(rng: Any, count: int) -> list[tuple[int, int]]:
    """Sizes of windows, drawn from a NumPy generator."""
    drawn = rng.integers(1, 8, size=(count, 2)).tolist()
    return [(height, width) for height, width in drawn]
