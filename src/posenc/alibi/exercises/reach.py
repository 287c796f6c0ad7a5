"""Exercises 5 to 8: the reach of a head, wrong code to mend, settings to find."""

import math
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function
from posenc.kit.exercises.widget_answers import check_ranges, read_settings

from .oracle import (
    bias,
    causal,
    close,
    penalty,
    powers_sum,
    reach,
    share_within,
    slopes,
    sorted_slopes,
)
from .oracle import needed_score as right_score

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


_REPAIR_SLOPES = (
    "The slopes are 2^(-8h/H) for every number of heads. The checkpoint was trained "
    "with those of the published recipe: for 12 heads, 8 slopes and 4 appended ones."
)
_SORTED = (
    "The slopes are right but in another order. Head 9 of the checkpoint expects the "
    "first appended one."
)
_FAR = (
    "The sign is turned: the farther a key, the more it gets. The bias is "
    "-slope * (query - key)."
)
_AFTER = (
    "Keys before the query get 0, and those after it the penalty: the two directions "
    "are exchanged."
)


def _bias(
    num_heads: int,
    q_len: int,
    k_len: int,
    q_offset: int,
    *,
    recipe: Callable[[int], list[float]] = slopes,
    rule: Callable[[int], float] = causal,
) -> Any:
    return bias(recipe(num_heads), q_len, k_len, q_offset, rule)


_RECIPES: dict[str, Callable[[int], list[float]]] = {
    _REPAIR_SLOPES: sorted_slopes,
    _SORTED: lambda num_heads: sorted(slopes(num_heads), reverse=True),
}
_RULES: dict[str, Callable[[int], float]] = {
    _FAR: penalty,
    _AFTER: lambda distance: -penalty(-distance),
}
_MISTAKES = [
    *((text, partial(_bias, recipe=recipe)) for text, recipe in _RECIPES.items()),
    *((text, partial(_bias, rule=rule)) for text, rule in _RULES.items()),
    *(  # the sign shows in the first example
        ((sign, order), partial(_bias, recipe=recipe, rule=rule))
        for (order, recipe), (sign, rule) in product(_RECIPES.items(), _RULES.items())
    ),
]


def _show(failure: Failure) -> str:
    h, i, j = failure.entry
    return (
        f"{failure.call}\nhead {h + 1} of {failure.args[0]}, query at "
        f"{failure.case.kwargs['q_offset'] + i}, key at {j}: {failure.gives}"
    )


@ask_for_function(
    "Look at a model with 8 heads first: print the bias of one head for six queries. "
    "Which key is favored?",
    "Then compare the slopes of 12 heads with those of `posenc.alibi.alibi_slopes`. "
    "For 8 heads they agree.",
    "Two lines are wrong: the slopes (append, do not interpolate) and the sign of the "
    "distance.",
    right=_bias,
    what="The bias",
    problem="A bias is not the one that the checkpoint was trained with.",
    example=_show,
    mistakes=_MISTAKES,
    one_of=True,
    held=["8 heads", "12 heads, in the published order", "cached queries"],
    close=close,
)
def repair_checkpoint(rng: Any) -> Any:
    """Find and repair two mistakes in the bias of a released checkpoint."""
    cases = [(8, 1, 1, 0), (8, 3, 3, 0), (12, 2, 2, 0), (12, 1, 6, 5), (3, 4, 6, 2)]
    cases += [(count, 3, 9, 6) for count in rng.integers(2, 20, size=2).tolist()]
    cases += [(4, 1, 700, 600), (2, 600, 1, 0), (2, 1, 3, 40_000)]
    return [case(*shape, q_offset=offset) for *shape, offset in cases]


_NAMES = ("num_heads", "head", "length")
_STEEP = 0.9
_RANGES = {"num_heads": (1, 64), "head": (1, 64), "length": (2, 2048)}


@exercise(
    "First part: choose a number of heads that is no power of two, and look at the "
    "diamonds. When does the first of them move up?",
    "Second part: read the third sentence under the pictures while you move the head. "
    "The reach doubles when the slope halves.",
    "Third part: a head sees all tokens alike if its slope times the length is small.",
    asks_for="value",
)
def find_settings(attempt: Attempt, rng: Any) -> None:
    """Three settings with a given property, found with the widget."""
    settings = []
    for what, setting in read_settings(attempt, _NAMES):
        check_ranges(attempt, what, setting, _RANGES)
        if setting["head"] > setting["num_heads"]:
            attempt.reject(f"{what} has no such head: heads count from 1 to num_heads.")
        settings.append(setting)
    _judge_steeper(attempt, settings[0])
    _judge_reach(attempt, settings[1])
    _judge_flat(attempt, settings[2])


def _slope(setting: dict[str, Any]) -> float:
    return slopes(setting["num_heads"])[setting["head"] - 1]


def _judge_steeper(attempt: Attempt, setting: dict[str, Any]) -> None:
    first = slopes(setting["num_heads"])[0]
    if _slope(setting) <= max(first, _STEEP):
        attempt.reject(
            "In the first setting the head must be steeper than head 1, with a slope "
            f"above {_STEEP}.",
            f"head {setting['head']} has slope {_slope(setting):g}, head 1 {first:g}",
            _steeper_mistakes(setting["num_heads"], _slope(setting) > first),
        )
    attempt.held.append(f"slope {_slope(setting):.3g}, steeper than head 1")


def _steeper_mistakes(num_heads: int, steeper: bool) -> tuple[str, ...]:
    if num_heads & (num_heads - 1) == 0:
        return ("The number of heads is a power of two: head 1 is the steepest then.",)
    if steeper:
        return ("It is steeper than head 1, but more heads are needed.",)
    return ()


def _judge_reach(attempt: Attempt, setting: dict[str, Any]) -> None:
    distance = reach(_slope(setting), 0.9, setting["length"])
    if setting["length"] < 512 or not 100 <= distance <= 110:
        attempt.reject(
            "In the second setting 90 % of the weight must lie within 100 to 110 "
            "tokens, of at least 512.",
            f"it lies within {distance}, of {setting['length']}",
            _reach_mistakes(_slope(setting), distance),
        )
    attempt.held.append(f"90 % of the weight within {distance} tokens")


def _reach_mistakes(slope: float, distance: int) -> tuple[str, ...]:
    if 100 <= distance <= 110:
        return ("The reach is fine, but the text is too short.",)
    side = "flatter" if distance < 100 else "steeper"
    return (
        "In long texts, 90 % of the weight lies within about 2.3 / slope tokens: look "
        f"for a head {side} than yours, whose slope is {slope:.3f}.",
    )


def _judge_flat(attempt: Attempt, setting: dict[str, Any]) -> None:
    length, half = setting["length"], reach(_slope(setting), 0.5, setting["length"])
    if length < 32 or half < 0.45 * length:
        attempt.reject(
            "In the third setting the nearer half of at least 32 tokens must hold "
            "hardly more than half of the weight.",
            f"half of the weight lies within {half} of {length} tokens already",
        )
    attempt.held.append(f"half of the weight within {half} of {length} tokens")
