"""Exercises 6 and 7: rotated features, and a denominator that is zero."""

import math
from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise
from .oracle import close, elu, turn, worst


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
    """Weights with the rotation in the numerator; every option is a mistake."""
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
        "Tokens are turned first and lifted afterwards: the map bends the angles, and "
        "the weights no longer depend on differences alone. (The denominator is "
        "right.)",
        lambda q, k, a: _weights(q, k, a, first=True),
    ),
    (
        "Tokens are turned first and lifted afterwards, above and below: the map bends "
        "the angles. Turn the features instead, and in the numerator alone.",
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


@exercise(
    "Give two tokens the same query and key and shift all positions by one. Which "
    "weights stay?",
    "A turn by an angle and then the map is not the map and then the turn. Which of "
    "the two leaves products that depend on the difference of the angles?",
    "Two things: the features must be turned, not the tokens; and the denominator uses "
    "the features that are not turned.",
)
def repair_rotation(attempt: Attempt, rng: Any) -> None:
    """Repair rotated linear attention: two things are wrong."""
    received: list[tuple[tuple[Any, ...], Any]] = []
    for number, (length, d) in enumerate([(1, 2), (2, 2), (3, 4), (5, 6), (7, 8)]):
        q, k = np.round(rng.normal(size=(2, length, d)), 1)
        angles = np.round(rng.uniform(0.2, 3, size=(length, d // 2)), 2)
        args = (q.copy(), k.copy(), angles.copy())
        if number:
            answer = attempt.ask(*args)
        else:
            answer = attempt.choose_style(("numpy", "torch"), *args)
        got = attempt.real_numbers(answer, (length, length), "The table of weights")
        received.append(((q, k, angles), got))
    for (q, k, angles), got in received:
        right = _weights(q, k, angles)
        if not close(got, right):
            i, j = worst(got, right)
            call = attempt.call_text(Shown("q"), Shown("k"), Shown("angles"))
            attempt.reject(
                f"The weight of query {i} and key {j} is another one, of {len(q)} "
                f"{'token' if len(q) == 1 else 'tokens'}.",
                f"{call}[{i}, {j}]\ngives {got[i, j]:.4g}, should be {right[i, j]:.4g}",
                name_mistake(received, _MISTAKES, close),
            )
    attempt.held += ["one token weighs 1", "all pairs, at any angles"]


_ANGLE_MISTAKES: Mistakes = [
    (
        "In degrees that would be right. Angles are in radians here.",
        lambda n: math.degrees(math.acos(-1 / n)),
    ),
    ("That makes n cos a = 1. The sum must be zero.", lambda n: math.acos(1 / n)),
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


@exercise(
    "With features (1, 1) the product of the query with itself is 2. What is it with a "
    "key that is turned by a?",
    "The denominator is 2 + n * 2 cos a.",
    "cos a = -1 / n: math.acos gives the smallest such angle.",
)
def crossing_angle(attempt: Attempt, rng: Any) -> None:
    """Angle of n equal keys for which the rotated denominator is zero."""
    received: list[tuple[tuple[Any, ...], float]] = []
    for number, n in enumerate([2, 1, 3, 10, int(rng.integers(20, 200))]):
        answer = attempt.ask(n) if number else attempt.choose_style(("numpy",), n)
        received.append(((n,), float(attempt.real_numbers(answer, (), "The angle"))))
    for (n,), got in received:
        right = math.acos(-1 / n)
        if abs(got - right) > 1e-6:
            below = 2 + 2 * n * math.cos(got)
            attempt.reject(
                f"With {n} other keys it is another angle.",
                f"{attempt.call_text(n)}\ngives {got:.4f}: the denominator is "
                f"{below:.3g}, should be 0",
                name_mistake(received, _ANGLE_MISTAKES, lambda a, b: abs(a - b) < 1e-6),
            )
    attempt.held += ["the smallest positive angle", "any number of keys"]
