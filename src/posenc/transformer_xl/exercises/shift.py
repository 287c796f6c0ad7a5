"""Exercises 1 to 4: the relative shift, four terms as one product, distances."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import close, position_part, shifted, sinusoid, unshifted, viewed

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
    return np.nan_to_num(shifted(BY_HAND))  # 0 for garbage


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


def _show_shift(failure: Failure) -> str:
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
    example=_show_shift,
    first=lambda rng: case(rng.normal(size=(2, 3))),
)
def relative_shift(rng: Any) -> Any:
    """Shift numbers per key back into columns per distance."""
    shapes = [(1, 1), (1, 2), (2, 2), (1, 4), (2, 3), (2, 4), (3, 3), (3, 5), (5, 7)]
    shapes += [(int(q), int(q + m)) for q, m in rng.integers(1, 9, size=(3, 2))]
    return [(rng.normal(size=shape),) for shape in sorted(shapes, key=sum)]


Vectors = tuple[Any, Any]


def _two(first: Any, second: Any, *others: Any) -> Vectors:
    """Return two vectors of length 2d, from halves that are laid end to end."""
    return np.concatenate([first, second]), np.concatenate(others)


_ONE_MISTAKES: Mistakes = [
    (
        "Terms c and d are missing: u and v play no part.",
        lambda q, k, r, u, v: _two(q, q, k, r),
    ),
    (
        "The halves give q · k + u · r. Both halves need q, and u never meets r.",
        lambda q, k, r, u, v: _two(q, u, k, r),
    ),
    (
        "The halves give q · k + v · r: terms b and c are missing.",
        lambda q, k, r, u, v: _two(q, v, k, r),
    ),
    (
        "The halves do not match: q + u has to meet k, and q + v has to meet r.",
        lambda q, k, r, u, v: _two(q + v, q + u, k, r),
    ),
    (
        "One of u and v is added to both halves.",
        lambda q, k, r, u, v: _two(q + u, q + u, k, r),
    ),
    (
        "One of u and v is added to both halves.",
        lambda q, k, r, u, v: _two(q + v, q + v, k, r),
    ),
    (
        "q + u + v meets k + r: that has u · r and v · k in it, which no term has.",
        lambda q, k, r, u, v: _two(q + u + v, 0 * q, k + r, 0 * q),
    ),
    (
        "Two copies of q are missing: the terms a and b are not there.",
        lambda q, k, r, u, v: _two(u, v, k, r),
    ),
]


def _read_vectors(attempt: Attempt, answer: Any, right: Vectors) -> Vectors:
    several = isinstance(answer, list) or np.ndim(answer) > 0
    if not several or len(answer) != 2:
        attempt.reject(f"Return two vectors, got {attempt.kind}.")
    attempt.kind = ""  # the kind of each vector is not that of the pair
    return (
        attempt.read_like(answer[0], right[0], "The first vector"),
        attempt.read_like(answer[1], right[1], "The second vector"),
    )


def _judge_sides(attempt: Attempt, rng: Any) -> None:
    """Check that left is free of k and r, and right of q, u, v, for reuse."""
    q, k, r, u, v, *other = rng.normal(size=(10, 3))

    def vectors(*args: Any) -> Vectors:
        return _read_vectors(attempt, attempt.ask(*args), (np.zeros(6), np.zeros(6)))

    left, right = vectors(q, k, r, u, v)
    same_left, _ = vectors(q, other[0], other[1], u, v)
    _, same_right = vectors(other[2], k, r, other[3], other[4])
    if not np.allclose(left, same_left):
        attempt.reject(
            "The first vector changes with k or r. It must be made of q, u and v "
            "alone, so that one query can meet all keys."
        )
    if not np.allclose(right, same_right):
        attempt.reject(
            "The second vector changes with q, u or v. It must be made of k and r "
            "alone, so that one key can meet all queries."
        )
    attempt.held.append("the first knows the query alone, the second the key alone")


def _product(failure: Failure) -> str:
    got, right = (left @ other for left, other in (failure.received, failure.right))
    return (
        f"{failure.call} with d = {len(failure.args[0])}\n"
        f"gives the product {got:.4g}, should be {right:.4g}"
    )


@ask_for_function(
    "Add the four terms and take the factors that are alike out of brackets: first "
    "what is multiplied by k, then what is multiplied by r.",
    "(q + u) · k + (q + v) · r. A sum of two dot products is the dot product of two "
    "longer vectors.",
    "Lay q + u and q + v end to end, and k and r end to end.",
    right=lambda q, k, r, u, v: _two(q + u, q + v, k, r),
    what="The pair of vectors",
    problem="The product of the two vectors is not the sum of the four terms.",
    mistakes=_ONE_MISTAKES,
    held=["one product gives all four terms"],
    example=_product,
    shown=["q", "k", "r", "u", "v"],
    read=_read_vectors,
    close=lambda a, b: close(a[0] @ a[1], b[0] @ b[1]),
    then=_judge_sides,
)
def long_vectors(rng: Any) -> Any:
    """Two vectors of length 2d whose one product is the whole score."""
    return [rng.normal(size=(5, d)) for d in (1, 2, 4, 7)]


def _reversed_late(q: Any, w: Any, v: Any, k_len: int) -> Any:
    """Put the columns in the wrong order, shift, and reverse too late."""
    vectors = [sinusoid(t, q.shape[1]) @ w for t in range(k_len)]
    return viewed((q + v) @ np.transpose(vectors))[:, ::-1]


_POSITION_MISTAKES: Mistakes = [
    (
        "The columns are reversed after the shift. The order has to be right before "
        "it.",
        _reversed_late,
    ),
    (
        "The distances run the wrong way: column c must belong to distance "
        "k_len - 1 - c, the farthest first. As it is, the query's own token looks "
        "farthest away.",
        lambda q, w, v, k_len: position_part(
            q, w, v, k_len, distance=lambda i, j, memory: j + len(q) - 1 - i
        ),
    ),
    (
        "The distances have the wrong sign: sines change theirs. A distance is query "
        "minus key, never negative here.",
        lambda q, w, v, k_len: position_part(
            q, w, v, k_len, distance=lambda i, j, memory: j - memory - i
        ),
    ),
    (
        "Each distance is one too large: they are k_len - 1, …, 1, 0.",
        lambda q, w, v, k_len: position_part(
            q, w, v, k_len, distance=lambda i, j, memory: i + memory - j + 1
        ),
    ),
    (
        "The memory is forgotten: query i stands at position i + k_len - q_len.",
        lambda q, w, v, k_len: position_part(
            q, w, v, k_len, distance=lambda i, j, memory: i - j
        ),
    ),
    (
        "v is missing: term d is part of the scores too.",
        lambda q, w, v, k_len: position_part(q, w, v, k_len, with_v=False),
    ),
    (
        "W is applied from the wrong side: encodings are rows, so r = `R @ w`.",
        lambda q, w, v, k_len: position_part(
            q, w, v, k_len, project=lambda w, r: w @ r
        ),
    ),
]


def _show_terms(failure: Failure) -> str:
    (i, j), (q_len, k_len) = failure.entry, failure.right.shape
    got, right = failure.received[i, j], failure.right[i, j]
    distance, d = i + k_len - q_len - j, failure.args[0].shape[1]
    return (
        f"{failure.call} with {q_len} quer{'y' if q_len == 1 else 'ies'}\n"
        f"query {i}, key {j}: gives {got:.4g}, should be {right:.4g}\n"
        f"(distance {distance}: R = {np.round(sinusoid(distance, d), 3)})"
    )


@ask_for_function(
    "Take one query, one key, no memory: which distance should they have, and which "
    "does the code look up? Then two keys.",
    "relative_shift wants column c to be distance k_len - 1 - c: the farthest first, "
    "0 last.",
    "distances = np.arange(k_len - 1, -1, -1).",
    right=position_part,
    what="The scores",
    problem="A valid cell has the score of another distance.",
    mistakes=_POSITION_MISTAKES,
    held=["every valid cell has the score of its distance", "with a memory"],
    example=_show_terms,
    shown=["q", "w", "v"],
    close=close,
    uses=("sinusoidal.sinusoidal_encoding", "transformer_xl.relative_shift"),
)
def repair_distances(rng: Any) -> Any:
    """Repair the position part of the scores: its distances are in the wrong order."""
    cases = []
    for q_len, k_len, d in [
        (1, 1, 2),
        (1, 2, 2),
        (2, 2, 4),
        (2, 4, 4),
        (3, 9, 6),
        (1, 700, 4),
    ]:
        q, v = rng.normal(size=(q_len, d)), rng.normal(size=d)
        cases.append((q, rng.normal(size=(d, d)), v, k_len))
    return cases
