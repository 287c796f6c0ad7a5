"""Exercises 1 and 2: the relative shift by hand, and its way back in code."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import shifted, unshifted, viewed

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
        "Both rows have moved by one. Row i moves by q_len - 1 - i, so the last one "
        "stays.",
        lambda: np.asarray([[2, 3, 4, 0], [6, 7, 8, 0]]),
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
        "The rows are reversed. Key 0 is the farthest, so distances fall from left to "
        "right, as they do in S.",
        lambda: np.asarray([[4, 3, 2, 0], [8, 7, 6, 5]]),
    ),
    (
        "That is the matrix as it was. Row 0 has to move.",
        lambda: BY_HAND,
    ),
    (
        "The last cell is cut off, and nothing has moved. In row 0 the number in front "
        "belongs to distance 3, and no key is so far from query 0.",
        lambda: np.asarray([[1, 2, 3, 0], [5, 6, 7, 8]]),
    ),
    (
        "Row 0 has moved as if there were no memory. Query 0 sees the two tokens of "
        "the memory, too.",
        lambda: np.asarray([[4, 0, 0, 0], [7, 8, 0, 0]]),
    ),
    (
        "Row 0 has moved as if there were no memory. Query 0 sees the two tokens of "
        "the memory, too.",
        lambda: np.asarray([[4, 0, 0, 0], [5, 6, 7, 8]]),
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


def _reshaped(scores: Any) -> Any:
    """Do the steps of the shift backwards, without a mask, so garbage comes along."""
    q_len, k_len = np.shape(scores)
    numbers = [0.0] * q_len + [float(x) for row in scores for x in row]
    rows = [numbers[i * (k_len + 1) :][: k_len + 1] for i in range(q_len)]
    return np.asarray([row[1:] for row in rows])


def _padded(scores: Any) -> Any:
    """Shift by padding, once more."""
    q_len, k_len = np.shape(scores)
    numbers = [x for row in scores for x in (0.0, *map(float, row))][q_len:]
    return np.asarray(numbers).reshape(q_len, k_len)


_BACK_MISTAKES: Mistakes = [
    (
        "Row i has moved by i. It is the other way round: the last row stays, the "
        "first one moves by q_len - 1.",
        lambda scores: unshifted(scores, lambda i, c, q, k: c - i),
    ),
    (
        "The rows have moved to the left, as in the shift. The way back leads to the "
        "right.",
        lambda scores: unshifted(scores, lambda i, c, q, k: c + (q - 1 - i)),
    ),
    (
        "That is the shift itself, by padding. Here you come from keys, and want "
        "distances.",
        _padded,
    ),
    (
        "That is the shift itself, without a pad. Here you come from keys, and want "
        "distances.",
        viewed,
    ),
    (
        "Row i has moved by k_len - 1 - i. That fits as many keys as queries only; "
        "with a memory it is q_len - 1 - i.",
        lambda scores: unshifted(scores, lambda i, c, q, k: c - (k - 1 - i)),
    ),
    (
        "Each row has moved one too far: the last one does not move at all.",
        lambda scores: unshifted(scores, lambda i, c, q, k: c - (q - i)),
    ),
    (
        "Each row is one short: the first one moves by q_len - 1.",
        lambda scores: unshifted(scores, lambda i, c, q, k: c - (q - 2 - i)),
    ),
    (
        "Nothing has moved.",
        lambda scores: np.asarray(scores, dtype=float),
    ),
    (
        "Columns are read as distances 0, 1, 2, … They are k_len - 1, …, 1, 0.",
        lambda scores: unshifted(scores, lambda i, c, q, k: i + k - q - c),
    ),
    (
        "Every number is in its place, but the first cells of a row hold garbage: its "
        "own later keys, come in again on the left.",
        lambda scores: unshifted(scores, lambda i, c, q, k: (c - (q - 1 - i)) % k),
    ),
    (
        "Garbage is taken out as if there were no memory. np.tril keeps j <= i, but "
        "query i sees all keys up to i + (k_len - q_len).",
        lambda scores: unshifted(np.tril(scores)),
    ),
    (
        "Every number is in its place, but the first cells of a row hold garbage: the "
        "later keys of the row above. Put 0 there before you reshape.",
        _reshaped,
    ),
]


def _example(failure: Failure) -> str:
    (i, c), (q_len, k_len) = failure.entry, failure.right.shape
    j = c - (q_len - 1 - i)
    where = f"that of key {j}" if j >= 0 else "no key is so far away"
    return (
        f"{failure.call}\n"
        f"query {i}, distance {k_len - 1 - c}: {failure.gives}\n({where})"
    )


@ask_for_function(
    "Which key is at distance t from query i? Column c belongs to distance "
    "k_len - 1 - c, so which column has to go there?",
    "The key is i + (k_len - q_len) - t. With t = k_len - 1 - c that is column "
    "c - (q_len - 1 - i): row i moves to the right by q_len - 1 - i.",
    "In loops: write 0 where that column is negative. Without loops: put 0 where the "
    "key comes after the query, then go back through the steps of the shift: q_len "
    "zeros before all numbers, rows of k_len + 1, and drop the first column.",
    right=unshifted,
    what="The matrix by distance",
    problem="A distance holds another number.",
    mistakes=_BACK_MISTAKES,
    held=[
        "every distance holds the number of its key, or 0",
        "as many keys as queries, and more",
    ],
    example=_example,
    first=lambda rng: case(rng.normal(size=(2, 3))),
)
def relative_shift(rng: Any) -> Any:
    """Shift numbers per key back into columns per distance."""
    shapes = [(1, 1), (1, 2), (2, 2), (1, 4), (2, 3), (2, 4), (3, 3), (3, 5), (5, 7)]
    shapes += [(int(q), int(q + m)) for q, m in rng.integers(1, 9, size=(3, 2))]
    return [(rng.normal(size=shape),) for shape in sorted(shapes, key=sum)]
