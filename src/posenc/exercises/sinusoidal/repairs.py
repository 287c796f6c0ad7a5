"""Exercise 6: an encoding that is added along the wrong axis, to repair."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, name_mistake
from .._registry import exercise

_BATCH = (
    "Every token of a sentence gets the same vector: that of the sentence's number in "
    "the batch. The table must be sliced by the length of the sentences, axis 1."
)
_MISTAKES: Mistakes = [
    (_BATCH, lambda x, table: x + table[: x.shape[0]][:, None, :]),
    (
        "Every token gets the vector of position 0.",
        lambda x, table: x + table[0],
    ),
    (
        "The positions begin at 1 here. The first token stands at position 0.",
        lambda x, table: x + table[1 : x.shape[1] + 1],
    ),
    (
        "The table is turned around: the last token gets the vector of position 0.",
        lambda x, table: x + table[: x.shape[1]][::-1],
    ),
    (
        "The embeddings are lost: the encoding is to be added to them.",
        lambda x, table: np.broadcast_to(table[: x.shape[1]], x.shape),
    ),
]


@exercise(
    "Add the encoding to zeros of shape (2, 3, 4) and print the result. What do the "
    "three tokens of a sentence have in common?",
    "x has the axes batch, token, feature. Which of them counts positions, and which "
    "one does the function slice by?",
    "table[: x.shape[1]] has shape (seq_len, d_model); added to x it is repeated for "
    "every sentence of the batch, which is what is wanted.",
)
def repair_adding(attempt: Attempt, rng: Any) -> None:
    """Repair a module that adds the encoding along the wrong axis."""
    received = []
    shapes = [(1, 1, 2), (2, 2, 2), (2, 3, 4), (3, 2, 4), (1, 5, 2), (6, 4, 2)]
    for number, (batch, seq_len, d_model) in enumerate(shapes):
        x = rng.integers(-3, 4, size=(batch, seq_len, d_model)).astype(np.float64)
        table = rng.normal(size=(9, d_model))
        if number:
            answer = attempt.ask(x, table)
        else:
            answer = attempt.choose_style(("numpy", "torch"), x, table)
        values = attempt.real_numbers(answer, x.shape, "The result")
        received.append(((x, table), values))
    for (x, table), values in received:
        right = np.empty(x.shape)
        for sentence, token in np.ndindex(x.shape[:2]):
            right[sentence, token] = x[sentence, token] + table[token]
        for entry in np.argwhere(np.abs(values - right) > 1e-5):
            sentence, token, _ = entry.tolist()
            attempt.reject(
                "A token gets the vector of another position.",
                f"x of shape {x.shape}, table of shape {table.shape}\n"
                f"token {token} of sentence {sentence}: adds "
                f"{(values - x)[sentence, token].round(3)}, should add "
                f"{table[token].round(3)}",
                name_mistake(received, _MISTAKES, _same),
            )
    attempt.held += [
        "every token gets the vector of its own position",
        "every sentence of a batch gets the same",
    ]


def _same(received: Any, right: Any) -> bool:
    return bool((np.abs(received - right) <= 1e-5).all())
