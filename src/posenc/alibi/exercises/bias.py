"""Exercises 3 and 4: the bias of all pairs, and one row that does the same."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import bias, close, penalty, slopes

_BIAS_MISTAKES: Mistakes = [
    (
        "The sign is wrong: far keys are favored. The distance is subtracted.",
        lambda s, q, k, q_offset: -bias(s, q, k, q_offset),
    ),
    (
        "The direction is turned: keys before the query get 0, those after it the "
        "penalty. The distance is query minus key.",
        lambda s, q, k, q_offset: bias(s, q, k, q_offset, lambda d: -penalty(-d)),
    ),
    (
        "Keys after the query get a positive number. They are to get 0.",
        lambda s, q, k, q_offset: bias(s, q, k, q_offset, lambda d: -d),
    ),
    (
        "Keys after the query are penalized as well. That is the variant for both "
        "directions; here they are to get 0.",
        lambda s, q, k, q_offset: bias(s, q, k, q_offset, lambda d: -abs(d)),
    ),
    (
        "Keys after the query are masked here. The mask is another step: they are to "
        "get 0.",
        lambda s, q, k, q_offset: bias(
            s, q, k, q_offset, lambda d: -d if d >= 0 else -np.inf
        ),
    ),
    (
        "q_offset is ignored. Query i stands at position q_offset + i.",
        lambda s, q, k, q_offset: bias(s, q, k),
    ),
    (
        "q_offset has the wrong sign. Query i stands at position q_offset + i.",
        lambda s, q, k, q_offset: bias(s, q, k, -q_offset),
    ),
    (
        "The queries are aligned with the last keys (bottom right), wherever they "
        "stand. Query i stands at position q_offset + i.",
        lambda s, q, k, q_offset: bias(s, q, k, k - q),
    ),
    (
        "The heads are in reverse order. Head h has slopes[h].",
        lambda s, q, k, q_offset: bias(s[::-1], q, k, q_offset),
    ),
    (
        "All heads have the slope of the first.",
        lambda s, q, k, q_offset: bias([s[0]] * len(s), q, k, q_offset),
    ),
]


def _show(failure: Failure) -> str:
    head_slopes, q_offset = failure.args[0], failure.case.kwargs["q_offset"]
    h, i, j = failure.entry
    return (
        f"{failure.call}\nhead {h + 1} with slope {head_slopes[h]:g}, query at "
        f"{q_offset + i}, key at {j}: {failure.gives}"
    )


@ask_for_function(
    "Write the distances first: shape (q_len, k_len), with q_offset + i - j.",
    "Keys after the query have a negative distance: np.maximum(distance, 0).",
    "-slopes[:, None, None] * distance has shape (num_heads, q_len, k_len).",
    right=bias,
    what="The bias",
    problem="A value is not -m (i - j).",
    example=_show,
    shown=["slopes"],
    mistakes=_BIAS_MISTAKES,
    held=[
        "every head, query and key",
        "keys after the query get 0",
        "queries that begin at q_offset",
    ],
    close=close,
    first=lambda rng: case(np.asarray(slopes(2)), 3, 4, q_offset=1),
)
def linear_bias(rng: Any) -> Any:
    """Bias -m (i - j) of every head, query and key."""
    shapes = [(1, 1, 0), (1, 2, 0), (2, 1, 0), (3, 3, 0), (1, 5, 4), (2, 7, 3)]
    shapes += [(a + 1, b + 1, c) for a, b, c in rng.integers(12, size=(3, 3)).tolist()]
    shapes += [
        (1, 700, 600),
        (700, 1, 0),
        (1, 3, 40_000),
    ]  # keys far before and after a query
    return [
        case(np.asarray(slopes(int(rng.integers(2, 7)))), q_len, k_len, q_offset=offset)
        for q_len, k_len, offset in shapes
    ]


def _row(head_slopes: Any, k_len: int) -> Any:
    """Return the last row of the full bias: 0 for the newest key."""
    return bias(head_slopes, 1, k_len, k_len - 1)


def _same_steps(received: Any, right: Any) -> Any:
    """Tell heads whose rows differ by no more than a constant, which is free."""
    return close(np.diff(received), np.diff(right)).all(axis=-1)


def _show_steps(failure: Failure) -> str:
    h = failure.entry[0]
    steps = np.unique(np.diff(failure.received[h, 0]).round(6)).tolist()
    return (
        f"{failure.call}\nhead {h + 1} has slope {failure.args[0][h]:g}, but from key "
        f"to key the row changes by {steps}"
    )


_FROM_OLDEST = (
    "The row counts from the oldest key. The constant is free: count from the newest "
    "one."
)


def _far_from_zero(newest: float) -> str:
    return (
        f"The newest key has {newest:g}, where float16 is coarse. The constant is "
        "free: choose it so that the newest key has 0."
    )


_ROW_MISTAKES: Mistakes = [
    (
        "The sign is turned: it falls toward the newest key, so far ones win.",
        lambda s, k_len: -_row(s, k_len),
    ),
    (
        "All heads have the same slope.",
        lambda s, k_len: _row([s[0]] * len(s), k_len),
    ),
]


def _store_in_float16(attempt: Attempt, rng: Any) -> None:
    head_slopes, k_len = np.asarray(slopes(4)), 8000
    row = attempt.ask(head_slopes, k_len)
    row = attempt.real_numbers(row, (4, 1, k_len), "The row")[:, 0]
    stored = row.astype(np.float16).astype(float)
    right = np.exp(-head_slopes[:, None] * np.arange(10)[::-1])
    got = np.exp(stored[:, -10:] - stored[:, -1:])
    if not np.allclose(got, right, atol=1e-3):
        h = int(np.argwhere(~np.isclose(got, right, atol=1e-3))[0, 0])
        attempt.reject(
            "In float16 the newest keys of a long text lose their order.",
            f"{attempt.call_text(Shown('slopes'), k_len)}, stored in float16\n"
            f"the last five entries of head {h + 1}: {stored[h, -5:].tolist()}\n"
            f"should grow by {head_slopes[h]:g} each",
            (_FROM_OLDEST if row[h, 0] == 0 else _far_from_zero(row[h, -1]),),
        )
    attempt.held.append("exact for the newest of 8,000 keys, in float16 too")


@ask_for_function(
    "The softmax does not see what all keys of a query share. -m (i - j) = m j - m i: "
    "which part is shared?",
    "So m * j would do, in numbers of any precision. But at key 8,000 it is large, and "
    "float16 holds 11 bits: neighbors become equal.",
    "You may add any constant to the row. Choose it so that the newest key has 0: "
    "m * (j - (k_len - 1)).",
    right=_row,
    what="The row",
    problem="The weights are not those of the full bias.",
    example=_show_steps,
    shown=["slopes"],
    mistakes=_ROW_MISTAKES,
    held=["the same weights as the full bias, for every query"],
    close=_same_steps,
    then=_store_in_float16,
)
def one_row(rng: Any) -> Any:
    """One row per head in place of the matrix, safe to be stored in float16."""
    return [(np.asarray(slopes(3)), k_len) for k_len in (1, 2, 7, 40)]
