"""Exercises 5 and 6: the slowest wavelength, and when a sine comes back."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

_MISTAKES: Mistakes = [
    (
        "That is 2π times the base: the wavelength that tensor2tensor's frequencies "
        "end at. The last pair is i = d/2 - 1, so its exponent is (d - 2)/d, not 1.",
        lambda d, b: 2 * math.pi * b,
    ),
    (
        "2π is missing: base^(2i/d) is the inverse of the angular frequency. A wave is "
        "through when its angle has grown by 2π.",
        lambda d, b: b ** ((d - 2) / d),
    ),
    (
        "The last pair is i = d/2 - 1, so 2i/d is (d - 2)/d; you have (d - 1)/d.",
        lambda d, b: 2 * math.pi * b ** ((d - 1) / d),
    ),
    (
        "That is the angular frequency. The wavelength is 2π divided by it.",
        lambda d, b: b ** (-(d - 2) / d),
    ),
    (
        "That is the fastest wave: pair 0. The slowest is the last.",
        lambda d, b: math.tau,
    ),
    (
        "The exponent has the wrong sign: that wave is faster than the first.",
        lambda d, b: 2 * math.pi * b ** (-(d - 2) / d),
    ),
    (
        "Half of it: a sine is through after 2π, not after π.",
        lambda d, b: math.pi * b ** ((d - 2) / d),
    ),
]


@ask_for_function(
    "Pair i turns by base^(-2i/d) radians per token. How many tokens until the angle "
    "has grown by 2π?",
    "The wavelength of pair i is 2π base^(2i/d). Which i has the last pair, if there "
    "are d/2 and the first is 0?",
    "i = d/2 - 1, so 2i/d = (d - 2)/d: the wavelength is 2π base^((d - 2)/d).",
    right=lambda d, base: 2 * math.pi * base ** ((d - 2) / d),
    what="The result",
    problem="The slowest pair turns in another time.",
    # One pair alone has no exponent, where many mistakes do not show.
    mistakes=_MISTAKES,
    held=["a single pair", "any width and base"],
    close=lambda received, right: np.isclose(received, right, rtol=1e-5, atol=0),
)
def slowest_wavelength(rng: Any) -> Any:
    """Tokens in which the slowest pair turns once."""
    cases = [(2, 10_000.0), (4, 100.0), (4, 10_000.0), (512, 10_000.0)]
    for d in rng.integers(2, 400, size=6).tolist():
        cases.append((2 * d, float(rng.integers(2, 10**6))))
    return cases


def _first_repeat(period: int, with_cosine: bool) -> int:
    """Try all positions, with angles in units of a whole turn divided by 2 `period`."""
    n = 1
    while True:
        for m in range(n):
            same_way = (n - m) % period == 0
            mirrored = (2 * (n + m)) % (2 * period) == period
            if same_way or (mirrored and not with_cosine):
                return n
        n += 1


_REPEAT_MISTAKES: Mistakes = [
    (
        "The mirrored hands are missing: at two positions of which one is as far up as "
        "the other is down, the sine is the same, and the cosine is not.",
        lambda period, with_cosine: period,
    ),
    (
        "The cosine tells mirrored hands apart: with it, only whole turns count.",
        lambda period, with_cosine: _first_repeat(period, False),
    ),
    (
        "Half a period is where the sine of position 0 is back. Other positions meet "
        "earlier: m + n can be half a period for other pairs, too.",
        lambda period, with_cosine: (
            period if with_cosine or period % 2 else period // 2
        ),
    ),
    (
        "Half a period, rounded down, is where the sine of position 0 is back only if "
        "the period is even. Other positions meet earlier then, and for an odd period "
        "none are mirrored: m + n would have to be half of an odd number.",
        lambda period, with_cosine: period if with_cosine else period // 2,
    ),
    (
        "For an odd period, m + n would have to be half of an odd number, but it is "
        "whole: there are no mirrored hands then.",
        lambda period, with_cosine: period if with_cosine else period // 4 + 1,
    ),
    (
        "m and n must be two positions. Where the hand points right, at a quarter of "
        "the period, it is its own mirror image.",
        lambda period, with_cosine: (
            period if with_cosine or period % 2 else max(-(-period // 4), 1)
        ),
    ),
]


@ask_for_function(
    "Draw a dial with 8 positions. At which of them is the hand equally far right?",
    "Hands that point the same way are whole periods apart. For mirrored hands m + n "
    "is half a period, or one and a half, and so on. Which is the smallest n > m?",
    "With the cosine, or for an odd period, it is the period. Else m + n is half of "
    "the period, and n the first whole number above a quarter of it.",
    right=_first_repeat,
    what="The position",
    problem="An earlier value comes back at another position.",
    mistakes=_REPEAT_MISTAKES,
    held=["sine and cosine", "the sine alone, for odd and for even periods"],
)
def first_repeat(rng: Any) -> Any:
    """Position at which a sine, or a sine and its cosine, first comes back."""
    periods = [8, 7, 6, 4, 10, 12, *rng.integers(13, 60, size=4).tolist(), 1, 2, 602]
    return [(period, cosine) for period in periods for cosine in (False, True)]
