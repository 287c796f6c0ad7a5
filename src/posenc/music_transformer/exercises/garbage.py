"""Exercise 3: whose product a cell holds after the skew."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function

from . import oracle

_MISTAKES: Mistakes = [
    (
        "You forgot the row that is dropped: cell (i, j) was in row i + 1 before.",
        lambda i, j, n: ((i * n + j) // (n + 1), (i * n + j) % (n + 1) - 1),
    ),
    (
        "You forgot the pad: the rows of the line are L + 1 long, and their first "
        "entry is the pad, column -1.",
        lambda i, j, n: (((i + 1) * n + j) // (n + 1), ((i + 1) * n + j) % (n + 1)),
    ),
    (
        "Rows of the line are L + 1 long before the reshape, and L after it. You "
        "divided by L.",
        lambda i, j, n: (((i + 1) * n + j) // n, ((i + 1) * n + j) % n - 1),
    ),
    (
        "That is the answer for the cells with j <= i alone. Above the diagonal the "
        "line goes on with the next row.",
        lambda i, j, n: (i, j - i + n - 1),
    ),
    (
        "Below the diagonal you are right; above it you answer as if the row went "
        "round and began again. The line goes on with the pad and the next row.",
        lambda i, j, n: (i, (j - i + n - 1) % n),
    ),
    (
        "Row and column are swapped in your answer: (row, column) is asked.",
        lambda i, j, n: oracle.source(i, j, n)[::-1],
    ),
]


def _read(attempt: Attempt, answer: Any, right: tuple[int, int]) -> Any:
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(f"A pair (row, column) is asked, got {attempt.kind}.")
    return attempt.whole_numbers(answer, (2,), "The pair")


def _problem(failure: Failure) -> str:
    i, j, _ = failure.args
    where = "below" if j < i else "above" if j > i else "on"
    return f"A cell {where} the diagonal holds something else."


def _example(failure: Failure) -> str:
    right = failure.right
    what = "a pad" if right[1] < 0 else "a product"
    pair = tuple(failure.received.tolist())
    return f"{failure.call}\ngives {pair}, should be {right}, {what}"


@ask_for_function(
    "Number the entries of the padded matrix in the order of memory. Which number has "
    "cell (i, j) of the result? Do not forget the row that is dropped.",
    "It has number p = (i + 1) L + j. In the padded matrix, whose rows are L + 1 long, "
    "number p is in row p // (L + 1), column p % (L + 1).",
    "The first column of the padded matrix is the pad, so the column of the product is "
    "one less: p % (L + 1) - 1.",
    right=oracle.source,
    what="The pair",
    problem=_problem,
    mistakes=_MISTAKES,
    held=["the causal part", "the pads", "the garbage of the next row"],
    example=_example,
    read=_read,
)
def source_of(rng: Any) -> Any:
    """Row and column of the product that a cell holds after the skew."""
    cases = [(i, j, n) for n in range(1, 6) for i in range(n) for j in range(n)]
    for n in (9, 40):
        cases += [(*rng.integers(n, size=2).tolist(), n) for _ in range(12)]
    cases += [(260, 270, 300), (270, 260, 300)]
    return cases
