"""Exercises 4 and 5: how much is clipped, and how far steps of known length lead."""

from typing import Any

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function


def _pairs(seq_len: int, k: int) -> int:
    """Pairs at distance k or more, counted offset by offset."""
    return sum(seq_len - abs(r) for r in range(1 - seq_len, seq_len) if abs(r) >= k)


_PAIR_MISTAKES: Mistakes = [
    (
        "That counts the pairs farther apart than k. The pairs at distance k use the "
        "outermost vectors as well.",
        lambda n, k: _pairs(n, k + 1),
    ),
    (
        "That counts one side only: keys before the query and keys after it.",
        lambda n, k: _pairs(n, k) // 2,
    ),
    (
        "That counts the pairs with a vector of their own.",
        lambda n, k: n * n - _pairs(n, k),
    ),
    (
        "That counts relative positions, not pairs: relative position r occurs "
        "seq_len - |r| times.",
        lambda n, k: 2 * max(n - k, 0),
    ),
    (
        "That takes seq_len pairs for every relative position. Near the ends of the "
        "sentence there are fewer: relative position r occurs seq_len - |r| times.",
        lambda n, k: 2 * max(n - k, 0) * n,
    ),
    (
        "That counts the pairs farther apart than k: those at distance k use the "
        "outermost vectors as well. And if k > seq_len there are none.",
        lambda n, k: (n - k) * (n - k - 1),
    ),
    (
        "A triangle with legs of m cells has m (m + 1) / 2 cells, not m^2 / 2: the "
        "diagonal counts in full.",
        lambda n, k: max(n - k, 0) ** 2,
    ),
    (
        "The formula without its lower limit: if k > seq_len there are none.",
        lambda n, k: (n - k) * (n - k + 1),
    ),
]


def _try_large(attempt: Attempt, rng: Any) -> None:
    k = 5  # seq_len - k is 64 n + 1: half of the product fits no 64-bit float
    large = 10**9 + 64 * int(rng.integers(1000)) + 1 + k
    answer = attempt.ask(large, k)
    number = int(attempt.whole_numbers(answer, (), "The number of pairs"))
    if number != (large - k) * (large - k + 1):
        attempt.reject(
            "Right for short sentences, but not for a very long one.",
            attempt.call_text(large, k),
            ("Floating point rounds such numbers: divide with //.",),
        )
    attempt.held.append("a sentence of a billion tokens")


@ask_for_function(
    "How many pairs of a query and a key have the relative position r? Draw the table: "
    "it is the length of a diagonal.",
    "A diagonal has seq_len - |r| cells. Add them up for r = k, k + 1, ..., "
    "seq_len - 1, and double it for the other side.",
    "1 + 2 + ... + m = m (m + 1) / 2, with m = seq_len - k. If k > seq_len, there are "
    "no such pairs.",
    right=_pairs,
    what="The number of pairs",
    problem="The number of pairs is not right.",
    mistakes=_PAIR_MISTAKES,
    held=["the number of pairs, counted one by one"],
    then=_try_large,
)
def outermost_pairs(rng: Any) -> Any:
    """Count the pairs that use one of the two outermost vectors."""
    small = [(n, k) for n in range(1, 8) for k in range(1, 9)]
    drawn = rng.integers(8, 60, size=(10, 2)).tolist()
    return [*small, *map(tuple, drawn), (700, 600)]


def _layers(distance: int, k: int) -> int:
    """Smallest number of steps of length at most k - 1 that add up to the distance."""
    steps = 0
    while distance > 0:
        distance -= k - 1
        steps += 1
    return steps


_LAYER_MISTAKES: Mistakes = [
    (
        "You let a step have length k. But the vector of distance k serves everything "
        "beyond as well: it does not say how far.",
        lambda n, k: -(-n // k),
    ),
    (
        "The division is rounded down. What is left over needs a layer of its own.",
        lambda n, k: n // (k - 1),
    ),
    (
        "That is one layer too many where the steps fit exactly.",
        lambda n, k: n // (k - 1) + 1,
    ),
    (
        "You let a step have length 2k + 1. A step goes to one side.",
        lambda n, k: -(-n // (2 * k + 1)),
    ),
]


@ask_for_function(
    "Which distances have a vector that no other distance of a long sentence uses?",
    "Distances 0 to k - 1. So a step of known length is at most k - 1 long, and each "
    "layer makes one step.",
    "Divide the distance by k - 1 and round up: -(-distance // (k - 1)).",
    right=_layers,
    what="The number of layers",
    problem="The number of layers is not right.",
    mistakes=_LAYER_MISTAKES,
    held=["the smallest number of steps"],
)
def layers_to_know(rng: Any) -> Any:
    """Smallest number of layers whose steps of known length add up to a distance."""
    small = [(n, k) for n in range(1, 10) for k in range(2, 6)]
    drawn = rng.integers(2, 300, size=(10, 2)).tolist()
    return [*small, *map(tuple, drawn), (700, 3), (2000, 600), (40_000, 39_000)]
