"""Exercise 1: the outputs of three tokens by hand, before and after a shuffle."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import name_mistake
from posenc.kit.exercises.registry import exercise

#: Numbers whose exponentials are the scores' own: exp(ln 5) = 5.
POWERS = np.asarray([[1.0, 2.0, 5.0], [3.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
VALUES = np.asarray([[120.0, 0.0], [0.0, 120.0], [120.0, 120.0]])
ORDER = (2, 1, 0)


def _outputs() -> Any:
    """Outputs in loops: weights are exponentials, divided by the sum of their row."""
    out = np.zeros((3, 2))
    for i in range(3):
        powers = [math.exp(math.log(power)) for power in POWERS[i]]
        for j in range(3):
            out[i] += powers[j] / sum(powers) * VALUES[j]
    return out


def _both(weights: Any) -> Any:
    out = weights @ VALUES
    return np.stack([out, out[list(ORDER)]])


_MISTAKES = [
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
        np.stack([_outputs(), _outputs()]),
    ),
    (
        "The columns of the second matrix are turned around. Columns are features, not "
        "tokens: they stay.",
        np.stack([_outputs(), _outputs()[list(ORDER), ::-1]]),
    ),
]


@exercise(
    "exp(ln 5) = 5. So the exponentials of the first row are 1, 2 and 5, and their "
    "sum is 8.",
    "Row 1 has the weights 1/8, 2/8, 5/8; row 2 has 3/5, 1/5, 1/5; row 3 a third for "
    "each. Multiply each weight by its row of V, and add.",
    "The output of a is (15 + 75, 30 + 75) = (90, 105). After the shuffle each token "
    "keeps its output and takes it along.",
    asks_for="value",
    mistakes=_MISTAKES,
)
def outputs_by_hand(attempt: Attempt, rng: Any) -> None:
    """Outputs of three tokens, as they stand and turned around, by hand."""
    answer = attempt.ask_for_list()
    if isinstance(answer, list) and any(map(is_blank, answer)):
        attempt.reject("One of the two matrices is still to be found.")
    matrices = attempt.real_numbers(answer, (2, 3, 2), "The two matrices together")
    right = np.stack([_outputs(), _outputs()[list(ORDER)]])
    for which, received, expected in zip(
        ("as they stand", "turned around"), matrices, right, strict=True
    ):
        wrong = [n for n in range(3) if not np.allclose(received[n], expected[n])]
        if wrong:
            rows = ", ".join(str(n + 1) for n in wrong)
            attempt.reject(
                f"Tokens {which}: not right in row {rows}.",
                mistakes=name_mistake([((), matrices)], _MISTAKES, np.allclose),
            )
        attempt.held.append(f"the outputs of the tokens {which}")
