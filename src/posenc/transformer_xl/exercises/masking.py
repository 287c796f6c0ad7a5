"""Exercise 5: what to do about the garbage of the shift."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import shifted, softmax


def _scores(content: Any, position: Any) -> Any:
    return content + np.nan_to_num(shifted(position))


def _zeroed(content: Any, position: Any, diagonal: int) -> Any:
    """Scores whose position part is 0 beyond the diagonal."""
    return content + np.tril(np.nan_to_num(shifted(position)), diagonal)


def _memory(content: Any) -> int:
    return int(content.shape[1] - content.shape[0])


_MASK_MISTAKES: Mistakes = [
    (
        "The upper triangle is set to 0, as if no key could stand right of the "
        "diagonal. With a memory the valid cells reach further: j <= i + (k_len - "
        "q_len). And a score of 0 hides nothing: exp(0) = 1.",
        lambda c, p: softmax(_zeroed(c, p, 0), diagonal=c.shape[1]),
    ),
    (
        "The upper triangle is hidden as if there were no memory. Valid are the cells "
        "with j <= i + (k_len - q_len).",
        lambda c, p: softmax(_scores(c, p), diagonal=0),
    ),
    (
        "The position part is cut off as if there were no memory, though the mask is "
        "right.",
        lambda c, p: softmax(_zeroed(c, p, 0)),
    ),
    (
        "Garbage is set to 0 and still takes part: exp(0) = 1. The score of a hidden "
        "key is minus infinity.",
        lambda c, p: softmax(_scores(c, p), hidden=0.0),
    ),
    (
        "The position part is 0 beyond the diagonal, but the content of later keys is "
        "still seen: a hidden key must have a score of minus infinity.",
        lambda c, p: softmax(_zeroed(c, p, _memory(c)), diagonal=c.shape[1]),
    ),
    (
        "The mask is one column too wide: the next token is seen.",
        lambda c, p: softmax(c + np.asarray(_with_next(p)), diagonal=_memory(c) + 1),
    ),
]


def _with_next(position: Any) -> Any:
    """Shifted products, where the garbage is what the view shows."""
    q_len, k_len = position.shape
    flat = [*position.ravel(), *([0.0] * k_len)]
    rows = [flat[q_len - 1 + i * (k_len - 1) :][:k_len] for i in range(q_len)]
    return np.asarray(rows)


def _example(failure: Failure) -> str:
    i, j = failure.entry
    got, right = failure.received[i, j], failure.right[i, j]
    return f"{failure.call}\nquery {i}, key {j}: gives {got:.4g}, should be {right:.4g}"


@ask_for_function(
    "Print the shifted matrix for two queries and four keys. Which cells are garbage, "
    "and which does np.tril remove?",
    "np.tril keeps j <= i. Valid are the cells with j <= i + (k_len - q_len). And ask "
    "yourself what weight a score of 0 gets.",
    "Leave the shifted matrix alone. Add it to the content, then set the scores with "
    "j > i + (k_len - q_len) to -np.inf, then take the softmax.",
    right=lambda content, position: softmax(_scores(content, position)),
    what="The weights",
    problem="The weights are not those of the visible keys.",
    mistakes=_MASK_MISTAKES,
    held=["no later key has any weight", "no key of the memory is lost"],
    example=_example,
    close=lambda a, b: np.isclose(a, b, rtol=1e-4, atol=1e-6),
    uses=("transformer_xl.relative_shift",),
)
def repair_mask(rng: Any) -> Any:
    """Repair weights whose author mistrusted the upper triangle of the shift."""
    shapes = [(1, 1), (2, 2), (1, 3), (2, 4), (3, 3), (3, 5), (4, 9)]
    return [rng.normal(size=(2, *shape)) for shape in shapes]
