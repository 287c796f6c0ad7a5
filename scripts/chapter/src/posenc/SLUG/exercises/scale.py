"""Exercise 1: positions in another unit."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import scaled

_MISTAKES: Mistakes = [
    (
        "scale divides instead of multiplying: it counts units per token.",
        lambda positions, scale: scaled(positions, 1 / scale),
    ),
    (
        "scale is added. A unit of another size multiplies each position.",
        lambda positions, scale: positions + scale,
    ),
    (
        "scale is ignored.",
        lambda positions, scale: scaled(positions, 1.0),
    ),
]


@ask_for_function(
    "How many units are two tokens, if one token is half a unit?",
    "Multiply: scale counts units per token.",
    "return positions * scale",
    right=scaled,
    what="The result",
    problem="The positions are not in the new unit.",
    mistakes=_MISTAKES,
    held=["every position, on random inputs"],
)
def scaled_position(rng: Any) -> Any:
    """Positions in another unit."""
    drawn = [
        (np.round(rng.uniform(-9, 9, size=n), 2), round(rng.uniform(1.5, 4), 2))
        for n in (1, 3, 8)
    ]
    return [(np.asarray([2.0]), 3.0), *drawn]
