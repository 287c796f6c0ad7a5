"""Exercise 1: the outputs of three tokens by hand, before and after a shuffle."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_value

#: Numbers whose exponentials are the scores' own: exp(ln 5) = 5.
POWERS = np.asarray([[1.0, 2.0, 5.0], [3.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
VALUES = np.asarray([[120.0, 0.0], [0.0, 120.0], [120.0, 120.0]])
ORDER = (2, 1, 0)


def _both(weights: Any) -> Any:
    out = weights @ VALUES
    return np.stack([out, out[list(ORDER)]])


_RIGHT = _both(POWERS / POWERS.sum(1)[:, None])[0]
_MISTAKES: Mistakes = [
    (
        "The values are averaged with equal weights. The weights are the softmax of "
        "the scores.",
        _both(np.full((3, 3), 1 / 3)),
    ),
    (
        "The weights are shared out by columns. Each query shares out its own "
        "attention: divide each row by its sum.",
        _both(POWERS / POWERS.sum(0)),
    ),
    (
        "The rows are not divided by their sums: the weights of a query must sum to 1.",
        _both(POWERS),
    ),
    (
        "The scores themselves were taken as weights. Take their exponentials first.",
        _both(np.log(POWERS) / np.maximum(np.log(POWERS).sum(1), 1)[:, None]),
    ),
    (
        "The second matrix is the same as the first. Its rows must be in the new "
        "order: c, b, a.",
        np.stack([_RIGHT, _RIGHT]),
    ),
    *(
        (
            "The columns of the second matrix are turned around. Columns are features, "
            "not tokens: they stay.",
            np.stack([_RIGHT, _RIGHT[rows, ::-1]]),
        )
        for rows in (list(ORDER), [0, 1, 2])  # with the rows, and instead of them
    ),
]


def _line(cell: tuple[int, int, int], number: float) -> str:
    which, row, column = cell
    token = "abc"[ORDER[row] if which else row]
    order = ("as they stand", "turned around")[which]
    return f"tokens {order}, row {row} ({token}), column {column}: not {number:g}"


@ask_for_value(
    "exp(ln 5) = 5. So the exponentials of row 0 are 1, 2 and 5, and their sum is 8.",
    "Row 0 has the weights 1/8, 2/8, 5/8; row 1 has 3/5, 1/5, 1/5; row 2 a third for "
    "each. Multiply each weight by its row of V, and add.",
    "The output of a is (15 + 75, 30 + 75) = (90, 105). After the shuffle each token "
    "keeps its output and takes it along.",
    what="The two matrices together",
    entry="a number, or a whole matrix",
    line=_line,
    mistakes=_MISTAKES,
    held=[
        "the outputs of the tokens as they stand",
        "the outputs of the tokens turned around",
    ],
    close=np.isclose,
)
def outputs_by_hand() -> Any:
    """Work out the outputs of three tokens by hand, as they stand and turned around."""
    return np.stack([_RIGHT, _RIGHT[list(ORDER)]])
