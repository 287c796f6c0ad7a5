"""Exercise 3: from which length on the second order of products is cheaper."""

from typing import Any

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function


def _first_cheaper(r: int, d: int) -> int:
    length = 1
    while length * r * d * 2 >= length * length * (r + d):
        length += 1
    return length


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


_MISTAKES: Mistakes = [
    (
        "At that length both orders cost the same or the first is cheaper still. The "
        "second one must be strictly cheaper.",
        lambda r, d: _first_cheaper(r, d) - 1,
    ),
    (
        "Where 2 r d / (r + d) is a whole number, both orders cost the same at that "
        "length; strictly fewer is one token later.",
        lambda r, d: -(-2 * r * d // (r + d)),
    ),
    (
        "That is right for r = d alone. The two orders cost L²(r + d) and 2 L r d.",
        lambda r, d: d + 1,
    ),
    (
        "That is right for r = d alone. The two orders cost L²(r + d) and 2 L r d.",
        lambda r, d: r + 1,
    ),
    (
        "That is right for r = d alone. The two orders cost L²(r + d) and 2 L r d.",
        lambda r, d: max(r, d) + 1,
    ),
    (
        "Two products are needed in the second order as well, L r d each: one makes "
        "the state, the other reads it.",
        lambda r, d: r * d // (r + d) + 1,
    ),
    (
        "In the first order the weights must be applied to the values, too: L² d more.",
        lambda r, d: 2 * d + 1,
    ),
]


@ask_for_function(
    "A product of an (a, b) and a (b, c) matrix takes a * b * c multiplications. Write "
    "down all four products.",
    "First order: L² r + L² d. Second order: L r d + L r d. When is the second sum "
    "smaller?",
    "L > 2 r d / (r + d). The smallest whole L above a fraction: divide with // and "
    "add 1.",
    right=_first_cheaper,
    what="The length",
    problem=lambda failure: (
        f"The length is wrong for {_counted(failure.args[0], 'feature')} and values of "
        f"{_counted(failure.args[1], 'number')}."
    ),
    mistakes=_MISTAKES,
    held=["r = d", "more features than numbers in a value, and fewer"],
)
def crossover(rng: Any) -> Any:
    """Smallest length for which keys times values first takes fewer multiplications."""
    drawn = rng.integers(1, 3000, size=(5, 2)).tolist()
    fixed = [(1, 1), (2, 2), (64, 64), (2, 6), (3, 5), (136, 16), (2145, 64)]
    return [*fixed, *map(tuple, drawn)]
