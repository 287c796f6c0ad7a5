"""Exercise 6: attention with vectors on keys and values, to repair."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Switches
from posenc.kit.exercises.tasks import Failure, ask_for_function

from . import oracle

_NAMES = ("q", "k", "v", "key_table", "value_table")
#: Of several mistakes the first one is named. The small cases come first, so this order
#: begins with mistakes that show there: with one row, with one token, with two tokens.
_SWITCHES = {
    name: oracle.MISTAKES[name]
    for name in (
        *("one_table", "unshifted", "swapped", "no_values"),
        *("no_keys", "half_scaled", "unscaled", "narrow"),
    )
}


def _draw(rng: Any, length: int, d: int, k: int) -> tuple[Any, ...]:
    shapes = [(length, d)] * 3 + [(2 * k + 1, d)] * 2
    return tuple(rng.normal(size=shape) for shape in shapes)


def _show(failure: Failure) -> str:
    i = failure.entry[0]
    return (
        f"{failure.call}, with q of shape {failure.args[0].shape} and tables of shape "
        f"{failure.args[3].shape}\n"
        f"query {i}: gives {np.round(failure.received[i], 3)}, should be "
        f"{np.round(failure.right[i], 3)}"
    )


@ask_for_function(
    "Three lines are wrong. Give it a key table that is zero but for the row of the "
    "token itself: which scores change? Then one with the next token's row alone.",
    "Print the index for three tokens and k = 1. Which numbers must not be in it? In "
    "which direction does it grow?",
    "j - i, not i - j; add k after clipping; and the values need value_table.",
    right=oracle.attend,
    what="The output",
    problem="An output is not that of the formulas.",
    example=_show,
    shown=_NAMES,
    mistakes=Switches(oracle.attend, _SWITCHES),
    one_of=True,
    held=["the vectors of the keys", "the vectors of the values"],
    first=lambda rng: Case(_draw(rng, 2, 2, 1)),
)
def repair_attention(rng: Any) -> Any:
    """Find and repair the three mistakes of an attention with relative vectors."""
    shapes = [(1, 1, 0), (1, 2, 1), (2, 2, 1), (3, 4, 1), (6, 4, 2)]
    return [_draw(rng, *shape) for shape in shapes]
