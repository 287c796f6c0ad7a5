"""Exercise 7: which keys a query of local attention sees."""

import operator
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function

from . import oracle

_MISTAKES: Mistakes = [
    (
        "That is a window that slides with the query. Here blocks stand still: "
        "the view begins where the block before begins.",
        lambda i, b: list(range(max(0, i - b), i + 1)),
    ),
    (
        "That is a window of B that slides with the query. Here blocks stand still: "
        "the view begins where the block before begins.",
        lambda i, b: list(range(max(0, i - b + 1), i + 1)),
    ),
    (
        "That is a window of 2B - 1 back for every query. Only the last query of a "
        "block sees that far.",
        lambda i, b: list(range(max(0, i - 2 * b + 1), i + 1)),
    ),
    (
        "That is the query's own block alone. The block before it is seen as well, "
        "whole.",
        lambda i, b: list(range(i // b * b, i + 1)),
    ),
    (
        "Keys after the query are in it. Even in its own block, no query sees them.",
        lambda i, b: list(range(max(0, (i // b - 1) * b), (i // b + 1) * b)),
    ),
    (
        "The first block has no block before it: keys below 0 do not exist.",
        lambda i, b: list(range((i // b - 1) * b, i + 1)),
    ),
    (
        "The query itself is missing: a query sees its own key.",
        lambda i, b: list(range(max(0, (i // b - 1) * b), i)),
    ),
]


def _read(attempt: Attempt, answer: Any, right: list[int]) -> list[int]:
    """Keys in their order; an empty list has no dtype."""
    if not isinstance(answer, list | np.ndarray) or np.ndim(answer) != 1:
        attempt.reject(f"A list of keys is asked, got {attempt.kind}.")
    if len(answer) == 0:
        return []
    keys = attempt.whole_numbers(answer, (len(answer),), "The list").tolist()
    return sorted(keys)


def _problem(failure: Failure) -> str:
    i, block = failure.args
    return f"Query {i} sees other keys with blocks of {block}."


@ask_for_function(
    "In which block is query i? Where does the block before it begin?",
    "Query i is in block i // block; block n begins at key n * block. The view ends "
    "with the query itself.",
    "range(max(0, (i // block - 1) * block), i + 1)",
    right=oracle.visible,
    what="The list",
    problem=_problem,
    mistakes=_MISTAKES,
    held=[
        "no key after the query",
        "the whole block before",
        "the first block, which has none before it",
    ],
    example=lambda f: f"{f.call}\ngives {f.received}, should be {f.right}",
    read=_read,
    close=operator.eq,
)
def visible_keys(rng: Any) -> Any:
    """Keys that a query of local attention sees."""
    cases = [(i, block) for block in range(1, 5) for i in range(4 * block)]
    return (
        cases
        + [(int(i), 64) for i in rng.integers(1000, size=6)]
        + [
            (1500, 700),
            (40_000, 64),
        ]
    )
