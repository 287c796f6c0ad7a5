"""Exercise 4: where a product lands when the skew is done."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function

from . import oracle

_MISTAKES: Mistakes = [
    (
        "You forgot the row that is dropped: all other rows move up by one.",
        lambda i, c, n: divmod(i * (n + 1) + c + 1, n),
    ),
    (
        "The pad stands before the products of its row: column c of the products is "
        "column c + 1 of the padded matrix.",
        lambda i, c, n: ((i * (n + 1) + c) // n - 1, (i * (n + 1) + c) % n),
    ),
    (
        "You forgot the pad: in the line, each row is L + 1 long, and its first entry "
        "is a zero.",
        lambda i, c, n: (i - 1, c),
    ),
    (
        "Rows of the line are L + 1 long before the reshape, and L after it. You "
        "divided by L + 1.",
        lambda i, c, n: (i - 1, c + 1),
    ),
    (
        "That is the answer for products that count. The others leave their row.",
        lambda i, c, n: (i, i + c + 1 - n),
    ),
    (
        "Below the diagonal you are right; above it you answer as if the row went "
        "round and began again. Such a product lands one row higher.",
        lambda i, c, n: (i, (i + c + 1) % n),
    ),
    (
        "Row and column are swapped in your answer: (row, column) is asked.",
        lambda i, c, n: oracle.landing(i, c, n)[::-1],
    ),
    ("That is where the product was. It moves.", lambda i, c, n: (i, c)),
]


def _read(attempt: Attempt, answer: Any, right: tuple[int, int]) -> Any:
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(f"A pair (row, column) is asked, got {attempt.kind}.")
    return attempt.whole_numbers(answer, (2,), "The pair")


def _agree(received: Any, right: Any) -> Any:
    """Tell what agrees of two pairs; in the row that is dropped, any column does."""
    both = np.array([received, right])
    return (both[0] == both[1]) | (both[:, 0] == -1).all()


def _kind(i: int, c: int, seq_len: int) -> str:
    """Say what becomes of a product."""
    if i + c + 1 >= seq_len:
        return "that counts"
    return "that becomes garbage" if i else "that is dropped"


def _problem(failure: Failure) -> str:
    return f"A product {_kind(*failure.args)} lands elsewhere."


def _example(failure: Failure) -> str:
    got, right = tuple(failure.received.tolist()), failure.right
    wanted = "row -1" if right[0] < 0 else right
    kind = _kind(*failure.args)
    return f"{failure.call}\ngives {got}, should be {wanted}, of a product {kind}"


@ask_for_function(
    "Number the entries of the padded matrix in the order of memory. Which number has "
    "the product in row i, column c of the matrix without the pad?",
    "It is in row i, column c + 1 of the padded matrix, whose rows are L + 1 long: its "
    "number is p = i (L + 1) + c + 1. Which row and column is that in rows of L?",
    "Row p // L, column p % L. The first row is dropped, so all rows move up by one: "
    "(p // L - 1, p % L).",
    right=oracle.landing,
    what="The pair",
    problem=_problem,
    mistakes=_MISTAKES,
    held=["products that count", "those that become garbage", "those that are dropped"],
    example=_example,
    read=_read,
    close=_agree,
)
def source_of(rng: Any) -> Any:
    """Row and column of the cell in which a product lands after the skew."""
    cases = [(i, c, n) for n in range(1, 6) for i in range(n) for c in range(n)]
    for n in (9, 40):
        cases += [(*rng.integers(n, size=2).tolist(), n) for _ in range(12)]
    cases += [(260, 270, 300), (270, 3, 300)]
    return cases
