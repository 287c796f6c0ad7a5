"""Exercises 8 to 10: rotated features, zero denominators, numbers from widgets."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import close, elu, turn


def _weights(
    q: Any,
    k: Any,
    angles: Any,
    *,
    first: bool = False,
    bottom: bool = False,
    keys: bool = True,
    queries: bool = True,
    top: bool = True,
) -> Any:
    """Return weights with the numerator rotated; every option is a mistake."""
    if first:
        plain = elu(turn(q, angles)), elu(turn(k, angles))
        if not bottom:
            return _ratio(*plain, elu(q), elu(k))
        return _ratio(*plain, *plain)
    a, b = elu(q), elu(k)
    turned = (turn(a, angles) if queries else a, turn(b, angles) if keys else b)
    above = turned if top else (a, b)
    return _ratio(*above, *(turned if bottom else (a, b)))


def _ratio(q: Any, k: Any, q_below: Any, k_below: Any) -> Any:
    out = np.empty((len(q), len(k)))
    for i in range(len(q)):
        below = sum(float(np.dot(q_below[i], key)) for key in k_below)
        for j in range(len(k)):
            out[i, j] = float(np.dot(q[i], k[j])) / below
    return out


_MISTAKES: Mistakes = [
    (
        "The denominator is rotated, too: it can be zero. Let it sum the products of "
        "the features before the turn.",
        lambda q, k, a: _weights(q, k, a, bottom=True),
    ),
    (
        "Tokens are turned before the map, so the weights no longer depend on "
        "differences alone. (The denominator is right.)",
        lambda q, k, a: _weights(q, k, a, first=True),
    ),
    (
        "Tokens are turned before the map, above and below. Turn the features instead, "
        "and in the numerator alone.",
        lambda q, k, a: _weights(q, k, a, first=True, bottom=True),
    ),
    (
        "The keys are not turned.",
        lambda q, k, a: _weights(q, k, a, keys=False),
    ),
    (
        "The queries are not turned.",
        lambda q, k, a: _weights(q, k, a, queries=False),
    ),
    (
        "The rotation is in the denominator alone. It belongs above.",
        lambda q, k, a: _weights(q, k, a, top=False, bottom=True),
    ),
    (
        "Nothing is turned at all.",
        lambda q, k, a: _weights(q, k, a, top=False),
    ),
]


def _problem(failure: Failure) -> str:
    (i, j), length = failure.entry, len(failure.args[0])
    return (
        f"The weight of query {i} and key {j} is wrong ({length} "
        f"{'token' if length == 1 else 'tokens'})."
    )


def _example(failure: Failure) -> str:
    i, j = failure.entry
    got, right = failure.received[i, j], failure.right[i, j]
    return f"{failure.call}[{i}, {j}]\ngives {got:.4g}, should be {right:.4g}"


@ask_for_function(
    "Give two tokens the same query and key and shift all positions by one. Which "
    "weights stay?",
    "A turn by an angle and then the map is not the map and then the turn. Which of "
    "the two leaves products that depend on the difference of the angles?",
    "Two things: the features must be turned, not the tokens; and the denominator uses "
    "the features that are not turned.",
    right=_weights,
    what="The table of weights",
    problem=_problem,
    mistakes=_MISTAKES,
    held=["one token weighs 1", "all pairs, at any angles"],
    example=_example,
    shown=["q", "k", "angles"],
    close=close,
    uses=("linear_attention.elu_plus_one", "rope.rotary_angles", "rope.apply_rotary"),
)
def repair_rotation(rng: Any) -> Any:
    """Repair rotated linear attention: two things are wrong."""
    cases = []
    for length, d in [(1, 2), (2, 2), (3, 4), (5, 6), (7, 8)]:
        q, k = np.round(rng.normal(size=(2, length, d)), 1)
        angles = np.round(rng.uniform(0.2, 3, size=(length, d // 2)), 2)
        cases.append((q, k, angles))
    return cases


_ANGLE_MISTAKES: Mistakes = [
    (
        "In degrees that would be right. Angles are in radians here.",
        lambda n: math.degrees(math.acos(-1 / n)),
    ),
    ("That makes n cos δ = 1. The sum must be zero.", lambda n: math.acos(1 / n)),
    (
        "That is the angle at which n cosines alone sum to zero. The query's own key "
        "adds its 1.",
        lambda n: math.pi / 2,
    ),
    (
        "That spreads the keys over the circle, each at an angle of its own. Here all "
        "of them have the same angle.",
        lambda n: 2 * math.pi / (n + 1),
    ),
    (
        "Count again: n keys are turned, and the query's own comes in addition.",
        lambda n: math.acos(-1 / max(n - 1, 1)),
    ),
]


def _crossing(failure: Failure) -> str:
    got = float(failure.received)
    if not math.isfinite(got):
        return f"{failure.call}\ngives {got}, which is no angle"
    below = f"{2 + 2 * failure.args[0] * math.cos(got):.3g}"
    return f"{failure.call}\ngives {got:.4f}: the denominator is {below}, should be 0"


@ask_for_function(
    "With features (1, 1) the product of the query with itself is 2. What is it with a "
    "key that is turned by δ?",
    "The denominator is 2 + n * 2 cos δ.",
    "cos δ = -1 / n: math.acos gives the smallest such angle.",
    right=lambda n: math.acos(-1 / n),
    what="The angle",
    problem=lambda failure: (
        f"The angle for {failure.args[0]} other "
        f"{'key' if failure.args[0] == 1 else 'keys'} is wrong."
    ),
    mistakes=_ANGLE_MISTAKES,
    held=["the smallest positive angle", "any number of keys"],
    example=_crossing,
    close=lambda received, right: abs(received - right) < 1e-6,
)
def crossing_angle(rng: Any) -> Any:
    """Angle of n equal keys for which the rotated denominator is zero."""
    return [(n,) for n in (2, 1, 3, 10, int(rng.integers(20, 200)), 700)]


_SENTENCE = (0, 1, 2, 2, 1, 0)  # dog bites man, man bites dog
_KEYS = ((0, 0, 0, 2), (2, 2, 0, 1), (4, 2, 0, 0))  # of the running example
_ASKED = (
    "times as many multiplications, for L = 4,096 and d = 64",
    "first entry of z after six tokens",
    "product of the lifted vectors",
)
_LENGTH, _WIDTH = 4096, 64


def _normalizer() -> list[int]:
    features = np.asarray(_KEYS) + 1  # elu + 1 of numbers that are not negative
    total: list[int] = features[list(_SENTENCE)].sum(0).tolist()
    return total


_NOT_SQUARED = "That is the product in the plane. The lift makes it squared."


@ask_for_value(
    "For the first, the sentence under the bars says how many times more. For the "
    "second, the last column of the state is z.",
    "For the second, slope 0 means that nothing fades. Go to the last token and point "
    "at the first entry of z.",
    "The third: the product of the lifted vectors is (q · k)². For q = (1, 1) and "
    "k = (-1, -1) the plain product is -2.",
    what="The list of numbers",
    entry="a number",
    line=lambda i, number: f"question {i + 1}: not {number} ({_ASKED[i]})",
    slips=[
        (0, _LENGTH, "That is L. The orders differ by the factor L / d."),
        (
            0,
            2 * _LENGTH // _WIDTH,
            "Both orders need two products, so the 2 cancels: L / d.",
        ),
        (
            0,
            1,
            "The two orders give the same result, but not at the same cost: L is "
            "larger than d here.",
        ),
        (1, _normalizer()[0] // 2, "That is after three tokens. There are six."),
        (
            1,
            sum(_KEYS[i][0] for i in _SENTENCE),
            "Sum the features, φ(k) = k + 1 here, not the keys.",
        ),
        (
            1,
            _KEYS[_SENTENCE[-1]][0] + 1,
            "That is the feature of the last token alone. With slope 0 nothing fades, "
            "and all six are summed.",
        ),
        (2, -2, _NOT_SQUARED),
        (2, 2, _NOT_SQUARED),
        (2, -4, "A square is not negative."),
    ],
    held=["all three numbers"],
)
def three_numbers() -> list[int]:
    """Find a ratio of costs, an entry of the normalizer, and a kernel."""
    return [_LENGTH // _WIDTH, _normalizer()[0], 4]
