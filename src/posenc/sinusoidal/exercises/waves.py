"""Exercise 4: the slowest wavelength."""

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
