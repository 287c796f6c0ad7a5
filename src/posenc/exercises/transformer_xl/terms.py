"""Exercises 3 and 4: all four terms as one product, and distances to put in order."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise
from .oracle import position_part, sinusoid

_ONE_MISTAKES: Mistakes = [
    (
        "Terms c and d are missing: u and v play no part.",
        lambda q, k, r, u, v: q @ k + q @ r,
    ),
    (
        "u and v are swapped: u goes with the key, v with the distance.",
        lambda q, k, r, u, v: (q + v) @ k + (q + u) @ r,
    ),
    (
        "One of u and v is added to both halves.",
        lambda q, k, r, u, v: (q + u) @ k + (q + u) @ r,
    ),
    (
        "One of u and v is added to both halves.",
        lambda q, k, r, u, v: (q + v) @ k + (q + v) @ r,
    ),
    (
        "q + u + v meets k + r: that has u · r and v · k in it, which no term has.",
        lambda q, k, r, u, v: (q + u + v) @ (k + r),
    ),
    (
        "Two copies of q are missing: the terms a and b are not there.",
        lambda q, k, r, u, v: u @ k + v @ r,
    ),
]


@exercise(
    "Add the four terms and take the factors that are alike out of brackets: first "
    "what is multiplied by k, then what is multiplied by r.",
    "(q + u) · k + (q + v) · r. A sum of two dot products is the dot product of two "
    "longer vectors.",
    "Lay q + u and q + v end to end, and k and r end to end.",
)
def long_vectors(attempt: Attempt, rng: Any) -> None:
    """Two vectors of length 2d whose one product is the whole score."""
    attempt.choose_style(("numpy", "torch"), *rng.normal(size=(5, 3)))
    received: list[tuple[Any, Any]] = []
    for d in (1, 2, 4, 7):
        case = tuple(rng.normal(size=(5, d)))
        received.append((case, _two_vectors(attempt, attempt.ask(*case), d)))
    scores = [(case, left @ right) for case, (left, right) in received]
    for (q, k, r, u, v), score in scores:
        right = q @ k + q @ r + u @ k + v @ r
        if not _close(score, right):
            names = [Shown(name) for name in ("q", "k", "r", "u", "v")]
            attempt.reject(
                "The product of the two vectors is not the sum of the four terms.",
                f"{attempt.call_text(*names)} with d = {len(q)}\n"
                f"gives the product {score:.4g}, should be {right:.4g}",
                name_mistake(scores, _ONE_MISTAKES, _close),
            )
    attempt.held.append("one product gives all four terms")
    _check_sides(attempt, rng)
    attempt.held.append("the first knows the query alone, the second the key alone")


def _check_sides(attempt: Attempt, rng: Any) -> None:
    """Left must not depend on k and r, right not on q, u, v: they are reused."""
    q, k, r, u, v, *other = rng.normal(size=(10, 3))
    left, right = _two_vectors(attempt, attempt.ask(q, k, r, u, v), 3)
    same_left, _ = _two_vectors(attempt, attempt.ask(q, other[0], other[1], u, v), 3)
    _, same_right = _two_vectors(
        attempt, attempt.ask(other[2], k, r, other[3], other[4]), 3
    )
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


def _two_vectors(attempt: Attempt, answer: Any, d: int) -> tuple[Any, Any]:
    several = isinstance(answer, list) or np.ndim(answer) > 0
    if not several or len(answer) != 2:
        attempt.reject(f"Return two vectors, got {attempt.kind}.")
    left, right = answer
    attempt.kind = ""  # the kind of each vector is not that of the pair
    left = attempt.real_numbers(left, (2 * d,), "The first vector")
    return left, attempt.real_numbers(right, (2 * d,), "The second vector")


def _close(received: Any, right: Any) -> bool:
    return bool(np.isclose(received, right, rtol=1e-4, atol=1e-5))


_POSITION_MISTAKES: Mistakes = [
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
        "W is applied from the wrong side: r = W R is `R @ w.T` for rows.",
        lambda q, w, v, k_len: position_part(
            q, w, v, k_len, project=lambda w, r: r @ w
        ),
    ),
]


@exercise(
    "Take one query, one key, no memory: which distance should they have, and which "
    "does the code look up? Then two keys.",
    "relative_shift wants column c to be distance k_len - 1 - c: the farthest first, "
    "0 last.",
    "distances = np.arange(k_len - 1, -1, -1).",
)
def repair_distances(attempt: Attempt, rng: Any) -> None:
    """Repair the position part of the scores: its distances are in the wrong order."""
    received: list[tuple[Any, Any]] = []
    for q_len, k_len, d in [(1, 1, 2), (1, 2, 2), (2, 2, 4), (2, 4, 4), (3, 9, 6)]:
        q, v = rng.normal(size=(q_len, d)), rng.normal(size=d)
        w = rng.normal(size=(d, d))
        if not received:
            attempt.choose_style(("numpy", "torch"), q, w, v, k_len)
        answer = attempt.ask(q, w, v, k_len)
        out = attempt.real_numbers(answer, (q_len, k_len), "The scores")
        received.append(((q, w, v, k_len), out))
    for (q, w, v, k_len), out in received:
        right = position_part(q, w, v, k_len)
        for i, j in np.argwhere(~_same(out, right)).tolist():
            distance = i + k_len - len(q) - j
            mistakes = name_mistake(
                received, _POSITION_MISTAKES, lambda a, b: bool(_same(a, b).all())
            )
            call = attempt.call_text(Shown("q"), Shown("w"), Shown("v"), k_len)
            attempt.reject(
                "A valid cell has the score of another distance.",
                f"{call} with {len(q)} queries\n"
                f"query {i}, key {j}: gives {out[i, j]:.4g}, "
                f"should be {right[i, j]:.4g}\n(distance {distance}: R = "
                f"{np.round(sinusoid(distance, q.shape[1]), 3)})",
                mistakes,
            )
    attempt.held += ["every valid cell has the score of its distance", "with a memory"]


def _same(received: Any, wanted: Any) -> Any:
    """Tell cells that agree, or that nothing is asked of."""
    return np.isnan(wanted) | np.isclose(received, wanted, rtol=1e-4, atol=1e-5)
