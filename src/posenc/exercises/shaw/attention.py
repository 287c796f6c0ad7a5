"""Exercise 6: attention with vectors on keys and values, to repair."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Shown, one_of
from .._registry import exercise
from . import oracle

_NAMES = ("q", "k", "v", "key_table", "value_table")
_SWITCHES = (
    "swapped",
    "unshifted",
    "one_table",
    "no_values",
    "no_keys",
    "half_scaled",
    "unscaled",
    "narrow",
)


@exercise(
    "Three lines are wrong. Give it a key table that is zero but for the row of the "
    "token itself: which scores change? Then one with the next token's row alone.",
    "Print the index for three tokens and k = 1. Which numbers must not be in it? In "
    "which direction does it grow?",
    "j - i, not i - j; add k after clipping; and the values need value_table.",
)
def repair_attention(attempt: Attempt, rng: Any) -> None:
    """Find and repair the three mistakes of an attention with relative vectors."""
    attempt.choose_style(("numpy", "torch"), *_draw(rng, 2, 2, 1))
    received = []
    for length, d, k in [(1, 1, 0), (1, 2, 1), (2, 2, 1), (3, 4, 1), (6, 4, 2)]:
        arrays = _draw(rng, length, d, k)
        out = attempt.real_numbers(attempt.ask(*arrays), (length, d), "The output")
        received.append((arrays, out))
    for arrays, out in received:
        right = oracle.attend(*arrays)
        if not _close(out, right):
            i = int(np.argwhere(~np.isclose(out, right, atol=1e-6))[0, 0])
            names = [Shown(name) for name in _NAMES]
            found = oracle.diagnose(lambda m: _explains(received, m), _SWITCHES)
            attempt.reject(
                "An output is not that of the formulas.",
                f"{attempt.call_text(*names)}, with q of shape "
                f"{out.shape} and tables of shape {arrays[3].shape}\n"
                f"query {i}: gives {np.round(out[i], 3)}, "
                f"should be {np.round(right[i], 3)}",
                one_of(found),
            )
    attempt.held += ["the vectors of the keys", "the vectors of the values"]


def _draw(rng: Any, length: int, d: int, k: int) -> list[Any]:
    shapes = [(length, d)] * 3 + [(2 * k + 1, d)] * 2
    return [rng.normal(size=shape) for shape in shapes]


def _explains(received: Any, mistakes: tuple[str, ...]) -> bool:
    return all(_close(out, oracle.attend(*a, mistakes=mistakes)) for a, out in received)


def _close(received: Any, right: Any) -> bool:
    return bool(np.allclose(received, right, rtol=1e-5, atol=1e-6))
