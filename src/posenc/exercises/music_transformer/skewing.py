"""Exercises 1 and 2: the skew by hand, and in code."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, is_blank, name_mistake
from .._registry import exercise
from . import oracle

#: Numbered in the order of memory, so that each cell tells where it is from.
BY_HAND = np.arange(1.0, 17.0).reshape(4, 4)

_HAND_MISTAKES: Mistakes = [
    (oracle.PADDED_RIGHT, lambda: oracle.skewed(BY_HAND, right=True)),
    (oracle.DROPPED_LAST, lambda: oracle.skewed(BY_HAND, drop_last=True)),
    (
        "Below and on the diagonal all is right. Above it, the skew does not put "
        "zeros: write what the three steps leave there.",
        lambda: oracle.wanted(BY_HAND),
    ),
    (oracle.UNTOUCHED, lambda: BY_HAND),
    (
        oracle.ROLLED,
        lambda: np.stack([np.roll(row, i) for i, row in enumerate(BY_HAND)]),
    ),
    (
        "Below and on the diagonal all is right. Above it, each row was continued with "
        "its own beginning; but the line goes on with the pad and the next row.",
        lambda: np.stack([np.roll(row, i + 1) for i, row in enumerate(BY_HAND)]),
    ),
]


@exercise(
    "Write the pad, 0, before each row, and then all twenty numbers in one line.",
    "The line is 0 1 2 3 4 0 5 6 7 8 0 9 … Cut it into rows of four.",
    "The first row of four is 0 1 2 3: drop it. The next one is 4 0 5 6.",
    asks_for="value",
)
def skew_by_hand(attempt: Attempt, rng: Any) -> None:
    """Skew a matrix of four rows with pencil and paper, garbage included."""
    answer = attempt.ask_for_list()
    rows = answer if isinstance(answer, list) else []
    blank = [
        is_blank(x) for row in rows for x in (row if isinstance(row, list) else [row])
    ]
    if blank and all(blank):
        attempt.not_begun()
    if any(blank):
        attempt.reject("Some entries are still dots: replace each by a number.")
    numbers = attempt.real_numbers(answer, (4, 4), "The matrix")
    right = oracle.skewed(BY_HAND)
    wrong = np.argwhere(numbers != right).tolist()
    if wrong:
        i, j = wrong[0]
        attempt.reject(
            f"{len(wrong)} of 16 are not right.",
            f"row {i}, column {j} is not {numbers[i, j]:g}",
            name_mistake([((), numbers)], _HAND_MISTAKES, np.array_equal),
        )
    attempt.held += ["every product in its place", "the garbage above the diagonal"]


_SKEW_MISTAKES: Mistakes = [
    (oracle.PADDED_RIGHT, lambda products: oracle.skewed(products, right=True)),
    (oracle.DROPPED_LAST, lambda products: oracle.skewed(products, drop_last=True)),
    (oracle.UNTOUCHED, lambda products: products),
    (oracle.REVERSED, lambda products: oracle.wanted(products[:, ::-1])),
    (oracle.TRANSPOSED, lambda products: oracle.skewed(products).T),
    (
        oracle.ROLLED,
        lambda products: np.stack([np.roll(row, i) for i, row in enumerate(products)]),
    ),
]


@exercise(
    "Three steps: a column of zeros on the left, another shape for the same numbers, "
    "and without the first row.",
    "np.concatenate with zeros of shape (..., L, 1) along the last axis; then reshape "
    "from (..., L, L + 1) to (..., L + 1, L).",
    "Batch axes: *batch, seq_len, _ = scores.shape. Then padded.reshape(*batch, "
    "seq_len + 1, seq_len)[..., 1:, :].",
)
def skew(attempt: Attempt, rng: Any) -> None:
    """Move each product from the column of its offset to the column of its key."""
    attempt.choose_style(("numpy", "torch"), rng.normal(size=(3, 3)))
    received = []
    for seq_len in (1, 2, 3, 4, 7):
        products = np.round(rng.normal(size=(seq_len, seq_len)), 2)
        answer = attempt.ask(products)
        out = attempt.real_numbers(answer, products.shape, "The skewed scores")
        received.append(((products,), out))
    for (products,), out in received:
        right = oracle.wanted(products)
        for i, j in np.argwhere(~oracle.agree(out, right)).tolist():
            attempt.reject(
                "A product of the causal part is not in its place.",
                f"{attempt.call_text(products)}\nrow {i}, column {j}: gives "
                f"{out[i, j]:g}, should be {right[i, j]:g}, the product of query {i} "
                f"with offset {j - i}",
                name_mistake(received, _SKEW_MISTAKES, oracle.same_causal_part),
            )
    attempt.held += ["every cell with key <= query", "a single query"]
    batch = np.round(rng.normal(size=(2, 3, 4, 4)), 2)
    out = attempt.real_numbers(
        attempt.ask(batch), batch.shape, "With batch and heads, it"
    )
    for b, h in np.ndindex(2, 3):
        if not oracle.same_causal_part(out[b, h], oracle.wanted(batch[b, h])):
            attempt.reject(
                "With axes for batch and heads in front, the matrices get mixed up.",
                f"scores of shape (2, 3, 4, 4): matrix [{b}, {h}] is not the skew of "
                "that matrix alone",
            )
    attempt.held.append("axes of batch and heads in front")
    _remark_on_garbage(attempt, received)


def _remark_on_garbage(attempt: Attempt, received: Any) -> None:
    """Say that both are right: garbage, and something tidier."""
    (products,), out = received[-1]
    if np.allclose(out, oracle.wanted(products)):
        attempt.notes.append(
            "Above the diagonal you put zeros. That is fine, but it is no mask: a "
            "score of 0 still gets a weight."
        )
