"""Exercise 4: how far apart two encodings are, and in which direction."""

import math
from functools import partial
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import encoding, frequencies


def _turn(first: Any, second: Any, pair: int) -> float:
    """Turn of one clock as atan2 tells it: between -pi and pi."""
    (s, c), (t, d) = first[2 * pair :][:2], second[2 * pair :][:2]
    return math.atan2(t * c - d * s, c * d + s * t)


def _slowest(first: Any, base: float) -> float:
    """Radians that the slowest clock turns for each token."""
    return frequencies(len(first), base)[-1]


def _offset(first: Any, second: Any, *, base: float) -> float:
    return _turn(first, second, len(first) // 2 - 1) / _slowest(first, base)


def _halved(first: Any, second: Any, *, base: float) -> float:
    """Return the turn as the arctan of sine over cosine, between -pi/2 and pi/2."""
    turn = math.remainder(_turn(first, second, len(first) // 2 - 1), math.pi)
    return turn / _slowest(first, base)


def _arcsine(first: Any, second: Any, *, base: float) -> float:
    """Return the turn as the arcsine of its sine."""
    sine = math.sin(_turn(first, second, len(first) // 2 - 1))
    return math.asin(sine) / _slowest(first, base)


def _unwrapped(first: Any, second: Any, *, base: float) -> float:
    """Difference of two angles, each between -pi and pi, that is not wrapped."""
    before, after = (math.atan2(hand[-2], hand[-1]) for hand in (first, second))
    return (after - before) / _slowest(first, base)


_MISTAKES: Mistakes = [
    (
        "The sign is lost. A dot product (and an arccos) is the same for k and -k; "
        "sin(t') cos(t) - cos(t') sin(t) is not.",
        lambda first, second, *, base: abs(_offset(first, second, base=base)),
    ),
    (
        "The sign is turned round: k is positive if the second vector stands later.",
        lambda first, second, *, base: -_offset(first, second, base=base),
    ),
    (
        "This is the turn of the fastest clock. It may have gone round many times; "
        "only the slowest one has certainly not.",
        lambda first, second, *, base: _turn(first, second, 0),
    ),
    (
        "This is the angle by which the slowest clock has turned. Divide it by the "
        "radians that it turns for each token.",
        lambda first, second, *, base: _turn(first, second, len(first) // 2 - 1),
    ),
    (
        "An arctan lies between -pi/2 and pi/2: from the quotient it cannot tell which "
        "of sine and cosine was negative. arctan2 takes both, and can.",
        _halved,
    ),
    (
        "An arcsin lies between -pi/2 and pi/2: a turn by more than a quarter of a "
        "round has the sine of a smaller one. arctan2 takes the cosine, too.",
        _arcsine,
    ),
    (
        "The slowest clock is taken to turn by 1 / base for each token. It turns by "
        "base ** (-(d - 2) / d).",
        lambda first, second, *, base: _turn(first, second, len(first) // 2 - 1) * base,
    ),
    (
        "Two angles are subtracted, and the difference may leave the range from -pi to "
        "pi. Take the angle of the difference instead, or bring it into the range.",
        _unwrapped,
    ),
]


_FIXED = [
    (0, 1, 2, 100.0),
    (2, -1, 4, 100.0),
    (7, 0, 4, 100.0),
    (5, 12, 4, 100.0),
    (28, 9, 4, 100.0),  # the slow hand passes the 6
    (3, 20, 4, 100.0),  # it turns by more than a quarter round
]


def _random_cases(rng: Any, count: int) -> list[tuple[int, int, int, float]]:
    """Offsets that the slowest clock can tell: less than half a round."""
    cases = []
    for _ in range(count):
        d, base = int(rng.choice([4, 8, 16])), float(rng.choice([100.0, 10_000.0]))
        most = min(int(0.95 * math.pi / frequencies(d, base)[-1]), 2000)
        k = int(rng.integers(1, most)) * int(rng.choice([-1, 1]))
        cases.append((int(rng.integers(0, 500)) + max(-k, 0), k, d, base))
    return cases


def _show(failure: Failure) -> str:
    return (
        f"{failure.call} with {failure.case.note}, d = {len(failure.args[0])}\n"
        f"gives {failure.received:.4g}, should be {failure.right:.4g}"
    )


@ask_for_function(
    "One clock is enough: the slowest, features d - 2 and d - 1. How do the sine and "
    "the cosine of its turn follow from the two hands?",
    "With (s, c) the first hand and (s', c') the second, cos(theta k) = c c' + s s', "
    "and sin(theta k) = s' c - c' s.",
    "theta = base ** (-(d - 2) / d), and k = np.arctan2(s' c - c' s, c c' + s s') / "
    "theta.",
    right=_offset,
    what="The offset",
    problem="This is not the offset.",
    example=_show,
    shown=["PE(t)", "PE(t + k)"],
    mistakes=_MISTAKES,
    held=[
        "any start",
        "forward and back",
        "offsets for which the fast clocks go round many times",
    ],
    close=partial(np.isclose, rtol=1e-3, atol=1e-3),
)
def find_offset(rng: Any) -> list[Case]:
    """Offset k from the two vectors PE(t) and PE(t + k) alone."""
    return [
        Case(
            (encoding(t, d, base), encoding(t + k, d, base)),
            {"base": base},
            note=f"t = {t}",
        )
        for t, k, d, base in [*_FIXED, *_random_cases(rng, 8)]
    ]
