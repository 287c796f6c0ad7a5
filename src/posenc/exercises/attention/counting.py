"""Exercise 6: how many sentences a pooled model without positions takes for one."""

from typing import Any

from .._attempt import Attempt, Mistakes, name_mistake
from .._registry import exercise


def _factorial(n: int) -> int:
    return n * _factorial(n - 1) if n else 1


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
        lambda words: _factorial(len(words)),
    ),
    (
        "These are the orders of the different words alone. A repeated word stands at "
        "two places or more.",
        lambda words: _factorial(len(set(words))),
    ),
    (
        "Divide by the factorial of the number of equal words, not by the number.",
        lambda words: _factorial(len(words)) // _product(_counts(words)),
    ),
    (
        "Only one of the repeated words is accounted for. Divide for each of them.",
        lambda words: _factorial(len(words)) // _factorial(max(_counts(words))),
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


@exercise(
    "How many orders have n different things? In how many of them do two equal words "
    "just change places with one another?",
    "L words have L! orders. A word that occurs m times makes groups of m! of them "
    "that are one sentence.",
    "L! divided by m! for each of the words: 5! / 2! = 60 for the sentence of "
    "Descartes. Use whole numbers: math.factorial and //.",
)
def look_alikes(attempt: Attempt, rng: Any) -> None:
    """How many different sentences can be made of the words of a sentence."""
    vocabulary = ["we", "see", "what", "you", "do"]
    drawn = [
        [vocabulary[n] for n in rng.integers(5, size=length)] for length in (6, 9, 20)
    ]
    cases = sorted([*(s.split() for s in _SENTENCES), *drawn], key=len)
    received = []
    for words in cases:
        answer = attempt.ask(words)
        number = attempt.whole_numbers(answer, (), "The number of sentences")
        received.append(((words,), int(number)))
    for (words,), number in received:
        if number != _right(words):
            attempt.reject(
                "Another number of different sentences.",
                f"{attempt.call_text(words)}\n"
                f"gives {number}, should be {_right(words)}",
                name_mistake(received, _MISTAKES),
            )
    attempt.held += ["sentences of different words", "words that occur again"]


def _product(numbers: list[int]) -> int:
    total = 1
    for number in numbers:
        total *= number
    return total
