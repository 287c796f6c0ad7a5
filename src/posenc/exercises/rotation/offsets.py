"""Exercise 4: how far apart two encodings are, and in which direction."""

import math
from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise
from .oracle import encoding, frequencies

Case = tuple[int, int, int, float]  # t, k, d_model, base


def _turn(case: Case, pair: int) -> float:
    """Turn of one clock as atan2 tells it: between -pi and pi."""
    _, k, d, base = case
    return math.remainder(frequencies(d, base)[pair] * k, 2 * math.pi)


def _unwrapped(case: Case) -> float:
    """Difference of two angles, each between -pi and pi, that is not wrapped."""
    t, k, d, base = case
    theta = frequencies(d, base)[-1]
    before, after = (math.remainder(theta * m, 2 * math.pi) for m in (t, t + k))
    return (after - before) / theta


_MISTAKES: Mistakes = [
    (
        "The sign is lost. A dot product (and an arccos) is the same for k and -k; "
        "sin(t') cos(t) - cos(t') sin(t) is not.",
        lambda case: abs(case[1]),
    ),
    (
        "The sign is turned round: k is positive if the second vector stands later.",
        lambda case: -case[1],
    ),
    (
        "This is the turn of the fastest clock. It may have gone round many times; "
        "only the slowest one has certainly not.",
        lambda case: _turn(case, 0),
    ),
    (
        "This is the angle by which the slowest clock has turned. Divide it by the "
        "radians that it turns for each token.",
        lambda case: _turn(case, -1),
    ),
    (
        "Two angles are subtracted, and the difference may leave the range from -pi to "
        "pi. Take the angle of the difference instead, or bring it into the range.",
        _unwrapped,
    ),
]


@exercise(
    "One clock is enough: the slowest, features d - 2 and d - 1. How do the sine and "
    "the cosine of its turn follow from the two hands?",
    "With (s, c) the first hand and (s', c') the second, cos(theta k) = c c' + s s', "
    "and sin(theta k) = s' c - c' s.",
    "theta = base ** (-(d - 2) / d), and k = np.arctan2(s' c - c' s, c c' + s s') / "
    "theta.",
)
def find_offset(attempt: Attempt, rng: Any) -> None:
    """Offset k from the two vectors PE(t) and PE(t + k) alone."""
    received: list[tuple[tuple[Case], float]] = []
    for case in [*_FIXED, *_random_cases(rng, 8)]:
        t, k, d, base = case
        first, second = encoding(t, d, base), encoding(t + k, d, base)
        if not received:
            answer = attempt.choose_style(("numpy", "torch"), first, second, base=base)
        else:
            answer = attempt.ask(first, second, base=base)
        number = attempt.real_numbers(answer, (), "The offset")
        received.append(((case,), float(number)))
    for (case,), number in received:
        t, k, d, base = case
        if not _same(number, k):
            names = Shown(f"PE({t})"), Shown(f"PE({t + k})")
            call = attempt.call_text(*names, base=base)
            attempt.reject(
                "The offset is another one.",
                f"{call}, d = {d}\ngives {number:.4g}, should be {k}",
                name_mistake(received, _MISTAKES, _same),
            )
    attempt.held += [
        "any start",
        "forward and back",
        "offsets for which the fast clocks go round many times",
    ]


_FIXED: list[Case] = [
    (0, 1, 2, 100.0),
    (2, -1, 4, 100.0),
    (7, 0, 4, 100.0),
    (5, 12, 4, 100.0),
    (28, 9, 4, 100.0),  # the slow hand passes the 6
]


def _random_cases(rng: Any, count: int) -> list[Case]:
    """Offsets that the slowest clock can tell: less than half a round."""
    cases = []
    for _ in range(count):
        d, base = int(rng.choice([4, 8, 16])), float(rng.choice([100.0, 10_000.0]))
        most = min(int(0.95 * math.pi / frequencies(d, base)[-1]), 2000)
        k = int(rng.integers(1, most)) * int(rng.choice([-1, 1]))
        cases.append((int(rng.integers(0, 500)) + max(-k, 0), k, d, base))
    return cases


def _same(received: Any, right: Any) -> bool:
    return bool(np.isclose(received, right, rtol=1e-3, atol=1e-3))
