"""Exercise 1: a state by hand."""

from functools import partial
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_value

_KEYS = ((1, 0), (2, 1), (0, 3))
_VALUES = ((2, 0), (1, 4), (3, 1))
_QUERY = (1, 2)


def _answers(
    last: int = 3,
    *,
    first: int = 0,
    turned: bool = False,
    swapped: bool = False,
    outer: bool = True,
    summed: Any = _KEYS,
) -> list[float]:
    """State row by row, normalizer, denominator and output of the last query."""
    k, v = np.asarray(_KEYS[first:last]), np.asarray(_VALUES[first:last])
    S, z = k.T @ v, np.asarray(summed[first:last]).sum(0)
    S = S if outer else np.outer(k.sum(0), v.sum(0))
    total = int(np.asarray(_QUERY) @ z)
    top = np.asarray(_QUERY) @ (S.T if swapped else S)
    S = S.T if turned else S
    return [*S.ravel().tolist(), *z.tolist(), total, *(top / total).tolist()]


_TRANSPOSED = (
    "The state is transposed: features go down (rows), values across (columns)."
)
_SWAPPED = "The query runs over the features of the keys, which are the rows of S."
_MISTAKES: Mistakes = [
    (_TRANSPOSED, _answers(turned=True)),
    (_TRANSPOSED, _answers(turned=True, swapped=True)),
    ("The newest token is missing: query i sees its own key, too.", _answers(last=2)),
    ("That is the newest token alone. S and z are sums over all.", _answers(first=2)),
    (
        "The output is not divided by the denominator yet.",
        [*_answers()[:7], *(x * _answers()[6] for x in _answers()[7:])],
    ),
    (
        "The sum of the values is in the place of z. It is the keys that are summed.",
        _answers(summed=_VALUES),
    ),
    (
        "That is the outer product of the two sums. Each key is multiplied by its own "
        "value, and then the products are summed.",
        _answers(outer=False),
    ),
]


_NAMES = (
    *(f"S, row {i}, column {j}" for i in (0, 1) for j in (0, 1)),
    *(f"z, entry {i}" for i in (0, 1)),
    "the denominator",
    *(f"the output, entry {i}" for i in (0, 1)),
)


@ask_for_value(
    "The outer product of a key (a, b) and a value (c, d) is the matrix with rows "
    "a * (c, d) and b * (c, d).",
    "S is the sum of three such matrices, z the sum of the three keys.",
    "The denominator is 1 * z[0] + 2 * z[1]; the output is (1 * first row of S + 2 * "
    "second row of S), divided by it.",
    what="The list of numbers",
    entry="a number",
    line=lambda i, number: f"{_NAMES[i]}: not {number:g}",
    mistakes=_MISTAKES,
    held=["the state and the normalizer", "the output of the query"],
    close=partial(np.isclose, rtol=0.01),  # two digits are enough by hand
    slips=[
        (
            6,
            sum(_answers()[4:6]),
            "That is the sum of z. The denominator is its dot product with the query.",
        ),
        *((7 + i, _answers(swapped=True)[7 + i], _SWAPPED) for i in (0, 1)),
    ],
)
def state_by_hand() -> Any:
    """State, normalizer, denominator and output of the third query, by hand."""
    return np.asarray(_answers())
