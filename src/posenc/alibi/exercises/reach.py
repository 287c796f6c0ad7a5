"""Exercises 5 and 6: how far a head sees, and what it takes to see farther."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import needed_score as right_score
from .oracle import powers_sum, reach, share_within

_SLOPES = (0.5, 0.25, 0.0625, 2.0**-8)


def _endless(slope: float, share: float, k_len: int) -> int:
    return max(math.ceil(-math.log(1 - share) / slope) - 1, 0)


_REACH_MISTAKES: Mistakes = [
    (
        "It is one too large: D + 1 keys lie within distance D, the query's own token "
        "among them.",
        lambda m, p, n: reach(m, p, n) + 1,
    ),
    (
        "It is one too small: the keys up to this distance do not hold the share yet.",
        lambda m, p, n: reach(m, p, n) - 1,
    ),
    (
        "It does not depend on k_len: this is the formula for past keys without end. "
        "With few keys the near ones hold more.",
        _endless,
    ),
    (
        "This is the distance beyond which the share lies: share and 1 - share are "
        "exchanged.",
        lambda m, p, n: reach(m, 1 - p, n),
    ),
]


def _show_share(failure: Failure) -> str:
    (slope, _, k_len), distance = failure.args, int(failure.received)
    held = share_within(slope, distance, k_len) if distance >= 0 else 0.0
    return (
        f"{failure.call}\ngives {distance}, where {held:.4f} of the weight lies; "
        f"should be {failure.right}"
    )


@ask_for_function(
    "With x = e^(-slope) the weights are proportional to 1, x, x^2, …, x^(n-1). Their "
    "sum up to distance D is (1 - x^(D+1)) / (1 - x).",
    "So the share within D is (1 - x^(D+1)) / (1 - x^n). Set it >= p and solve for "
    "x^(D+1).",
    "x^(D+1) <= 1 - p (1 - x^n). Take the logarithm (it is negative: the sign turns) "
    "and round up: D + 1 = ceil(-log(1 - p * (1 - x**n)) / slope).",
    right=reach,
    what="The distance",
    problem="A distance is not the smallest one that holds the share.",
    example=_show_share,
    mistakes=_REACH_MISTAKES,
    held=["few keys and many", "every share that was tried"],
)
def reach_of_head(rng: Any) -> Any:
    """Smallest distance that holds a share of the weight, for any number of keys."""
    drawn = zip(
        rng.choice(_SLOPES, size=12).tolist(),
        rng.uniform(0.05, 0.995, size=12).round(3).tolist(),
        (2 ** rng.integers(1, 12, size=12)).tolist(),
        strict=True,
    )
    small = [(0.5, 0.5, 1), (0.5, 0.5, 2), (0.25, 0.9, 5), (0.5, 0.9, 100)]
    return [*small, *drawn, (2.0**-8, 0.99, 10**9)]  # the last: no time for a loop


def _log_sum(slope: float, last: int) -> float:
    return math.log(powers_sum(slope, 0, last))


def _for_any_number(slope: float, distance: int, k_len: int) -> float:
    if slope == 0:
        return math.inf
    return slope * distance - math.log(-math.expm1(-slope))


_SCORE_MISTAKES: Mistakes = [
    (
        "Only the bias of the key itself is made good. It has to outweigh all the "
        "other keys together.",
        lambda m, d, n: m * d,
    ),
    (
        "The key itself is counted among the others.",
        lambda m, d, n: m * d + _log_sum(m, n - 1),
    ),
    (
        "This is the bound for any number of keys. Sum only the k_len - 1 others.",
        _for_any_number,
    ),
    (
        "Only the keys nearer than it are counted as others.",
        lambda m, d, n: m * d + _log_sum(m, d - 1),
    ),
    (
        "The sum of the others is missing its logarithm.",
        lambda m, d, n: m * d + math.exp(right_score(m, d, n) - m * d),
    ),
    (
        "The bias of the key is forgotten: add slope * distance.",
        lambda m, d, n: right_score(m, d, n) - m * d,
    ),
    (
        "The others are taken to be without a bias. They have theirs, too.",
        lambda m, d, n: m * d + math.log(n - 1),
    ),
]


def _show_weight(failure: Failure) -> str:
    (slope, distance, _), lead, right = failure.args, failure.received, failure.right
    others = math.exp(right - slope * distance)
    weight = 1 / (1 + others * math.exp(slope * distance - lead))
    return (
        f"{failure.call}\ngives {lead:.6g}, and the key a weight of {weight:.4f}; "
        f"should be {right:.6g}"
    )


@ask_for_function(
    "Let all other scores be 0 and its own score a. Its weight is e^(a - m D) over the "
    "sum of all such terms. When is that one half?",
    "When e^(a - m D) equals the sum of all others: e^(-m t) over all distances t from "
    "0 to k_len - 1 but D.",
    "a = m * D + log(sum of exp(-m * t) for t in range(k_len) if t != D).",
    right=right_score,
    what="The lead",
    problem="With this lead the key does not get half of the weight.",
    example=_show_weight,
    mistakes=_SCORE_MISTAKES,
    held=["exactly half of the weight, for every slope and distance"],
    close=lambda received, right: np.isclose(received, right, rtol=2e-6, atol=1e-7),
)
def needed_score(rng: Any) -> Any:
    """Lead in score that a key at a distance needs for half of the weight."""
    slopes = rng.choice(_SLOPES, size=8).tolist()
    distances = rng.integers(1, 200, size=8)
    lengths = distances + rng.integers(1, 300, size=8)
    drawn = zip(slopes, distances.tolist(), lengths.tolist(), strict=True)
    small = [(0.5, 1, 2), (0.5, 1, 3), (0.25, 4, 5), (0.5, 100, 500), (0.0, 3, 64)]
    far = [(2.0**-8, 600, 1000), (2.0**-12, 40_000, 50_000)]
    return [*small, *drawn, *far]
