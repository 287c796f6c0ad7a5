"""For marks: windows of layers, and the way back between layouts."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import half_order, windows

_WINDOW_MISTAKES: Mistakes = [
    (
        "It is the last layer of each period that sees everything, not the first.",
        lambda n, p, w: [0 if i % p == 0 else w for i in range(n)],
    ),
    (
        "The two kinds are exchanged: one layer in each period sees everything.",
        lambda n, p, w: [w if i % p == p - 1 else 0 for i in range(n)],
    ),
    (
        "The period is one too long: of 6 layers 5 have a window.",
        lambda n, p, w: windows(n, p + 1, w),
    ),
    ("Every layer has a window.", lambda n, p, w: [w] * n),
]


@ask_for_function(
    "How many layers of each period have a window?",
    "Number the layers from 0. Which of the first six sees everything?",
    "Layer i sees everything where i + 1 is a multiple of the period.",
    right=windows,
    what="The list of windows",
    problem="A layer has not the window that the config gives it.",
    mistakes=_WINDOW_MISTAKES,
    held=["any period and number of layers"],
)
def window_layers(rng: Any) -> Any:
    """Window of each layer where one in each period has none."""
    drawn = [tuple(map(int, row)) for row in rng.integers(2, 9, size=(2, 2))]
    return [
        (6, 6, 1024),
        (7, 3, 512),
        (8, 2, 128),
        (5, 1, 64),
        (1050, 520, 8),
        *((n + p, p, 4096) for n, p in drawn),
    ]


def _inverse(head_dim: int, rotary_dim: int) -> list[int]:
    order = half_order(head_dim, rotary_dim)
    inverse: list[int] = np.argsort(order).tolist()
    return inverse


_BACK_MISTAKES: Mistakes = [
    (
        "This is the way there, from neighbors to halves.",
        half_order,
    ),
    (
        "The whole head is permuted. Features beyond rotary_dim stay.",
        lambda d, r: _inverse(d, d),
    ),
    ("Nothing is permuted.", lambda d, r: list(range(d))),
]


@ask_for_function(
    "Where do the two members of plane 0 stand in a half-split head, and where among "
    "neighbors?",
    "New feature 2i is old feature i, and new feature 2i + 1 is old feature "
    "i + rotary_dim / 2.",
    "Write a list, two entries for each plane, and after it the features that stay.",
    right=_inverse,
    what="The order",
    problem="A feature comes from the wrong place.",
    mistakes=_BACK_MISTAKES,
    held=["whole heads", "heads that turn in part"],
)
def back_to_neighbors(rng: Any) -> Any:
    """Order of features that leads from halves back to neighbors."""
    drawn = [(4 * int(n) + 2, 2 * int(n)) for n in rng.integers(3, 9, size=2)]
    return [(8, 8), (12, 6), (96, 24), (512, 320), *drawn]
