"""Exercises 7 to 9: orders of a sentence, counted and found."""

import math
from itertools import permutations
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import ask_for_function, ask_for_value

from .oracle import attention


def _counts(words: list[str]) -> list[int]:
    return [words.count(word) for word in dict.fromkeys(words)]


def _right(words: list[str]) -> int:
    """Count the orders that differ, placing one word at a time, equal ones once."""
    total, placed = 1, 0
    for count in _counts(words):
        for n in range(1, count + 1):
            placed += 1
            total = total * placed // n
    return total


_MISTAKES: Mistakes = [
    (
        "These are all orders of the tokens. Swapping two equal words gives the same "
        "sentence again: count it once.",
        lambda words: math.factorial(len(words)),
    ),
    (
        "This is how many different words there are, not how many sentences.",
        lambda words: len(set(words)),
    ),
    (
        "These are the orders of the different words alone. A repeated word stands at "
        "two places or more.",
        lambda words: math.factorial(len(set(words))),
    ),
    (
        "Divide by the factorial of the number of equal words, not by the number.",
        lambda words: math.factorial(len(words)) // math.prod(_counts(words)),
    ),
    (
        "Divide once for each different word, not again at each of its places: go "
        "through set(words).",
        lambda words: (
            math.factorial(len(words))
            // math.prod(math.factorial(words.count(word)) for word in words)
        ),
    ),
    (
        "Only one of the repeated words is accounted for. Divide for each of them.",
        lambda words: math.factorial(len(words)) // math.factorial(max(_counts(words))),
    ),
    (
        "The sentence itself is left out. Count it, too.",
        lambda words: _right(words) - 1,
    ),
]

_SENTENCES = (
    "dog bites man",
    "man",
    "go go",
    "I think therefore I am",
    "the dog that the man bites barks",
    "to be or not to be",
    "go go go stop",
    "if it is it it is if it is not it it is not",
)


@ask_for_function(
    "How many orders have n different things? In how many of them do two equal words "
    "just change places with one another?",
    "L words have L! orders. A word that occurs m times makes groups of m! of them "
    "that are one sentence.",
    "L! divided by m! for each of the words: 5! / 2! = 60 for the sentence of "
    "Descartes. Use whole numbers: math.factorial and //.",
    right=_right,
    what="The number of sentences",
    problem="Another number of different sentences.",
    mistakes=_MISTAKES,
    held=["sentences of different words", "words that occur again"],
)
def look_alikes(rng: Any) -> Any:
    """How many different sentences can be made of the words of a sentence."""
    vocabulary = ["we", "see", "what", "you", "do"]
    drawn = [
        [vocabulary[n] for n in rng.integers(5, size=length)] for length in (6, 9, 20)
    ]
    cases = sorted([*(s.split() for s in _SENTENCES), *drawn], key=len)
    return [(words,) for words in cases]


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
        reasons = []
        if missing == [_AS_WRITTEN]:
            reasons = [_COUNTS_TOO]
        elif all(_with_twins_swapped(order) in orders for order in missing):
            reasons = [_TWO_WORDS]
        else:
            reasons = [_ANY_SHUFFLE]
        attempt.reject(
            "The second list must hold all orders in which am keeps its output.",
            f"You list {len(orders)}. One that is missing: {missing[-1]}",
            tuple(reasons),
        )
    attempt.held.append("all orders that the last word does not see")


def _judge_third(attempt: Attempt, order: list[int], x: Any, w: Any) -> None:
    before, after = _outputs(x, w, order, causal=True)
    same = [np.allclose(after[n], before[order[n]]) for n in range(5)]
    keepers = [n for n, equal in zip(order, same, strict=True) if equal]
    if keepers != [0]:
        names = _joined([f"{SENTENCE[n]} of place {n}" for n in keepers])
        words = f"{names or 'no word'} {_verb(len(keepers))} it"
        attempt.reject(
            "With the mask, one word alone must keep its output: the first.",
            f"{_reading('third', order)}\n{words}",
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
    """Return the order with the two I in each other's places."""
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


_I, _J = np.indices((6, 6))

#: The masks on the page, in its order: words, and who may see whom.
MASKS = (
    ("two documents", _I // 3 == _J // 3),
    ("padding", _J < 4),
    ("ring", np.isin((_I - _J) % 6, (0, 1, 5))),
    ("prefix", (_J < 3) | (_J <= _I)),
    ("star", (_J == 0) | (_J == _I)),
)


def _kept(mask: Any) -> int:
    """Count the orders that leave a mask as it is."""
    orders = np.asarray([*permutations(range(len(mask)))])
    moved = mask[orders[:, :, None], orders[:, None, :]]
    return int((moved == mask).all(axis=(1, 2)).sum())


_SLIPS = (
    (0, 36, "Documents: they are equally long, so the two may change places as well."),
    (0, 720, "Documents: a token that moves into the other document sees other words."),
    (1, 24, "Padding: the two fillers may change places, too."),
    (1, 26, "Padding: words and fillers move independently: multiply, do not add."),
    (1, 720, "Padding: a filler among the words is no longer hidden."),
    (2, 6, "Ring: besides turning it you may read it the other way round."),
    (2, 2, "Ring: it has no ends, so it may also be turned."),
    (2, 720, "Ring: neighbors must stay neighbors."),
    (3, 1, "Prefix: the first three see the same, and are seen by the same."),
    (3, 36, "Prefix: each of the last three sees one token more than the one before."),
    (3, 720, "Prefix: the last three are not seen by all."),
    (4, 24, "Star: five tokens play the same part, not four: 1 to 5."),
    (4, 720, "Star: all see token 0, and no other token is seen by all."),
    (4, 1, "Star: tokens 1 to 5 see the same: token 0, and themselves."),
)


@ask_for_value(
    "Draw who sees whom as arrows between six dots. A shuffle is kept if it moves the "
    "dots so that the picture stays the same.",
    "Which tokens see equally many others, and are seen by equally many? Only those "
    "can change places. n of them that play the same part have n! orders.",
    "Documents: 3! orders in each, and the two may change places. Padding: 4! orders "
    "of the words, 2! of the fillers. Ring: six ways to turn it, each also mirrored.",
    what="The list of numbers",
    entry="a number",
    line=lambda n, value: f"{MASKS[n][0]}: not {value:g}",
    slips=_SLIPS,
    held=["the number of shuffles that each mask keeps"],
)
def kept_orders() -> Any:
    """How many of the 720 shuffles of six tokens each of five masks keeps."""
    return np.asarray([_kept(mask) for _, mask in MASKS])
