"""Exercise 3: the position part of the scores, one product for each query position."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, WrongError
from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, close

from . import oracle

_TOO_LARGE = (
    "An array with one vector for every pair in every head and sequence: B H L L d "
    "numbers. The vectors are the same for all of them, so L L d are enough."
)

_TOO_MANY = (
    "2k + 1 products for each query, most of which no pair needs here. Multiply the "
    "queries at a position with the k_len vectors of that position alone."
)


def _unturned(q: Any, table: Any, k_len: int) -> Any:
    """Exchange the first axes by a reshape, which does not move a number."""
    *batch, q_len, head_dim = q.shape
    turned = q.reshape(q_len, -1, head_dim)
    return np.moveaxis(_products(turned, table, k_len), 0, 1).reshape(
        *batch, q_len, k_len
    )


def _not_turned_back(q: Any, table: Any, k_len: int) -> Any:
    """Exchange the axes properly, but go back by a reshape."""
    turned = np.moveaxis(q.reshape(-1, *q.shape[-2:]), 1, 0)
    return _products(turned, table, k_len).reshape(*q.shape[:-1], k_len)


def _products(turned: Any, table: Any, k_len: int) -> Any:
    index = oracle.index(len(turned), k_len, len(table) // 2)
    return np.stack([x @ table[index[i]].T for i, x in enumerate(turned)])


_MISTAKES: Mistakes = [
    (
        "The axes are exchanged by reshape alone. It does not move a number: first "
        "transpose, then reshape.",
        _unturned,
    ),
    (
        "The way back is a reshape alone: the products have the query in front. "
        "Transpose it to where it was.",
        _not_turned_back,
    ),
    *(
        (
            oracle.MISTAKES[name],
            lambda q, table, k_len, name=name: oracle.scores(
                q, table, k_len, mistakes=[name]
            ),
        )
        for name in ("swapped", "unshifted", "unclipped", "narrow")
    ),
    (
        "The scores are divided by sqrt(d) here. The task leaves that to the softmax.",
        lambda q, table, k_len: oracle.scores(q, table, k_len, mistakes=["scaled"]),
    ),
]


def _try_many(attempt: Attempt, rng: Any) -> None:
    """32 heads of 176 tokens: what is not needed would take 5 GB.

    First the vectors are wide, so one for each pair of every head is too much. Then the
    table is long, so a product of each query with each of its rows is.
    """
    _try_large(attempt, rng, 640, 2, _TOO_LARGE)
    _try_large(attempt, rng, 4, 60_000, _TOO_MANY)


def _try_large(attempt: Attempt, rng: Any, width: int, k: int, mistake: str) -> None:
    q, table = _draw(rng, (4, 8, 176, width), k)
    size = f"32 heads with 176 tokens, d = {width} and k = {k:,}"
    try:
        answer = attempt.ask(q, table, 176)
    except WrongError as wrong:
        if "alloc" in wrong.problem or "Memory" in wrong.problem:
            wrong.mistakes = (mistake,)
        attempt.reject(f"It needs too much for {size}.", wrong.problem, wrong.mistakes)
    out = attempt.real_numbers(answer, (4, 8, 176, 176), "The large array of scores")
    few = oracle.scores(q[:, :, :2], table, 176)
    if not close(out[:, :, :2], few).all():
        attempt.reject(f"The scores of {size} are not right.")
    attempt.held.append(f"{size}: fits into memory")


def _draw(rng: Any, shape: tuple[int, ...], k: int) -> tuple[Any, Any]:
    return rng.normal(size=shape), rng.normal(size=(2 * k + 1, shape[-1]))


def _show(failure: Failure) -> str:
    q, key_table, _ = failure.args
    return (
        f"{failure.call}, with q of shape {q.shape} and key_table of shape "
        f"{key_table.shape}\nentry {failure.entry}: {failure.gives}"
    )


@ask_for_function(
    "vectors = key_table[index] has the shape (L, k_len, d): for each query position i "
    "a matrix of k_len vectors. All B H queries at position i meet the same matrix.",
    "So bring the query position to the front: (B, H, L, d) -> (L, B, H, d) by a "
    "transpose, then -> (L, B H, d) by a reshape.",
    "(L, B H, d) @ (L, d, k_len) gives (L, B H, k_len). Reshape to "
    "(L, B, H, k_len) and transpose the first axis to the third place.",
    right=oracle.scores,
    what="The array of scores",
    problem="A score is not the product of its query and its vector.",
    example=_show,
    shown=["q", "key_table"],
    mistakes=_MISTAKES,
    held=["every score of every head and sequence"],
    first=lambda rng: case(*_draw(rng, (1, 1, 2, 3), 1), 2),
    then=_try_many,
    uses=("shaw.relative_position_index",),
)
def position_scores(rng: Any) -> Any:
    """Position part of the scores, by one matrix product for each query position."""
    shapes = [
        ((1, 1, 1, 1), 0, 1),
        ((1, 1, 1, 2), 1, 3),
        ((1, 1, 3, 2), 1, 3),
        ((2, 3, 4, 5), 2, 4),
        ((3, 2, 6, 4), 2, 5),
        ((2, 2, 5, 3), 7, 9),
        ((1, 1, 2, 2), 650, 700),
    ]
    return [(*_draw(rng, shape, k), k_len) for shape, k, k_len in shapes]
