"""Exercises 1 to 4: slopes and biases, by hand and in code."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import bias, close, penalty, power_below, slopes, sorted_slopes

#: Four slopes of 4 heads, two more of 6, and three biases: all of them exact.
BY_HAND = (1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8, -1 / 2, -1.0, -2.0)
_NAMES = (
    *(f"slope {h} of 4" for h in (1, 2, 3, 4)),
    *(f"slope {h} of 6" for h in (5, 6)),
    "bias of head 2 of 4, query 10, key 2",
    "bias of head 1 of 4, query 5, key 1",
    "bias of head 5 of 6, query 7, key 3",
)
_BY_HAND_MISTAKES: Mistakes = [
    (
        "The biases have the wrong sign: the distance is subtracted.",
        (*BY_HAND[:6], 1 / 2, 1.0, 2.0),
    ),
    (
        "The two new slopes are the second and fourth of 8 heads. Every other slope, "
        "beginning with the first, is meant: the others are there already.",
        (*BY_HAND[:4], 1 / 4, 1 / 16, -1 / 2, -1.0, -1.0),
    ),
    (
        "The two new slopes are the first and second of 8 heads. Every other slope is "
        "meant: the first and the third.",
        (*BY_HAND[:5], 1 / 4, *BY_HAND[6:]),
    ),
    (
        "The two new slopes go on behind the fourth. They come from 8 heads instead: "
        "every other slope, beginning with the first.",
        (*BY_HAND[:4], 2**-10, 2**-12, -1 / 2, -1.0, -4 * 2**-10),
    ),
    (
        "The two new slopes are those of the formula for 6 heads. As 6 is no power of "
        "two, they come from 8 heads.",
        (
            *BY_HAND[:4],
            *sorted_slopes(6)[4:],
            -1 / 2,
            -1.0,
            -4 * sorted_slopes(6)[4],
        ),
    ),
    (
        "The four slopes are those of 8 heads. With 4 heads the exponent goes on by "
        "-8/4 = -2.",
        (1 / 2, 1 / 4, 1 / 8, 1 / 16, *BY_HAND[4:6], -2.0, -2.0, -2.0),
    ),
    (
        "Each distance is one too large: it is query - key, 0 for the token itself.",
        (*BY_HAND[:6], -9 / 16, -5 / 4, -5 / 2),
    ),
    (
        "The slopes begin with 1. They begin with their own ratio, 1/4.",
        (1.0, 1 / 4, 1 / 16, 1 / 64, *BY_HAND[4:6], -2.0, -4.0, -2.0),
    ),
]


@ask_for_value(
    "With 4 heads the exponents are -8 * 1/4, -8 * 2/4, …: -2, -4, -6, -8.",
    "6 heads: p = 4, so two are appended. Write down the eight slopes of 2p = 8 heads "
    "and take the first and the third.",
    "A bias is -slope * (query - key): for head 2 of 4, query 10 and key 2 that is "
    "-(1/16) * 8.",
    what="The list",
    entry="a number",
    line=lambda i, number: f"{_NAMES[i]} is not {number:g}",
    mistakes=_BY_HAND_MISTAKES,
    held=["all six slopes", "all three biases"],
    close=close,
)
def bias_by_hand() -> Any:
    """Six slopes and three biases, by hand."""
    return BY_HAND


def _steepest_first(num_heads: int) -> list[float]:
    return sorted(slopes(num_heads), reverse=True)


def _odd_half(num_heads: int) -> list[float]:
    power = power_below(num_heads)
    return sorted_slopes(power) + sorted_slopes(2 * power)[1::2][: num_heads - power]


def _first_ones(num_heads: int) -> list[float]:
    power = power_below(num_heads)
    return sorted_slopes(power) + sorted_slopes(2 * power)[: num_heads - power]


def _appended_first(num_heads: int) -> list[float]:
    power = power_below(num_heads)
    return sorted_slopes(2 * power)[::2][: num_heads - power] + sorted_slopes(power)


def _from_zero(num_heads: int) -> list[float]:
    power = power_below(num_heads)
    ratio = sorted_slopes(power)[0]
    return [slope / ratio for slope in sorted_slopes(power)] + slopes(num_heads)[power:]


def _powers_from_zero(num_heads: int) -> list[float]:
    return [2.0 ** (-8.0 * h / num_heads) for h in range(num_heads)]


def _both_from_zero(num_heads: int) -> list[float]:
    power = power_below(num_heads)
    appended = _powers_from_zero(2 * power)[::2]
    return _powers_from_zero(power) + appended[: num_heads - power]


_FORMULA = (
    "This is the formula 2^(-8h/H) for every number of heads. It holds for powers "
    "of two alone: a released model with 12 heads has other slopes."
)
_FROM_ONE = "The slopes begin with 1: h counts from 1, not from 0."
_SLOPE_MISTAKES: Mistakes = [
    (_FORMULA, sorted_slopes),
    (
        "The slopes are right, but sorted. The order is part of the recipe: each head "
        "of a released model has learned to live with its own slope.",
        _steepest_first,
    ),
    (
        "Every other slope of 2p heads begins with the first one. The second, fourth, "
        "… are those of p heads once more.",
        _odd_half,
    ),
    (
        "The first slopes of 2p heads are appended; it should be every other one.",
        _first_ones,
    ),
    ("The slopes of 2p heads come first; they are to be appended.", _appended_first),
    (_FROM_ONE, _from_zero),
    (
        "The slopes begin with 1, those that are appended too: h counts from 1, not "
        "from 0.",
        _both_from_zero,
    ),
    ((_FROM_ONE, _FORMULA), _powers_from_zero),
    (
        "The heads are in reverse order: the first head has the steepest slope.",
        lambda n: slopes(n)[::-1],
    ),
    (
        "The slopes are sorted from flat to steep. The first head has the steepest "
        "one, and appended ones stay at the end.",
        lambda n: sorted(slopes(n)),
    ),
    (
        "These are the exponents, or the slopes with the wrong sign: slopes are "
        "positive, from 1 down to 1/256.",
        lambda n: [-s for s in slopes(n)],
    ),
]


def _which_fails(failure: Failure) -> str:
    """Name the powers of two, if one of them fails, else the other numbers."""
    for (num_heads,), values in ((c.args, values) for c, values in failure.seen):
        right = slopes(num_heads)
        if power_below(num_heads) == num_heads and not close(values, right).all():
            return "For a power of two a slope is not 2^(-8h/H)."
    return "For a number of heads that is no power of two a slope is another."


@ask_for_function(
    "First write the slopes of a power of two: 2 ** (-8 * h / p) for h = 1 … p.",
    "For other numbers of heads, find the largest power of two p below it. "
    "(num_heads.bit_length() helps, or a loop that doubles.)",
    "slopes of p heads + (slopes of 2p heads)[::2][: num_heads - p].",
    right=slopes,
    what="The list of slopes",
    problem=_which_fails,
    mistakes=_SLOPE_MISTAKES,
    held=["powers of two", "all other numbers, in the published order"],
    close=close,
)
def alibi_slopes(rng: Any) -> Any:
    """Slopes of any number of heads, in the published order."""
    counts = {1, 2, 8, 3, 6, 12, 16, 112, *rng.integers(5, 120, size=4).tolist()}
    return [(count,) for count in sorted(counts)]


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
    """Return True for heads whose rows differ only by a constant, which is free."""
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
