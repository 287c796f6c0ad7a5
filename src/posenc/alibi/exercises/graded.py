"""For marks: a bias that is steeper ahead, and slopes that end elsewhere."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import bias, close, slopes


def _lopsided(
    head_slopes: Any,
    q_len: int,
    k_len: int,
    *,
    q_offset: int = 0,
    before: float = -1,
    after: float = -2,
) -> Any:
    """Multiply slope, distance and a factor for each side; mistakes have others."""

    def rule(distance: int) -> float:
        return before * distance if distance >= 0 else -after * distance

    return bias(head_slopes, q_len, k_len, q_offset, rule)


_LOPSIDED_MISTAKES: Mistakes = [
    (
        "Both sides are equally steep. Keys after the query are penalized twice.",
        lambda s, q, k, q_offset: _lopsided(s, q, k, q_offset=q_offset, after=-1),
    ),
    (
        "Keys after the query get 0, as in a causal model. Here they are penalized.",
        lambda s, q, k, q_offset: _lopsided(s, q, k, q_offset=q_offset, after=0),
    ),
    (
        "The two sides are exchanged: it is the keys after the query that count twice.",
        lambda s, q, k, q_offset: _lopsided(
            s, q, k, q_offset=q_offset, before=-2, after=-1
        ),
    ),
    (
        "Keys after the query get a positive number, so they are favored.",
        lambda s, q, k, q_offset: _lopsided(s, q, k, q_offset=q_offset, after=2),
    ),
    (
        "q_offset is ignored. Query i stands at position q_offset + i.",
        lambda s, q, k, q_offset: _lopsided(s, q, k),
    ),
]


@ask_for_function(
    "Begin with the distance of each pair, query minus key. What is its sign for keys "
    "after the query?",
    "np.where(distance >= 0, distance, -2 * distance) is what the slope multiplies.",
    "-slopes[:, None, None] * that array has shape (num_heads, q_len, k_len).",
    right=_lopsided,
    what="The bias",
    problem="A value of the bias is another one.",
    mistakes=_LOPSIDED_MISTAKES,
    held=["both sides of the query", "queries that begin at q_offset"],
    shown=["slopes"],
    close=close,
)
def lopsided_bias(rng: Any) -> Any:
    """Bias -m d of keys at distance d before a query, and -2 m d of those after it."""
    shapes = [(1, 1, 0), (1, 3, 0), (3, 1, 0), (3, 3, 0), (2, 5, 2)]
    shapes += [(a + 1, b + 2, c + 1) for a, b, c in rng.integers(8, size=(3, 3))]
    shapes += [(1, 1300, 600), (600, 1, 0), (1, 3, 40_000)]
    return [
        case(
            np.asarray(slopes(int(rng.integers(2, 5)))), int(q), int(k), q_offset=int(o)
        )
        for q, k, o in shapes
    ]


def _down_to(num_heads: int, exponent: float, *, first: int = 1) -> Any:
    heads = range(first, num_heads + first)
    return np.asarray([2.0 ** (-exponent * h / num_heads) for h in heads])


_DOWN_MISTAKES: Mistakes = [
    (
        "The last slope is 1/256 whatever the exponent is: 8 is still in the formula.",
        lambda n, e: _down_to(n, 8),
    ),
    (
        "Heads are counted from 0, so the first slope is 1. They are counted from 1.",
        lambda n, e: _down_to(n, e, first=0),
    ),
    (
        "The slopes rise. The first head is the steepest.",
        lambda n, e: _down_to(n, e)[::-1],
    ),
    (
        "The exponents are not divided by the number of heads, so the slopes fall far "
        "too fast.",
        lambda n, e: _down_to(n, n * e),
    ),
]


@ask_for_function(
    "Equal ratios: each slope is the one before, times the same factor. What is the "
    "factor if the last slope is 2 ** -exponent and the first is the factor itself?",
    "The factor is 2 ** (-exponent / num_heads).",
    "2.0 ** (-exponent * np.arange(1, num_heads + 1) / num_heads).",
    right=_down_to,
    what="The list of slopes",
    problem="A slope is another one.",
    mistakes=_DOWN_MISTAKES,
    held=["equal ratios", "the last slope is 2 ** -exponent"],
    close=close,
)
def slopes_down_to(rng: Any) -> Any:
    """Slopes in equal ratios, from the ratio itself down to 2 ** -exponent."""
    drawn = rng.integers((3, 2), (20, 12), size=(3, 2)).tolist()
    return [(2, 4), (4, 6), (3, 8), *map(tuple, drawn), (5, 1.5)]
