"""Exercises 3 and 4: all four terms as one product, and distances to put in order."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import close, position_part, sinusoid, viewed

Vectors = tuple[Any, Any]


def _two(first: Any, second: Any, *others: Any) -> Vectors:
    """Two vectors of length 2d, from halves that are laid end to end."""
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


def _read(attempt: Attempt, answer: Any, right: Vectors) -> Vectors:
    several = isinstance(answer, list) or np.ndim(answer) > 0
    if not several or len(answer) != 2:
        attempt.reject(f"Return two vectors, got {attempt.kind}.")
    attempt.kind = ""  # the kind of each vector is not that of the pair
    return (
        attempt.read_like(answer[0], right[0], "The first vector"),
        attempt.read_like(answer[1], right[1], "The second vector"),
    )


def _judge_sides(attempt: Attempt, rng: Any) -> None:
    """Left must not depend on k and r, right not on q, u, v: they are reused."""
    q, k, r, u, v, *other = rng.normal(size=(10, 3))

    def vectors(*args: Any) -> Vectors:
        return _read(attempt, attempt.ask(*args), (np.zeros(6), np.zeros(6)))

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
    read=_read,
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


def _example(failure: Failure) -> str:
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
    example=_example,
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
