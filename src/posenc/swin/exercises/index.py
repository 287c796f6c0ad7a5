"""Exercises 1 to 4: rows of the table by hand, in code, backwards, and to repair."""

import contextlib
import functools
import operator
from typing import Any, NoReturn

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown, WrongError
from posenc.kit.exercises.mistakes import Case, Mistakes, Switches, name_mistake
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import (
    MISTAKES,
    Pair,
    index,
    num_offsets,
    offset,
    pairs,
    random_windows,
    table_row,
)

#: Query and key cells in a window of 3 x 2 cells; the chapter prints no such table.
BY_HAND = [
    Pair(q, k, 3, 2)
    for q, k in [(0, 0), (5, 0), (0, 5), (1, 0), (0, 2), (2, 1), (3, 4), (4, 1)]
]

#: Small ones first; wide before tall, where a wrong factor leads beyond the table.
_WINDOWS = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (1, 5), (4, 4), (5, 3)]
#: Long ones, and one with more rows in its table than 8 bits can count.
_LARGE = [(1, 20), (20, 1), (12, 12)]


def _size(window: tuple[int, int]) -> tuple[int, int, int]:
    return window[0] * window[1], window[0], window[1]


def _property(failure: Failure) -> str:
    """Name the property that fails in the window of a case."""
    height, width = failure.args
    words = f"In a window of {height} x {width} cells"
    received = failure.received.ravel().tolist()
    rows: dict[tuple[int, int], int] = {}
    for pair, row in zip(pairs(height, width), received, strict=True):
        if rows.setdefault(offset(pair), row) != row:
            return f"{words} the offset {offset(pair)} has two different rows."
    owner: dict[int, tuple[int, int]] = {}
    for place, row in rows.items():
        if owner.setdefault(row, place) != place:
            return f"{words} the offsets {owner[row]} and {place} share row {row}."
    if set(owner) != set(range(num_offsets(height, width))):
        return f"{words} the rows are not 0 to {num_offsets(height, width) - 1}."
    return f"{words} the rows are in another order."


def _by_hand(mistakes: tuple[str, ...] = ()) -> list[int]:
    return [table_row(pair, mistakes) for pair in BY_HAND]


def _line(i: int, row: int) -> str:
    pair = BY_HAND[i]
    return (
        f"query {pair.query}, key {pair.key}: not row {row} (the offset is "
        f"{offset(pair)})"
    )


@ask_for_value(
    "Cell n lies in row n // 2 and column n % 2. Subtract the key's row and column "
    "from the query's.",
    "Add height - 1 = 2 to the row offset and width - 1 = 1 to the column offset: "
    "neither is negative now.",
    "There are 2 * 2 - 1 = 3 column offsets, so the row of the table is 3 * (shifted "
    "row offset) + (shifted column offset).",
    what="The list of rows",
    entry="a row",
    line=_line,
    mistakes=Switches(_by_hand, MISTAKES, at_once=2),
    held=["all eight rows"],
)
def index_by_hand() -> Any:
    """Rows of the table for eight pairs of cells, by hand."""
    return _by_hand()


def _windows(rng: Any, count: int) -> list[tuple[int, int]]:
    return sorted({*_WINDOWS, *random_windows(rng, count)}, key=_size)


def _example(failure: Failure) -> str:
    q, k = failure.entry
    pair = Pair(q, k, *failure.args)
    return (
        f"{failure.call}[{q}, {k}]\ngives {failure.received[q, k]}, should be "
        f"{table_row(pair)}\n(query {q}, key {k}: offset {offset(pair)})"
    )


@ask_for_function(
    "Write down the row and the column of each cell first: two arrays of height * "
    "width numbers, n // width and n % width.",
    "row[:, None] - row[None, :] has queries down and keys across. Do the same for "
    "columns, and shift both so that they begin at 0.",
    "The result is row_offset * (2 * width - 1) + column_offset.",
    right=index,
    what="The index",
    problem=_property,
    mistakes=Switches(index, MISTAKES, at_once=2),
    held=[
        "equal offsets share a row of the table",
        "different offsets have different rows",
        "every row from 0 to (2h - 1)(2w - 1) - 1 is used",
        "offset zero is the middle row",
        "the order is that of query minus key",
    ],
    example=_example,
)
def relative_position_index(rng: Any) -> Any:
    """Row of the table for every query and key of a window."""
    return [*_windows(rng, 4), *_LARGE]


def _read_offset(attempt: Attempt, answer: Any, right: Any) -> tuple[int, int]:
    if isinstance(answer, tuple | list) and len(answer) == 2:
        answer = [np.asarray(part).tolist() for part in answer]
    row, column = attempt.whole_numbers(answer, (2,), "The offset (row, column)")
    return int(row), int(column)


def _offset(row: int, height: int, width: int) -> tuple[int, int]:
    """Return the offset of a row by trying all."""
    return _offsets(height, width)[row]


@functools.cache
def _offsets(height: int, width: int) -> dict[int, tuple[int, int]]:
    return {table_row(pair): offset(pair) for pair in pairs(height, width)}


_OFFSET_MISTAKES: Mistakes = [
    (
        "The shift is not undone: subtract height - 1 and width - 1.",
        lambda n, h, w: divmod(n, 2 * w - 1),
    ),
    (
        "The sign is turned: that is key - query.",
        lambda n, h, w: (-_offset(n, h, w)[0], -_offset(n, h, w)[1]),
    ),
    (
        "Row and column are exchanged: the row offset comes first.",
        lambda n, h, w: _offset(n, h, w)[::-1],
    ),
    (
        "The number is divided by 2 * height - 1. A row offset is followed by 2 * "
        "width - 1 column offsets.",
        lambda n, h, w: (n // (2 * h - 1) - h + 1, n % (2 * h - 1) - w + 1),
    ),
    (
        "The number is divided by the width. There are 2 * width - 1 column offsets.",
        lambda n, h, w: (n // w - h + 1, n % w - w + 1),
    ),
    (
        "The two shifts are exchanged: height - 1 belongs to the rows.",
        lambda n, h, w: (n // (2 * w - 1) - w + 1, n % (2 * w - 1) - h + 1),
    ),
]


@ask_for_function(
    "A row of the table is (shifted row offset) * (2w - 1) + (shifted column offset), "
    "and the second part is smaller than 2w - 1.",
    "Division with remainder takes it apart: divmod(index, 2 * width - 1).",
    "Then undo the shift: subtract height - 1 and width - 1.",
    right=_offset,
    what="The offset",
    problem="An offset is not the one of its row.",
    mistakes=_OFFSET_MISTAKES,
    held=["it undoes the index, row by row, in every window tried"],
    example=lambda f: f"{f.call}\ngives {f.received}, should be {f.right}",
    close=operator.eq,
    read=_read_offset,
)
def offset_of_row(rng: Any) -> Any:
    """Offset, query minus key, that a row of the table belongs to."""
    cases = []
    for height, width in [*_windows(rng, 3), *_LARGE]:
        rows = list(range(num_offsets(height, width)))
        if len(rows) > 40:
            rows = [*rng.integers(len(rows), size=20).tolist(), 0, len(rows) - 1]
        cases += [(row, height, width) for row in rows]
    return cases


@exercise(
    "Look at a window of 2 rows and 3 columns. Which offsets get the same number?",
    "Count the column offsets of that window: -2, -1, 0, 1, 2. By how much must the "
    "number grow from one row offset to the next?",
    "The factor of the row offset is 2 * width - 1. Height does not come into it.",
)
def repair_bias(attempt: Attempt, rng: Any) -> None:
    """Find and repair what is wrong with the bias of a window that is not square."""
    attempt.choose_style(("numpy", "torch"), rng.normal(size=(9, 2)), 2, 2)
    # Tall windows at the end: a wrong factor leads beyond their table, into an error.
    sizes = [(1, 1, 1), (2, 2, 2), (1, 2, 3), (3, 3, 5)]
    sizes += [(2, 3, 1), (1, 5, 2), (2, 4, 4), (1, 9, 9)]
    cases = [
        (rng.normal(size=(num_offsets(*window), num_heads)), *window)
        for num_heads, *window in sizes
    ]
    for given in cases:
        answer = attempt.ask(*given)
        bias = attempt.read_like(answer, _bias(*given), "The bias")
        if not np.isclose(bias, _bias(*given)).all():
            _reject_bias(attempt, given, bias, cases)
    attempt.held += ["square windows", "wide windows", "tall windows"]


def _bias(table: Any, height: int, width: int, mistakes: tuple[str, ...] = ()) -> Any:
    """Return the bias (num_heads, cells, cells), nan where a row is out of range."""
    rows = np.asarray(index(height, width, mistakes))
    inside = (-len(table) <= rows) & (rows < len(table))
    return np.moveaxis(
        np.where(inside[..., None], table[np.where(inside, rows, 0)], np.nan), -1, 0
    )


def _reject_bias(attempt: Attempt, given: Any, bias: Any, cases: Any) -> NoReturn:
    """Name a pair that gets the value of another row, and the mistakes."""
    table, height, width = given
    h, q, k = np.argwhere(~np.isclose(bias, _bias(*given)))[0].tolist()
    pair, value = Pair(q, k, height, width), bias[h, q, k]
    rows = np.argwhere(np.isclose(table[:, h], value))[:, 0].tolist()
    shown = f"which is row {rows[0]}" if rows else "which is in no row of the table"
    received = [(Case(given), bias)]
    for other in cases:
        with contextlib.suppress(WrongError):  # a row beyond the table is an error
            received.append((Case(other), np.asarray(attempt.ask(*other))))
    attempt.reject(
        f"In a window of {height} x {width} cells a value is not the one of its row.",
        f"{attempt.call_text(Shown('table'), height, width)}\n"
        f"head {h}, query {q}, key {k}: gives {value:.4g}, {shown}, "
        f"should be row {table_row(pair)}\n(the offset is {offset(pair)})",
        name_mistake(received, Switches(_bias, MISTAKES, at_once=2), _same_bias),
    )


def _same_bias(received: Any, other: Any) -> bool:
    return received.shape == other.shape and bool(np.isclose(received, other).all())
