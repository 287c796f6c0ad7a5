"""Exercise 5: offsets that share a row if the stride is another one."""

import operator
from typing import Any

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import sharing

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
    """Answer that moves by these steps, in limits that are wider or exchanged."""

    def answer(row: int, column: int, stride: int, height: int, width: int) -> Offsets:
        rows, columns = (width, height) if swap else (height, width)
        found = [(row + t, column + sign * t * stride) for t in steps]
        return tuple(
            (r, c)
            for r, c in found
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
        (told, lambda *given, f=mistaken: tuple(sorted(f(*given))))
        for told, mistaken in _MISTAKES
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
