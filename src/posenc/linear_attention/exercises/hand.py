"""Exercise 1: a state by hand."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import Mistakes, name_mistake
from posenc.kit.exercises.registry import exercise

_KEYS = ((1, 0), (2, 1), (0, 3))
_VALUES = ((2, 0), (1, 4), (3, 1))
_QUERY = (1, 2)


def _answers(
    last: int = 3, *, turned: bool = False, swapped: bool = False
) -> list[float]:
    """State row by row, normalizer, denominator and output of the last query."""
    k, v = np.asarray(_KEYS[:last]), np.asarray(_VALUES[:last])
    S, z = k.T @ v, k.sum(0)
    total = int(np.asarray(_QUERY) @ z)
    top = np.asarray(_QUERY) @ (S.T if swapped else S)
    S = S.T if turned else S
    return [*S.ravel().tolist(), *z.tolist(), total, *(top / total).tolist()]


_TRANSPOSED = (
    "The state is transposed: features go down (rows), values across (columns)."
)
_MISTAKES: Mistakes = [
    (_TRANSPOSED, _answers(turned=True)),
    (_TRANSPOSED, _answers(turned=True, swapped=True)),
    ("The newest token is missing: query i sees its own key, too.", _answers(last=2)),
    (
        "The output is not divided by the denominator yet.",
        [*_answers()[:7], *(x * _answers()[6] for x in _answers()[7:])],
    ),
]


def _same(received: Any, right: Any) -> bool:
    """Two digits are enough by hand."""
    return bool(np.allclose(received, right, 0.01))


@exercise(
    "The outer product of a key (a, b) and a value (c, d) is the matrix with rows "
    "a * (c, d) and b * (c, d).",
    "S is the sum of three such matrices, z the sum of the three keys.",
    "The denominator is 1 * z[0] + 2 * z[1]; the output is (1 * first row of S + 2 * "
    "second row of S), divided by it.",
    asks_for="value",
    mistakes=_MISTAKES,
)
def state_by_hand(attempt: Attempt, rng: Any) -> None:
    """State, normalizer, denominator and output of the third query, by hand."""
    answer = attempt.ask_for_list()
    if isinstance(answer, list) and any(map(is_blank, answer)):
        attempt.reject("Some entries are still dots: replace each by a number.")
    got = attempt.real_numbers(answer, (9,), "The list of numbers")
    right = _answers()
    parts = {"S": slice(0, 4), "z": slice(4, 6), "the denominator": slice(6, 7)}
    parts["the output"] = slice(7, 9)
    wrong = [name for name, at in parts.items() if not _same(got[at], right[at])]
    if wrong:
        named = name_mistake([((), got)], _MISTAKES, _same)
        attempt.reject(f"Not right: {', '.join(wrong)}.", mistakes=named)
    attempt.held += ["the state and the normalizer", "the output of the query"]
