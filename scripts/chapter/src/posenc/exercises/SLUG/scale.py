"""Exercise 1: positions in another unit."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, name_mistake
from .._registry import exercise
from .oracle import scaled

_MISTAKES: Mistakes = [
    (
        "scale divides instead of multiplying: it counts units per token.",
        lambda positions, scale: scaled(positions, 1 / scale),
    ),
    (
        "scale is added. A unit of another size multiplies each position.",
        lambda positions, scale: [p + scale for p in positions],
    ),
    (
        "scale is ignored.",
        lambda positions, scale: scaled(positions, 1.0),
    ),
]


@exercise(
    "How many units are two tokens, if one token is half a unit?",
    "Multiply: scale counts units per token.",
    "return positions * scale",
)
def scaled_position(attempt: Attempt, rng: Any) -> None:
    """Positions in another unit."""
    cases = [
        (np.asarray([2.0]), 3.0),
        *(
            (np.round(rng.uniform(-9, 9, size=n), 2), round(rng.uniform(1.5, 4), 2))
            for n in (1, 3, 8)
        ),
    ]
    results = []
    for positions, scale in cases:
        answer = attempt.ask(positions, scale)
        found = attempt.real_numbers(answer, positions.shape, "The result")
        results.append(((positions.tolist(), scale), found))
    for (positions, scale), found in results:
        right = scaled(positions, scale)
        if not _close(found, right):
            attempt.reject(
                "The positions are not in the new unit.",
                f"positions {positions}, scale {scale}\n"
                f"yours: {found.tolist()}\nright: {right}",
                name_mistake(results, _MISTAKES, _close),
            )
    attempt.held.append("every position, on random inputs")


def _close(found: Any, right: Any) -> bool:
    return bool(np.allclose(found, right, rtol=1e-6, atol=1e-9))
