"""For marks: neighbors of exercise 1 that stand on no page."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import scaled

_BACK_MISTAKES: Mistakes = [
    ("It multiplies once more: go back to tokens.", scaled),
    ("scale is ignored.", lambda units, scale: scaled(units, 1.0)),
    ("scale is subtracted: it divides.", lambda units, scale: units - scale),
]


@ask_for_function(
    "How many tokens are two units, if one token is half a unit?",
    "What undoes a multiplication?",
    "return units / scale",
    right=lambda units, scale: scaled(units, 1 / scale),
    what="The result",
    problem="The positions are not in tokens.",
    mistakes=_BACK_MISTAKES,
    held=["every position, on random inputs"],
)
def back_to_tokens(rng: Any) -> Any:
    """Positions in tokens, from positions in another unit."""
    return [(np.round(rng.uniform(1, 9, size=n), 2), 2.5) for n in (1, 4)]


_FROM_MISTAKES: Mistakes = [
    (
        "The origin is subtracted after scaling: it is a position in tokens.",
        lambda p, scale, origin: scaled(p, scale) - origin,
    ),
    ("The origin is added.", lambda p, scale, origin: scaled(p + origin, scale)),
    ("The origin is ignored.", lambda p, scale, origin: scaled(p, scale)),
]


@ask_for_function(
    "Where does the new scale have its 0?",
    "Count from the origin first, then change the unit.",
    "return (positions - origin) * scale",
    right=lambda p, scale, origin: scaled(p - origin, scale),
    what="The result",
    problem="The positions are not counted from the origin.",
    mistakes=_FROM_MISTAKES,
    held=["every position, on random inputs"],
)
def scaled_from(rng: Any) -> Any:
    """Positions in another unit, counted from an origin."""
    return [(np.round(rng.uniform(1, 9, size=n), 2), 2.5, 3.0) for n in (1, 4)]
