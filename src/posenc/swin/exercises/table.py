"""Exercises 5 to 8: shared rows, tables of the other sign, uses of rows, windows."""

import operator
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, WrongError, is_blank
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import num_offsets, offset, pairs, random_windows, sharing, table_row

#: A window, a stride and an offset: row offset, column offset, stride, height, width.
_CASES = [
    (0, 0, 1, 1, 1),
    (0, 1, 1, 1, 2),
    (1, 0, 1, 2, 2),
    (0, 0, 2, 2, 2),
    (0, 1, 3, 2, 2),
    (1, -2, 3, 2, 3),
    (-1, 2, 3, 2, 3),
    (1, 0, 1, 3, 2),
    (0, 0, 1, 3, 3),
    (-2, 0, 1, 3, 2),
    (0, 3, 4, 4, 4),
    (0, -2, 2, 2, 6),
    (2, -3, 2, 4, 5),
    (1, 1, 3, 5, 4),
    (-3, 6, 4, 5, 8),
    (0, 0, 1, 1, 6),
]
#: Lines so long that their offsets, and a stride of theirs, need more than 8 bits.
_LONG = [
    (0, 600, 3, 1, 700),
    (0, -600, 3, 1, 700),
    (600, 0, 1, 700, 1),
    (1, -300, 600, 2, 400),
]

Offsets = tuple[tuple[int, int], ...]


def _moved(steps: Any, *, sign: int = -1, reach: int = 0, swap: bool = False) -> Any:
    """Return an answer that moves by these steps, in limits wider or exchanged."""

    def answer(row: int, column: int, stride: int, height: int, width: int) -> Offsets:
        rows, columns = (width, height) if swap else (height, width)
        offsets = [(row + t, column + sign * t * stride) for t in steps]
        return tuple(
            (r, c)
            for r, c in offsets
            if abs(r) < rows + reach and abs(c) < columns + reach
        )

    return answer


_ALL = range(-20, 21)
_MISTAKES: Mistakes = [
    (
        "The offset itself is missing: it has that row, too.",
        _moved([t for t in _ALL if t]),
    ),
    (
        "That moves rows and columns in the same direction. A row more adds a stride, "
        "so the columns must take it off again.",
        _moved(_ALL, sign=1),
    ),
    (
        "Only the next row on each side is searched. Two rows and two strides cancel, "
        "too.",
        _moved((-1, 0, 1)),
    ),
    ("Only larger row offsets are searched.", _moved(range(21))),
    ("Only smaller row offsets are searched.", _moved(range(-20, 1))),
    (
        "There are offsets that no window has: rows run from -(height - 1) to height "
        "- 1, columns from -(width - 1) to width - 1.",
        _moved(_ALL, reach=1),
    ),
    ("Height and width are exchanged.", _moved(_ALL, swap=True)),
]


def _read(attempt: Attempt, answer: Any, right: Any) -> Offsets:
    if not isinstance(answer, list | tuple):
        answer = attempt.whole_numbers(answer, (len(right), 2), "The offsets").tolist()
    if len(answer) == 0:
        return ()
    pairs = attempt.whole_numbers([*answer], (len(answer), 2), "The offsets").tolist()
    return tuple(sorted({(row, column) for row, column in pairs}))


@ask_for_function(
    "Two offsets share a row if u * s + v is the same number for both. The shifts add "
    "the same to both sides: leave them out.",
    "So (difference of the row offsets) * s = -(difference of the column offsets). If "
    "the rows differ by t, by how much do the columns differ?",
    "List (row offset + t, column offset - t * stride) for all whole t, also negative "
    "ones, and keep the offsets that the window has.",
    right=sharing,
    what="The list of offsets",
    problem="Other offsets share that row.",
    mistakes=[
        (sentence, lambda *given, f=mistaken: tuple(sorted(f(*given))))
        for sentence, mistaken in _MISTAKES
    ],
    held=["strides that are too small", "strides that are large enough", "one row"],
    example=lambda f: f"{f.call}\ngives {list(f.received)},\nshould be {list(f.right)}",
    close=operator.eq,
    read=_read,
)
def sharing_offsets(rng: Any) -> Any:
    """All offsets whose row is that of a given one, for any stride."""
    cases = [*_CASES]
    for _ in range(8):
        height, width = rng.integers(1, 7, size=2).tolist()
        row = int(rng.integers(1 - height, height))
        column = int(rng.integers(1 - width, width))
        cases.append((row, column, int(rng.integers(1, 8)), height, width))
    return [*cases, *_LONG]


_SIDES = 8


def _image(table: Any, height: int, width: int) -> Any:
    """Return the table as a picture of offsets, (2h - 1, 2w - 1, num_heads)."""
    return table.reshape(2 * height - 1, 2 * width - 1, -1)


_CONVERT_MISTAKES: Mistakes = [
    (
        "The table is unchanged. Row 0 belongs to the most negative offset of its sign "
        "rule, and that is not the same offset in the other rule.",
        lambda t, h, w: t,
    ),
    (
        "Only the row offsets are turned around. The column offsets change their sign "
        "as well.",
        lambda t, h, w: _image(t, h, w)[::-1].reshape(t.shape),
    ),
    (
        "Only the column offsets are turned around. The row offsets change their sign "
        "as well.",
        lambda t, h, w: _image(t, h, w)[:, ::-1].reshape(t.shape),
    ),
    (
        "The heads are turned around, too. They stay where they are.",
        lambda t, h, w: t[::-1, ::-1],
    ),
    ("The heads are turned around, not the rows.", lambda t, h, w: t[:, ::-1]),
    (
        "The values have changed their sign. It is the offsets that do; each bias "
        "stays as it is, in another row.",
        lambda t, h, w: -t,
    ),
    (
        "Rows and columns of the table are exchanged. That is another picture: the "
        "offsets change their sign, not their order.",
        lambda t, h, w: _image(t, h, w).swapaxes(0, 1).reshape(t.shape),
    ),
]


def _converted(table: Any, height: int, width: int) -> Any:
    """Take each offset's row from its place by the other rule."""
    new = np.empty_like(table)
    for pair in pairs(height, width):
        new[table_row(pair)] = table[table_row(pair, ["key_minus_query"])]
    return new


def _lost(failure: Failure) -> str:
    """Name a pair of cells that reads a wrong row."""
    (_, height, width), row = failure.args, failure.entry[0]
    pair = next(p for p in pairs(height, width) if table_row(p) == row)
    return (
        f"{failure.call}\n"
        f"query {pair.query}, key {pair.key}: had {np.round(failure.right[row], 3)}, "
        f"gets {np.round(failure.received[row], 3)}\n(query - key is {offset(pair)})"
    )


@ask_for_function(
    "Take the smallest case: a window of 1 x 2 cells has the offsets -1, 0, 1. Which "
    "row of the old table belongs to which row of the new one?",
    "The offset that one rule calls (a, b) is (-a, -b) in the other. Where in the "
    "table is that?",
    "Row n becomes row (2h - 1)(2w - 1) - 1 - n: the table is read from its end.",
    right=_converted,
    what="The new table",
    problem="A pair of cells does not get the bias that it had.",
    mistakes=_CONVERT_MISTAKES,
    held=["every pair of cells keeps its bias", "all heads"],
    example=_lost,
    shown=["table"],
    first=lambda rng: case(rng.normal(size=(9, 2)), 2, 2),
)
def convert_table(rng: Any) -> Any:
    """Table for the index of query minus key, from one learned with key minus query."""
    windows = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), *random_windows(rng, 3)]
    windows += [(1, 20), (20, 1)]
    return [(rng.normal(size=(num_offsets(h, w), 2)), h, w) for h, w in windows]


def _uses(height: int, width: int) -> list[int]:
    """Count the pairs of cells that read each row."""
    counts = [0] * num_offsets(height, width)
    for pair in pairs(height, width):
        counts[table_row(pair)] += 1
    return counts


def _formula(height: int, width: int, value: Any) -> list[int]:
    """Apply a formula to the size of every offset, in order."""
    rows, columns = range(1 - height, height), range(1 - width, width)
    return [value(abs(r), abs(c)) for r in rows for c in columns]


_USES_MISTAKES: Mistakes = [
    (
        "The two counts are added. Each place for the rows goes with each place for "
        "the columns: multiply.",
        lambda h, w: _formula(h, w, lambda r, c: h - r + w - c),
    ),
    (
        "Height and width are exchanged.",
        lambda h, w: _formula(h, w, lambda r, c: (w - r) * (h - c)),
    ),
    (
        "The table is in another order: row offsets run slowly, column offsets fast.",
        lambda h, w: _uses(w, h),
    ),
    (
        "Not every row serves as many pairs: large offsets fit into the window less "
        "often.",
        lambda h, w: [h * w] * num_offsets(h, w),
    ),
    (
        "Offset zero occurs once for each cell, and the corners once in all: these "
        "counts are one too small in each direction.",
        lambda h, w: _formula(h, w, lambda r, c: (h - r - 1) * (w - c - 1)),
    ),
]


def _read_uses(attempt: Attempt, answer: Any, right: list[int]) -> Any:
    """Read counts as one list; name the mistake if they are still a grid."""
    try:
        return attempt.read_like(answer, right, "The list of counts")
    except WrongError as wrong:
        lines = answer.tolist() if isinstance(answer, np.ndarray) else answer
        nested = isinstance(lines, list) and all(isinstance(n, list) for n in lines)
        if nested and sum(map(len, lines)) == len(right):
            wrong.mistakes = (
                "The counts are still a grid. Write its lines one after the other, for "
                "example with `.ravel()`.",
            )
        raise


@ask_for_function(
    "Begin with one dimension: in a row of w cells, how many pairs are 0 apart? 1? "
    "w - 1?",
    "A pair with column offset c fits in w - |c| places, and one with row offset r in "
    "h - |r| places. The two are independent.",
    "(h - |r|) * (w - |c|), for r from -(h - 1) to h - 1, and for each r all c from "
    "-(w - 1) to w - 1.",
    right=_uses,
    what="The list of counts",
    problem="A row is read by another number of pairs.",
    mistakes=_USES_MISTAKES,
    held=["every row's count", "all counts together are (height * width) squared"],
    read=_read_uses,
)
def row_uses(rng: Any) -> Any:
    """How many pairs of cells read each row of the table."""
    fixed = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (4, 2)]
    return [*fixed, *random_windows(rng, 4), (1, 20), (20, 1), (9, 9)]


@exercise(
    'Choose "2 · height − 1" under "rows times" and watch the sentences under the '
    "picture while you move height and width.",
    "Which of the two is larger decides between sharing and running beyond the end. "
    "But a window of one row has a single row offset: nothing to multiply.",
    'Third part: choose "1". A sum of two shifted offsets is safe if one of them is '
    "always zero.",
    asks_for="value",
)
def find_windows(attempt: Attempt, rng: Any) -> None:
    """Three windows with a given property, found with the widget."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 3:
        attempt.reject(f"The answer is a list of three windows, got {attempt.kind}.")
    names = ("first", "second", "third")
    (a, b), (c, d), (e, f) = (
        _read_window(attempt, name, value)
        for name, value in zip(names, answer, strict=True)
    )
    shared, beyond = _harm(a, b, "by_height")
    if not shared:
        attempt.reject(
            "In the first window offsets must share a row.",
            f"{a} x {b}, rows multiplied by 2 * {a} - 1 = {2 * a - 1}: all rows differ",
            _exchanged(_harm(b, a, "by_height")[0]) or _one_row(a),
        )
    attempt.held.append(f"{a} x {b}: {shared} offsets share a row")
    shared, beyond = _harm(c, d, "by_height")
    if not beyond:
        attempt.reject(
            "In the second window a row must lie beyond the table.",
            f"{c} x {d}, rows multiplied by 2 * {c} - 1 = {2 * c - 1}: the largest "
            f"row is {_largest(c, d)}, "
            f"the last one of the table {num_offsets(c, d) - 1}",
            _exchanged(_harm(d, c, "by_height")[1]),
        )
    attempt.held.append(f"{c} x {d}: {beyond} offsets beyond the table")
    if e == f:
        attempt.reject("The third window must not be square.")
    shared, beyond = _harm(e, f, "added")
    if shared or beyond:
        attempt.reject(
            "In the third window just adding must do no harm.",
            f"{e} x {f}, rows multiplied by 1: {shared} of {num_offsets(e, f)} "
            "offsets share a row with another",
        )
    attempt.held.append(f"{e} x {f}: just adding does no harm")


def _harm(height: int, width: int, mistake: str) -> tuple[int, int]:
    """Count offsets that share their row, and offsets whose row is beyond the table."""
    rows = {offset(p): table_row(p, [mistake]) for p in pairs(height, width)}
    numbers = list(rows.values())
    shared = sum(numbers.count(row) > 1 for row in numbers)
    return shared, sum(row >= num_offsets(height, width) for row in numbers)


def _exchanged(harm: int) -> tuple[str, ...]:
    """Return the sentence for a window that fits with its sides exchanged."""
    sentence = "Height and width are exchanged: a window is (height, width)."
    return (sentence,) if harm else ()


def _one_row(height: int) -> tuple[str, ...]:
    """Return the sentence for a window that no factor can harm."""
    sentence = "With one row there is nothing to multiply: every factor is right."
    return (sentence,) if height == 1 else ()


def _largest(height: int, width: int) -> int:
    return max(table_row(p, ["by_height"]) for p in pairs(height, width))


def _read_window(attempt: Attempt, which: str, value: Any) -> tuple[int, int]:
    """Read (height, width)."""
    if is_blank(value):
        attempt.reject(f"The {which} window is still to be found.")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list) or len(value) != 2:
        attempt.reject(f"The {which} window must look like (height, width).")
    for side in value:
        if type(side) is not int or not 1 <= side <= _SIDES:
            attempt.reject(
                f"Sides of the {which} window must be whole numbers from 1 to {_SIDES}."
            )
    return value[0], value[1]
