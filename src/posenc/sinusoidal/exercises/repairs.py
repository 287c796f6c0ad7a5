"""Exercise 7: an encoding that is added along the wrong axis, to repair."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import Failure, ask_for_function

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


def _added(x: Any, table: Any) -> Any:
    out = np.empty(x.shape)
    for sentence, token in np.ndindex(x.shape[:2]):
        out[sentence, token] = x[sentence, token] + table[token]
    return out


def _show(failure: Failure) -> str:
    (x, table), (sentence, token, _) = failure.args, failure.entry
    return (
        f"x of shape {x.shape}, table of shape {table.shape}\n"
        f"token {token} of sentence {sentence}: adds "
        f"{(failure.received - x)[sentence, token].round(3)}, should add "
        f"{table[token].round(3)}"
    )


@ask_for_function(
    "Add the encoding to zeros of shape (2, 3, 4) and print the result. What do the "
    "three tokens of a sentence have in common?",
    "x has the axes batch, token, feature. Which of them counts positions, and which "
    "one does the function slice by?",
    "table[: x.shape[1]] has shape (seq_len, d_model); added to x it is repeated for "
    "every sentence of the batch, which is what is wanted.",
    right=_added,
    what="The result",
    problem="A token gets the vector of another position.",
    example=_show,
    mistakes=_MISTAKES,
    held=[
        "every token gets the vector of its own position",
        "every sentence of a batch gets the same",
    ],
)
def repair_adding(rng: Any) -> Any:
    """Repair a module that adds the encoding along the wrong axis."""
    shapes = [(1, 1, 2), (2, 2, 2), (2, 3, 4), (3, 2, 4), (1, 5, 2), (6, 4, 2)]
    return [
        (
            rng.integers(-3, 4, size=shape).astype(np.float64),
            rng.normal(size=(9, shape[-1])),
        )
        for shape in shapes
    ]
