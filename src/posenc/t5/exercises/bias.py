"""Exercises 8 and 9: the bias of all pairs, and of a decoder token by token."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown
from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, close

from .oracle import MISTAKES, Setting, bias, bucket

# None has a logarithmic edge on a whole number (but for the first and max_distance), so
# the answer's own buckets may come from logarithms in floating point.
BIAS_SETTINGS = [
    Setting(True, 8, 16),
    Setting(False, 8, 20),
    Setting(False, 16, 45),
    Setting(True, 16, 50),
    Setting(True, 16, 2000),
]


#: Setting, num_heads, q_len, k_len and q_offset.
_SHAPES = [
    (0, 1, 1, 1, 0),
    (0, 1, 1, 2, 0),
    (0, 1, 2, 1, 0),
    (1, 1, 2, 2, 0),
    (0, 2, 2, 3, 0),
    (1, 1, 1, 3, 2),
    (0, 3, 2, 5, 3),
    (2, 2, 4, 30, 26),
    (3, 2, 40, 40, 0),
    (4, 1, 1, 1300, 600),
    (4, 1, 600, 1, 0),
    (4, 2, 1, 3, 40_000),
]


def _bias_case(
    rng: Any, number: int, num_heads: int, q_len: int, k_len: int, q_offset: int
) -> Case:
    """Return a case with a random table for a setting."""
    setting = BIAS_SETTINGS[number]
    return case(
        rng.normal(size=(setting.num_buckets, num_heads)),
        q_len,
        k_len,
        bidirectional=setting.bidirectional,
        max_distance=setting.max_distance,
        q_offset=q_offset,
    )


_BIAS_MISTAKES: Mistakes = [
    (
        "Move the axis of heads to the front.",
        lambda *args, **options: np.moveaxis(bias(*args, **options), 0, -1),
    ),
    (
        "Queries go down, keys across: swap the last axes.",
        lambda *args, **options: bias(*args, **options).swapaxes(1, 2),
    ),
    (
        "Leave out the batch axis: all of a batch share the bias.",
        lambda *args, **options: bias(*args, **options)[None],
    ),
    (
        "The axis of heads is missing.",
        lambda *args, **options: bias(*args, **options)[0],
    ),
    (
        "q_offset is ignored. Query i stands at position q_offset + i.",
        lambda *args, q_offset, **options: bias(*args, **options),
    ),
    (
        "q_offset has the wrong sign. Query i stands at position q_offset + i.",
        lambda *args, q_offset, **options: bias(*args, q_offset=-q_offset, **options),
    ),
    (
        "The windows run the wrong way: the window of the next query begins one value "
        "further to the left.",
        lambda *args, **options: bias(*args, **options)[:, ::-1],
    ),
    (
        MISTAKES["swapped"],
        lambda *args, **options: bias(*args, sign=-1, **options),
    ),
    (
        "max_distance is ignored, and 128 used instead.",
        lambda *args, **options: bias(*args, **{**options, "max_distance": 128}),
    ),
    (
        "bidirectional is ignored: the buckets are always those of two directions.",
        lambda *args, **options: bias(*args, **{**options, "bidirectional": True}),
    ),
    (
        "bidirectional is ignored: the buckets are always those of one direction.",
        lambda *args, **options: bias(*args, **{**options, "bidirectional": False}),
    ),
]


def _count_look_ups(attempt: Attempt, rng: Any) -> None:
    counted, num_heads, length = _bias_case(rng, 0, 3, 7, 7, 0), 3, 7
    attempt.ask_counting(*counted.args, **counted.kwargs)
    rows, enough = attempt.reads / num_heads, 2 * length - 1
    if rows > enough:
        call = attempt.call_text(Shown("table"), length, length, **counted.kwargs)
        attempt.reject(
            "The values are right, but it takes too many look-ups.",
            f"{call}\nreads {rows:g} rows of the table; {enough} are enough",
            ("Each pair of query and key is looked up on its own.",)
            if rows == length * length
            else (),
        )
    if rows:
        attempt.held.append("no more look-ups than there are relative positions")
    else:
        attempt.notes.append(
            "How many rows of the table it reads could not be counted: it uses torch, "
            "or copies the table first."
        )


def _show_pair(failure: Failure) -> str:
    (h, i, j), table, options = failure.entry, failure.args[0], failure.case.kwargs
    setting = Setting(options["bidirectional"], table.shape[0], options["max_distance"])
    position = options["q_offset"] + i
    return (
        f"{failure.call}, with a table of shape {table.shape}\n"
        f"head {h}, query {i}, key {j}: {failure.gives}\n"
        f"(query at position {position}, key at {j}: relative position "
        f"{j - position}, bucket {bucket(j - position, setting).number})"
    )


@ask_for_function(
    "The bias depends on key - query alone, and there are q_len + k_len - 1 of these "
    "relative positions, from -(q_offset + q_len - 1) to k_len - 1 - q_offset. Look "
    "each up once.",
    "values = table[buckets of all of them] has one row for each. Query i needs k_len "
    "rows of it, one after the other: a window.",
    "The window of query i begins at row q_len - 1 - i. Stack the windows, and move "
    "the axis of heads to the front.",
    right=bias,
    what="The bias",
    axes="(num_heads, q_len, k_len)",
    problem="A value is not the one of its bucket.",
    example=_show_pair,
    shown=["table"],
    mistakes=_BIAS_MISTAKES,
    held=["every value of every head", "queries that begin at q_offset"],
    first=lambda rng: _bias_case(rng, 0, 2, 3, 4, 0),  # lengths that tell axes apart
    then=_count_look_ups,
    uses=("t5.relative_position_bucket",),
)
def relative_position_bias(rng: Any) -> list[Case]:
    """Bias of all queries and keys, from one look-up for each relative position."""
    drawn = [rng.integers((0, 1, 1, 1, 0), (4, 4, 13, 13, 20)) for _ in range(4)]
    shapes = [*_SHAPES, *(numbers.tolist() for numbers in drawn)]
    return [_bias_case(rng, *shape) for shape in shapes]


def _rows(
    table: Any,
    num_steps: int,
    *,
    max_distance: int,
    bidirectional: bool = False,
    position: Callable[[int], int] = lambda t: t,
) -> list[Any]:
    """Return each step's bias row (num_heads, t + 1), its query at position(t)."""
    setting = Setting(bidirectional, table.shape[0], max_distance)
    return [
        np.stack(
            [table[bucket(j - position(t), setting).number] for j in range(t + 1)],
            axis=1,
        )
        for t in range(num_steps)
    ]


_DECODING_MISTAKES: Mistakes = [
    (
        "Every step gets row 0 of the bias: the newest token is taken to stand at "
        "position 0, so all other keys seem to come after it. At step t it stands at "
        "position t.",
        lambda *args, **options: _rows(*args, **options, position=lambda t: 0),
    ),
    (
        "The newest token is taken one position too far. At step t it stands at "
        "position t: its own key is at distance 0.",
        lambda *args, **options: _rows(*args, **options, position=lambda t: t + 1),
    ),
    (
        "Each row runs backwards: key 0 is the oldest one, so it comes first.",
        lambda *args, **options: [row[:, ::-1] for row in _rows(*args, **options)],
    ),
    (
        "These are the buckets of two directions. A decoder looks back only: "
        "bidirectional=False.",
        lambda *args, **options: _rows(*args, **options, bidirectional=True),
    ),
]


def _read_rows(attempt: Attempt, answer: Any, right: list[Any]) -> list[Any]:
    if not isinstance(answer, list | np.ndarray) or len(answer) != len(right):
        attempt.reject(f"A list with one row per step is wanted, got {attempt.kind}.")
    return [
        attempt.real_numbers(row, expected.shape, f"The row of step {t}")
        for t, (row, expected) in enumerate(zip(answer, right, strict=True))
    ]


def _same_rows(received: list[Any], right: list[Any]) -> list[bool]:
    return [bool(close(a, b).all()) for a, b in zip(received, right, strict=True)]


def _show_step(failure: Failure) -> str:
    t = failure.entry[0]
    got, want = failure.received[t], failure.right[t]
    h = int(np.argwhere(~close(got, want))[0, 0])
    return (
        f"{failure.call}[{t}][{h}]\n"
        f"gives {np.round(got[h], 3)}, should be {np.round(want[h], 3)}"
    )


@ask_for_function(
    "Print the rows of the first three steps. What do all entries of a row have in "
    "common?",
    "One query is passed, so relative_position_bias takes it for the one at position "
    "0. Where does the newest token stand at step t?",
    "relative_position_bias has an argument for the position of the first query.",
    right=_rows,
    what="The list of rows",
    read=_read_rows,
    close=_same_rows,
    problem=lambda failure: (
        f"Step {failure.entry[0]} gets other values than row {failure.entry[0]} of the "
        "full bias."
    ),
    example=_show_step,
    shown=["table"],
    mistakes=_DECODING_MISTAKES,
    held=[
        "step by step the same values as all at once",
        "far keys, which share buckets",
    ],
    first=lambda rng: case(rng.normal(size=(8, 2)), 3, max_distance=128),
    uses=("t5.relative_position_bias",),
)
def repair_decoding(rng: Any) -> Any:
    """Repair the bias of a decoder that emits one token at a time."""
    return [
        case(rng.normal(size=(8, num_heads)), num_steps, max_distance=max_distance)
        for num_heads, num_steps, max_distance in [
            (1, 1, 20),
            (1, 2, 20),
            (2, 3, 20),
            (3, 30, 20),
            (1, 150, 140),
        ]
    ]
