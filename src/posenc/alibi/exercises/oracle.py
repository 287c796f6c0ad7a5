"""ALiBi in plain loops and sums, for the exercises' judge and for tests.

It shares no code with `posenc.alibi`. Slopes are powers of two, so most values are
exact.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def sorted_slopes(num_heads: int) -> list[float]:
    """Return the geometric sequence that begins with its ratio and ends with 1/256."""
    return [2.0 ** (-8.0 * h / num_heads) for h in range(1, num_heads + 1)]


def power_below(num_heads: int) -> int:
    """Return the largest power of two that is not above num_heads."""
    power = 1
    while 2 * power <= num_heads:
        power *= 2
    return power


def slopes(num_heads: int) -> list[float]:
    """Return the published slopes, in their order."""
    power = power_below(num_heads)
    return sorted_slopes(power) + sorted_slopes(2 * power)[::2][: num_heads - power]


def penalty(distance: int) -> int:
    """Return the distance that is penalized, that of keys up to the query."""
    return max(distance, 0)


def causal(distance: int) -> float:
    """Return the bias of slope 1; keys after the query get 0."""
    return -penalty(distance)


def bias(
    head_slopes: Any,
    q_len: int,
    k_len: int,
    q_offset: int = 0,
    rule: Callable[[int], float] = causal,
) -> Any:
    """Return slope times `rule` of the distance, query minus key, in all heads."""
    out = np.empty((len(head_slopes), q_len, k_len))
    for h, slope in enumerate(head_slopes):
        for i in range(q_len):
            for j in range(k_len):
                out[h, i, j] = slope * rule(q_offset + i - j)
    return out + 0.0


def powers_sum(slope: float, first: int, last: int) -> float:
    """Sum e^(-slope r) for r = first … last, by the formula of geometric series."""
    if last < first:
        return 0.0
    count = last - first + 1
    if slope == 0:
        return float(count)
    return math.exp(-slope * first) * math.expm1(-slope * count) / math.expm1(-slope)


def share_within(slope: float, distance: int, k_len: int) -> float:
    """Return the share of the weight of equal scores that lies within a distance."""
    near, far = (
        powers_sum(slope, 0, distance),
        powers_sum(slope, distance + 1, k_len - 1),
    )
    return near / (near + far)


def reach(slope: float, share: float, k_len: int) -> int:
    """Return the smallest distance that holds the share, by halving."""
    low, high = 0, k_len - 1
    while low < high:
        middle = (low + high) // 2
        if share_within(slope, middle, k_len) >= share:
            high = middle
        else:
            low = middle + 1
    return low


def reach_of_any_scores(
    slope: float, share: float, k_len: int, score_bound: float
) -> int:
    """Return the first distance that holds the share for all scores in a bound."""
    for distance in range(k_len):
        near = sum(math.exp(-score_bound - slope * r) for r in range(distance + 1))
        far = sum(math.exp(score_bound - slope * r) for r in range(distance + 1, k_len))
        if near >= share * (near + far):
            return distance
    raise AssertionError


def needed_score(slope: float, distance: int, k_len: int) -> float:
    """Return the lead that gives a key the weight of all others together."""
    others = powers_sum(slope, 0, distance - 1)
    others += powers_sum(slope, distance + 1, k_len - 1)
    return slope * distance + math.log(others)


def close(received: Any, right: Any) -> Any:
    """Return True for entries that agree, in float32 at least."""
    return np.isclose(received, right, rtol=2e-6, atol=1e-9)
