"""Exercises 1 and 2: the relative shift by hand and in code."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import close, shifted, valid

#: Two queries, four keys: the products of the exercise by hand.
BY_HAND = np.asarray([[1, 2, 3, 4], [5, 6, 7, 8]])


_HAND_MISTAKES: Mistakes = [
    (
        "Garbage is to be 0 here. Behind the end of a row there is nothing that this "
        "query has computed.",
        lambda: np.asarray([[2, 3, 4, 5], [5, 6, 7, 8]]),
    ),
    (
        "The last row has moved, and the first has not. The last query's row is right "
        "as it is: its distance 0 is in the last column already.",
        lambda: np.asarray([[1, 2, 3, 4], [6, 7, 8, 0]]),
    ),
    (
        "The first row has moved to the right. Its distance 0, the last number, "
        "belongs to its own key, which is one column further left.",
        lambda: np.asarray([[0, 1, 2, 3], [5, 6, 7, 8]]),
    ),
    (
        "Each row has moved one too far: row i moves by q_len - 1 - i, the last one "
        "not at all.",
        lambda: np.asarray([[3, 4, 0, 0], [6, 7, 8, 0]]),
    ),
    (
        "The rows are turned round. Columns are distances 3, 2, 1, 0 and keys 0, 1, 2, "
        "3: both go the same way already.",
        lambda: np.asarray([[3, 2, 1, 0], [8, 7, 6, 5]]),
    ),
    (
        "That is the matrix as it was. Row 0 has to move.",
        lambda: BY_HAND,
    ),
]


@ask_for_value(
    "Which distances does the first query have to key 0, 1, 2? It stands at position 2 "
    "of the four, since the memory holds two tokens.",
    "Column c holds distance 3 - c. Query 0 needs distances 2, 1, 0 for its keys 0, 1, "
    "2; query 1 stands at position 3 and needs distances 3, 2, 1, 0.",
    "Row 1 stays. Row 0 moves one to the left, and its last cell is garbage.",
    what="The matrix",
    entry="a number",
    line=lambda cell, value: f"query {cell[0]}, key {cell[1]} is not {value:g}",
    mistakes=_HAND_MISTAKES,
    held=["all eight cells"],
)
def shift_by_hand() -> Any:
    """Shift a matrix of two queries and four distances, by hand."""
    return np.nan_to_num(shifted(BY_HAND))  # garbage as the exercise wants it


_SHIFT_MISTAKES: Mistakes = [
    (
        "Row i has moved by i. It is the other way round: the last row stays, the "
        "first one moves by q_len - 1.",
        lambda scores: shifted(scores, lambda i, j, q, k: j + i),
    ),
    (
        "The rows have moved to the right. The numbers have to come to the left: "
        "distance 0 stands in the last column.",
        lambda scores: shifted(scores, lambda i, j, q, k: j - (q - 1 - i)),
    ),
    (
        "Row i has moved by k_len - 1 - i. That fits as many keys as queries only; "
        "with a memory it is q_len - 1 - i.",
        lambda scores: shifted(scores, lambda i, j, q, k: j + k - 1 - i),
    ),
    (
        "Each row has moved one too far: the last one does not move at all.",
        lambda scores: shifted(scores, lambda i, j, q, k: j + q - i),
    ),
    (
        "Each row is one short: the first one moves by q_len - 1.",
        lambda scores: shifted(scores, lambda i, j, q, k: j + q - 2 - i),
    ),
    (
        "Nothing has moved.",
        lambda scores: np.asarray(scores, dtype=float),
    ),
    (
        "Columns are read as distances 0, 1, 2, … They are k_len - 1, …, 1, 0.",
        lambda scores: shifted(scores, lambda i, j, q, k: i + k - q - j),
    ),
]


def _close(received: Any, wanted: Any) -> Any:
    """Tell cells that agree, or whose key comes after the query."""
    return close(received, wanted) | ~valid(*wanted.shape)


def _example(failure: Failure) -> str:
    (i, j), (q_len, k_len) = failure.entry, failure.right.shape
    got, right = failure.received[i, j], failure.right[i, j]
    return (
        f"{failure.call}\n"
        f"query {i}, key {j}: gives {got:.4g}, should be {right:.4g}\n"
        f"(distance {i + k_len - q_len - j}, in column {j + q_len - 1 - i})"
    )


@ask_for_function(
    "Which column of row i holds the product for key j? Write down the distance of the "
    "two, and then the column of that distance.",
    "The distance is i + (k_len - q_len) - j, and distance t is in column "
    "k_len - 1 - t. Insert the one into the other.",
    "out[i, j] = scores[i, j + q_len - 1 - i]. In loops: skip the cells where that "
    "column does not exist. Without loops: pad a zero column on the left, reshape to "
    "(k_len + 1, q_len), drop the first row, reshape back.",
    right=shifted,
    what="The shifted matrix",
    problem="A valid cell holds another product.",
    mistakes=_SHIFT_MISTAKES,
    held=[
        "every valid cell holds the product of its distance",
        "as many keys as queries, and more",
    ],
    example=_example,
    close=_close,
    first=lambda rng: case(rng.normal(size=(2, 3))),
)
def relative_shift(rng: Any) -> Any:
    """Shift products per distance into columns per key."""
    shapes = [(1, 1), (1, 2), (2, 2), (1, 4), (2, 3), (2, 4), (3, 3), (3, 5), (5, 7)]
    shapes += [(int(q), int(q + m)) for q, m in rng.integers(1, 9, size=(3, 2))]
    return [(rng.normal(size=shape),) for shape in sorted(shapes, key=sum)]
