"""Exercise 8: orders of a sentence with a given property, found with the widget."""

from itertools import permutations
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.registry import exercise

from .oracle import attention

SENTENCE = ("I", "think", "therefore", "I", "am")
_AS_WRITTEN = [0, 1, 2, 3, 4]


_TWO_WORDS = (
    "The two I are two words: an order that swaps them is another order, though the "
    "sentence reads the same."
)
_COUNTS_TOO = "The order in which no word moves is one of them."
_ANY_SHUFFLE = (
    "With a causal mask a word keeps its output as long as it has the same words "
    "before it, in whatever order."
)
_SWAP_TWINS = "Only two words move. Swap the two I as well: no place shows it."
_MOVED_FIRST = (
    "The first word keeps its output where it sees nothing but I: in front, or right "
    "behind the second I."
)


@exercise(
    "First part: without a mask every word takes its output along. When does a place "
    "show the same output, though another word stands there?",
    "Second part: with a causal mask a word sees itself and the words before it, as a "
    "bag. How many words did am see? Third part: what does the first word see, and "
    "where?",
    "First part: swap the two I, and two of the other words. Second part: am must stay "
    "last; try itertools.permutations(range(4)) for the rest. Third part: leave the "
    "first I where it is, and see to it that every other word has other words before "
    "it than it had.",
    asks_for="value",
)
def find_shuffles(attempt: Attempt, rng: Any) -> None:
    """Orders of a sentence with given properties, found with the widget."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 3:
        attempt.reject(f"The answer is a list of three entries, got {attempt.kind}.")
    first, several, third = answer
    first = _read(attempt, "first order", first)
    several = _read_several(attempt, several)
    third = _read(attempt, "third order", third)
    table = {word: rng.normal(size=4) for word in SENTENCE}
    x = np.stack([table[word] for word in SENTENCE])
    w = rng.normal(scale=0.3, size=(2, 4, 4))
    _judge_first(attempt, first, x, w)
    _judge_second(attempt, several, x, w)
    _judge_third(attempt, third, x, w)


def _outputs(x: Any, w: Any, order: list[int], *, causal: bool) -> tuple[Any, Any]:
    """Return the outputs at each place, of the words as written and in this order."""
    mask = np.tril(np.ones((5, 5), bool)) if causal else None
    before, after = (
        attention(rows @ w[0], rows @ w[1], rows, mask) for rows in (x, x[order])
    )
    return before, after


def _judge_first(attempt: Attempt, order: list[int], x: Any, w: Any) -> None:
    before, after = _outputs(x, w, order, causal=False)
    moved = sum(n != place for place, n in enumerate(order))
    others = [n for n in range(5) if not np.allclose(after[n], before[n])]
    if moved != 4 or len(others) != 2:
        places = ", ".join(map(str, others)) or "none"
        attempt.reject(
            "Four words must leave their places, and two places show another output.",
            f"{_reading('first', order)}\nwords that have left their places: {moved}; "
            f"places with another output: {places}",
            (_SWAP_TWINS,)
            if moved == len(others) == 2 and order[0] == 0 and order[3] == 3
            else (),
        )
    attempt.held.append("a place that shows the output of an equal word")


def _judge_second(attempt: Attempt, orders: list[list[int]], x: Any, w: Any) -> None:
    right = []
    for order in map(list, permutations(range(5))):
        before, after = _outputs(x, w, order, causal=True)
        if np.allclose(after[order.index(4)], before[4]):
            right.append(order)
    wrong = [order for order in orders if order not in right]
    if wrong:
        attempt.reject(
            "In each order of the second list, am must keep its output.",
            f"{_reading('second', wrong[0])}\nam comes at place {wrong[0].index(4)}, "
            "and sees fewer words than before",
        )
    missing = [order for order in right if order not in orders]
    if missing:
        told = []
        if missing == [_AS_WRITTEN]:
            told = [_COUNTS_TOO]
        elif all(_with_twins_swapped(order) in orders for order in missing):
            told = [_TWO_WORDS]
        else:
            told = [_ANY_SHUFFLE]
        attempt.reject(
            "The second list must hold all orders in which am keeps its output.",
            f"You list {len(orders)}. One that is missing: {missing[-1]}",
            tuple(told),
        )
    attempt.held.append("all orders that the last word does not see")


def _judge_third(attempt: Attempt, order: list[int], x: Any, w: Any) -> None:
    before, after = _outputs(x, w, order, causal=True)
    kept = [np.allclose(after[n], before[order[n]]) for n in range(5)]
    keepers = [n for n, same in zip(order, kept, strict=True) if same]
    if keepers != [0]:
        names = _joined([f"{SENTENCE[n]} of place {n}" for n in keepers])
        told = f"{names or 'no word'} {_verb(len(keepers))} it"
        attempt.reject(
            "With the mask, one word alone must keep its output: the first.",
            f"{_reading('third', order)}\n{told}",
            (_ANY_SHUFFLE,) if 0 in keepers else (_MOVED_FIRST,),
        )
    attempt.held.append("a shuffle that the first word alone survives")


def _joined(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _verb(count: int) -> str:
    return "keep" if count > 1 else "keeps"


def _reading(which: str, order: list[int]) -> str:
    return f"Your {which} order gives: {' '.join(SENTENCE[n] for n in order)}"


def _with_twins_swapped(order: list[int]) -> list[int]:
    """Order with the two I in each other's places."""
    return [{0: 3, 3: 0}.get(n, n) for n in order]


def _read_several(attempt: Attempt, orders: Any) -> list[list[int]]:
    if is_blank(orders):
        attempt.reject("The second list is still to be found.")
    rows = orders.tolist() if isinstance(orders, np.ndarray) else orders
    if not isinstance(rows, list) or not all(
        isinstance(row, list | np.ndarray) for row in rows
    ):
        attempt.reject("The second entry must be a list of orders.")
    read = [_read(attempt, "second list: each order", row) for row in rows]
    if len({tuple(order) for order in read}) < len(read):
        attempt.reject("The second list must name each order once.")
    return read


def _read(attempt: Attempt, which: str, order: Any) -> list[int]:
    if is_blank(order):
        attempt.reject(f"The {which} is still to be found.")
    numbers = order.tolist() if isinstance(order, np.ndarray) else order
    if not isinstance(numbers, list) or sorted(map(str, numbers)) != list("01234"):
        attempt.reject(f"The {which} must hold 0, 1, 2, 3 and 4 once each.")
    return [int(n) for n in numbers]
