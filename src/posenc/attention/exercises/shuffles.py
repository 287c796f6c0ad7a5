"""Exercise 7: orders of a sentence with a given property, found with the widget."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.registry import exercise

from .oracle import attention

SENTENCE = ("I", "think", "therefore", "I", "am")
_PARTS = ("first", "second", "third")


_ANY_SHUFFLE = (
    "With a causal mask a word keeps its output as long as it has the same words "
    "before it, in whatever order."
)
_MOVED_FIRST = (
    "The first word of the sentence sees itself alone. Elsewhere it sees other words, "
    "too, and has another output."
)


@exercise(
    "First part: press the buttons. One of them changes the order of the words without "
    "changing a single number in the picture.",
    "Second part: with a causal mask the last word sees all the others. In which order "
    "they come is nothing to it. Third part: what does the first word see?",
    "First part: places 0 and 3 hold the same word. Second part: leave 4 at the end, "
    "and move the others. Third part: leave the first I where it is, and see to it "
    "that every other word has other words before it than it had.",
    asks_for="value",
)
def find_shuffles(attempt: Attempt, rng: Any) -> None:
    """Three orders of a sentence with a given property, found with the widget."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list | np.ndarray) or len(answer) != 3:
        attempt.reject(f"The answer is a list of three orders, got {attempt.kind}.")
    orders = [
        _read(attempt, which, order)
        for which, order in zip(_PARTS, answer, strict=True)
    ]
    x, (w_query, w_key) = _embedded(rng), rng.normal(scale=0.3, size=(2, 4, 4))
    for which, order in zip(_PARTS, orders, strict=True):
        mask = np.tril(np.ones((5, 5), bool)) if which != "first" else None
        before, after = (
            attention(rows @ w_query, rows @ w_key, rows, mask)
            for rows in (x, x[order])
        )
        kept = [np.allclose(after[n], before[order[n]]) for n in range(5)]
        same_places = np.allclose(after, before)
        shown = f"Your {which} order gives: {' '.join(SENTENCE[n] for n in order)}"
        _judge(attempt, which, order, kept, same_places, shown)


def _judge(
    attempt: Attempt,
    which: str,
    order: list[int],
    kept: list[bool],
    same_places: bool,
    shown: str,
) -> None:
    if which == "first":
        if not same_places:
            others = [n for n in range(5) if SENTENCE[order[n]] != SENTENCE[n]]
            attempt.reject(
                "The picture after must be equal to the one before.",
                f"{shown}\nanother word than before at place "
                f"{', '.join(map(str, others))}",
            )
        attempt.held.append("an order that changes nothing at all")
        return
    name = {n: f"{SENTENCE[n]} of place {n}" for n in range(5)}
    if which == "second":
        moved = sum(n != place for place, n in enumerate(order))
        if order[-1] != 4 or not kept[-1]:
            attempt.reject(
                "The word am must come last, and keep its output.",
                f"{shown}\nam comes at place {order.index(4)}, the last place is 4",
            )
        if moved < 3:
            attempt.reject(
                "At least three words must change places.",
                f"{shown}\n{moved} have changed places",
            )
        attempt.held.append("a last word that does not see a shuffle before it")
        return
    keepers = [name[n] for n, same in zip(order, kept, strict=True) if same]
    if len(keepers) != 1 or not kept[0]:
        told = " and ".join(keepers) or "no word"
        attempt.reject(
            "With the mask, one word alone must keep its output: the first.",
            f"{shown}\n{told} keeps it",
            (_ANY_SHUFFLE,) if order[0] == 0 else (_MOVED_FIRST,),
        )
    attempt.held.append("a shuffle that the first word alone survives")


def _read(attempt: Attempt, which: str, order: Any) -> list[int]:
    if is_blank(order):
        attempt.reject(f"The {which} order is still to be found.")
    numbers = order.tolist() if isinstance(order, np.ndarray) else order
    if not isinstance(numbers, list) or sorted(map(str, numbers)) != list("01234"):
        attempt.reject(f"The {which} order must hold 0, 1, 2, 3 and 4 once each.")
    if numbers == [0, 1, 2, 3, 4]:
        attempt.reject(f"The {which} order is the sentence as it is: move a word.")
    return [int(n) for n in numbers]


def _embedded(rng: Any) -> Any:
    """Random embedding of each word of the sentence, the same for equal words."""
    table = {word: rng.normal(size=4) for word in SENTENCE}
    return np.stack([table[word] for word in SENTENCE])
