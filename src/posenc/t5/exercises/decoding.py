"""Exercise 9: the bias of a decoder that emits one token at a time, to repair."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, close

from .oracle import Setting, bucket


def _rows(
    table: Any,
    num_steps: int,
    *,
    max_distance: int,
    bidirectional: bool = False,
    position: Callable[[int], int] = lambda t: t,
) -> list[Any]:
    """Bias row of each step t, shape (num_heads, t + 1); its query at position(t)."""
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


def _show(failure: Failure) -> str:
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
    example=_show,
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
