"""Exercise 7: how many sentences a pooled model without positions takes for one."""

import math
from typing import Any

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function


def _counts(words: list[str]) -> list[int]:
    return [words.count(word) for word in dict.fromkeys(words)]


def _right(words: list[str]) -> int:
    """Orders that differ: place one word after the other, equal ones just once."""
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
