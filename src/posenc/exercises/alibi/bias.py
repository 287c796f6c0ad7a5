"""Exercises 3 and 4: the bias of all pairs, and one row that does the same."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise
from .oracle import all_close, bias, close, penalty, slopes

_BIAS_MISTAKES: Mistakes = [
    (
        "The sign is wrong: far keys are favored. The distance is subtracted.",
        lambda s, q, k, offset: -bias(s, q, k, offset),
    ),
    (
        "The direction is turned: keys before the query get 0, those after it the "
        "penalty. The distance is query minus key.",
        lambda s, q, k, offset: bias(s, q, k, offset, lambda d: -penalty(-d)),
    ),
    (
        "Keys after the query get a positive number. They are to get 0.",
        lambda s, q, k, offset: bias(s, q, k, offset, lambda d: -d),
    ),
    (
        "Keys after the query are penalized as well. That is the variant for both "
        "directions; here they are to get 0.",
        lambda s, q, k, offset: bias(s, q, k, offset, lambda d: -abs(d)),
    ),
    (
        "Keys after the query are masked here. The mask is another step: they are to "
        "get 0.",
        lambda s, q, k, offset: bias(
            s, q, k, offset, lambda d: -d if d >= 0 else -np.inf
        ),
    ),
    (
        "q_offset is ignored. Query i stands at position q_offset + i.",
        lambda s, q, k, offset: bias(s, q, k),
    ),
    (
        "q_offset has the wrong sign. Query i stands at position q_offset + i.",
        lambda s, q, k, offset: bias(s, q, k, -offset),
    ),
    (
        "All heads have the slope of the first.",
        lambda s, q, k, offset: bias([s[0]] * len(s), q, k, offset),
    ),
]


@exercise(
    "Write the distances first: shape (q_len, k_len), with q_offset + i - j.",
    "Keys after the query have a negative distance: np.maximum(distance, 0).",
    "-slopes[:, None, None] * distance has shape (num_heads, q_len, k_len).",
)
def linear_bias(attempt: Attempt, rng: Any) -> None:
    """Bias -m (i - j) of every head, query and key."""
    styles = ("numpy", "torch")
    attempt.choose_style(styles, np.asarray(slopes(2)), 3, 4, q_offset=1)
    shapes = [(1, 1, 0), (1, 2, 0), (2, 1, 0), (3, 3, 0), (1, 5, 4), (2, 7, 3)]
    shapes += [(a + 1, b + 1, c) for a, b, c in rng.integers(12, size=(3, 3)).tolist()]
    received = []
    for q_len, k_len, q_offset in shapes:
        head_slopes = np.asarray(slopes(int(rng.integers(2, 7))))
        answer = attempt.ask(head_slopes, q_len, k_len, q_offset=q_offset)
        shape = (len(head_slopes), q_len, k_len)
        values = attempt.real_numbers(answer, shape, "The bias")
        received.append(((head_slopes, q_len, k_len, q_offset), values))
    for (head_slopes, q_len, k_len, q_offset), values in received:
        right = bias(head_slopes, q_len, k_len, q_offset)
        wrong = np.argwhere(~close(values, right))
        if wrong.size:
            h, i, j = wrong[0].tolist()
            call = attempt.call_text(Shown("slopes"), q_len, k_len, q_offset=q_offset)
            attempt.reject(
                "A value is not -m (i - j).",
                f"{call}\nhead {h} with slope {head_slopes[h]:g}, query at "
                f"{q_offset + i}, key at {j}: gives {values[h, i, j]:g}, should be "
                f"{right[h, i, j]:g}",
                name_mistake(received, _BIAS_MISTAKES, all_close),
            )
    attempt.held += [
        "every head, query and key",
        "keys after the query get 0",
        "queries that begin at q_offset",
    ]


@exercise(
    "The softmax does not see what all keys of a query share. -m (i - j) = m j - m i: "
    "which part is shared?",
    "So m * j would do, in numbers of any precision. But at key 8,000 it is large, and "
    "float16 holds 11 bits: neighbors become equal.",
    "You may add any constant to the row. Choose it so that the newest key has 0: "
    "m * (j - (k_len - 1)).",
)
def one_row(attempt: Attempt, rng: Any) -> None:
    """One row per head in place of the matrix, safe to be stored in float16."""
    attempt.choose_style(("numpy", "torch"), np.asarray(slopes(2)), 4)
    for k_len in (1, 2, 7, 40):
        head_slopes = np.asarray(slopes(3))
        answer = attempt.ask(head_slopes, k_len)
        row = attempt.real_numbers(answer, (3, 1, k_len), "The row")
        steps = np.diff(row, axis=-1) - head_slopes[:, None, None]
        if not close(steps, 0.0).all():
            h = int(np.argwhere(~close(steps, 0.0))[0, 0])
            attempt.reject(
                "The weights are not those of the full bias.",
                f"{attempt.call_text(Shown('slopes'), k_len)}\n"
                f"head {h} has slope {head_slopes[h]:g}, but from key to key the row "
                f"changes by {np.unique(np.diff(row[h, 0]).round(6)).tolist()}",
                _row_mistake(row, head_slopes),
            )
    attempt.held.append("the same weights as the full bias, for every query")
    k_len = 8000
    head_slopes = np.asarray(slopes(4))
    answer = attempt.ask(head_slopes, k_len)
    row = attempt.real_numbers(answer, (4, 1, k_len), "The row")[:, 0]
    stored = row.astype(np.float16).astype(float)
    right = np.exp(-head_slopes[:, None] * np.arange(10)[::-1])
    got = np.exp(stored[:, -10:] - stored[:, -1:])
    if not np.allclose(got, right, atol=1e-3):
        h = int(np.argwhere(~np.isclose(got, right, atol=1e-3))[0, 0])
        attempt.reject(
            "In float16 the newest keys of a long text lose their order.",
            f"{attempt.call_text(Shown('slopes'), k_len)}, stored in float16\n"
            f"the last five entries of head {h}: {stored[h, -5:].tolist()}\n"
            f"should grow by {head_slopes[h]:g} each",
            (
                "The row counts from the oldest key. The constant is free: count from "
                "the newest one.",
            ),
        )
    attempt.held.append("exact for the newest of 8,000 keys, in float16 too")


def _row_mistake(row: Any, head_slopes: Any) -> tuple[str, ...]:
    """Name what the steps from key to key show."""
    steps = np.diff(row[:, 0], axis=-1)
    if close(steps, -head_slopes[:, None]).all():
        return ("The sign is turned: it falls toward the newest key, so far ones win.",)
    if close(steps, steps[0]).all():
        return ("All heads have the same slope.",)
    return ()
