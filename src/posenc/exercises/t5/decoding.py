"""Exercise 8: the bias of a decoder that emits one token at a time, to repair."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise
from .bias import all_close, close
from .oracle import Setting, bucket

_DECODING_MISTAKES: Mistakes = [
    (
        "Every step gets row 0 of the bias: the newest token is taken to stand at "
        "position 0, so all other keys seem to come after it. At step t it stands at "
        "position t.",
        lambda table, steps, d: _rows(table, steps, d, position=lambda t: 0),
    ),
    (
        "The newest token is taken one position too far. At step t it stands at "
        "position t: its own key is at distance 0.",
        lambda table, steps, d: _rows(table, steps, d, position=lambda t: t + 1),
    ),
    (
        "Each row runs backwards: key 0 is the oldest one, so it comes first.",
        lambda table, steps, d: [row[:, ::-1] for row in _rows(table, steps, d)],
    ),
    (
        "These are the buckets of two directions. A decoder looks back only: "
        "bidirectional=False.",
        lambda table, steps, d: _rows(table, steps, d, bidirectional=True),
    ),
]


@exercise(
    "Print the rows of the first three steps. What do all entries of a row have in "
    "common?",
    "One query is passed, so relative_position_bias takes it for the one at position "
    "0. Where does the newest token stand at step t?",
    "relative_position_bias has an argument for the position of the first query.",
)
def repair_decoding(attempt: Attempt, rng: Any) -> None:
    """Repair the bias of a decoder that emits one token at a time."""
    answer = attempt.choose_style(("numpy", "torch"), rng.normal(size=(8, 2)), 3)
    _read_rows(attempt, answer, 2, 3)
    received = []
    for num_heads, num_steps in [(1, 1), (1, 2), (2, 3), (3, 30)]:
        table = rng.normal(size=(8, num_heads))
        answer = attempt.ask(table, num_steps, max_distance=20)
        rows = _read_rows(attempt, answer, num_heads, num_steps)
        received.append(((table, num_steps, 20), rows))
    for (table, num_steps, max_distance), rows in received:
        right = _rows(table, num_steps, max_distance)
        wrong = [t for t in range(num_steps) if not all_close(rows[t], right[t])]
        if wrong:
            t = wrong[0]
            h = int(np.argwhere(~close(rows[t], right[t]))[0, 0])
            call = attempt.call_text(
                Shown("table"), num_steps, max_distance=max_distance
            )
            attempt.reject(
                f"Step {t} gets other values than row {t} of the full bias.",
                f"{call}[{t}][{h}]\n"
                f"gives {np.round(rows[t][h], 3)}, "
                f"should be {np.round(right[t][h], 3)}",
                name_mistake(received, _DECODING_MISTAKES, _all_rows_close),
            )
    attempt.held += [
        "step by step the same values as all at once",
        "far keys, which share buckets",
    ]


def _rows(
    table: Any,
    num_steps: int,
    max_distance: int,
    *,
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


def _read_rows(
    attempt: Attempt, answer: Any, num_heads: int, num_steps: int
) -> list[Any]:
    if not isinstance(answer, list | np.ndarray) or len(answer) != num_steps:
        attempt.reject(f"A list with one row per step is wanted, got {attempt.kind}.")
    return [
        attempt.real_numbers(row, (num_heads, t + 1), f"The row of step {t}")
        for t, row in enumerate(answer)
    ]


def _all_rows_close(received: Any, right: Any) -> bool:
    return all(all_close(a, b) for a, b in zip(received, right, strict=True))
