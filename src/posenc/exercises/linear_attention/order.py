"""Exercise 3: from which length on the second order of products is cheaper."""

from typing import Any

from .._attempt import Attempt, Mistakes, name_mistake
from .._registry import exercise


def _first_cheaper(r: int, d: int) -> int:
    length = 1
    while length * r * d * 2 >= length * length * (r + d):
        length += 1
    return length


_MISTAKES: Mistakes = [
    (
        "At that length both orders cost the same or the first is cheaper still. The "
        "second one must be strictly cheaper.",
        lambda r, d: _first_cheaper(r, d) - 1,
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
        "Two products are needed in the second order as well, L r d each: one makes "
        "the state, the other reads it.",
        lambda r, d: r * d // (r + d) + 1,
    ),
    (
        "In the first order the weights must be applied to the values, too: L² d more.",
        lambda r, d: 2 * d + 1,
    ),
]


@exercise(
    "A product of an (a, b) and a (b, c) matrix takes a * b * c multiplications. Write "
    "down all four products.",
    "First order: L² r + L² d. Second order: L r d + L r d. When is the second sum "
    "smaller?",
    "L > 2 r d / (r + d). The smallest whole L above a fraction: divide with // and "
    "add 1.",
)
def crossover(attempt: Attempt, rng: Any) -> None:
    """Smallest length for which keys times values first takes less multiplications."""
    cases = [(1, 1), (2, 2), (64, 64), (2, 6), (3, 5), (136, 16), (2145, 64)]
    cases += [tuple(int(n) for n in rng.integers(1, 3000, size=2)) for _ in range(5)]
    received: list[tuple[tuple[Any, ...], int]] = []
    for number, args in enumerate(cases):
        if number:
            answer = attempt.ask(*args)
        else:
            answer = attempt.choose_style(("numpy",), *args)
        got = int(attempt.whole_numbers(answer, (), "The length"))
        received.append((args, got))
    for (r, d), got in received:
        right = _first_cheaper(r, d)
        if got != right:
            attempt.reject(
                f"With {r} features and values of {d} numbers it is another length.",
                f"{attempt.call_text(r, d)}\ngives {got}, should be {right}",
                name_mistake(received, _MISTAKES),
            )
    attempt.held += ["r = d", "more features than numbers in a value, and fewer"]
