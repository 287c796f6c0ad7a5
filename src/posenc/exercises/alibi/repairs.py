"""Exercise 7: the bias of a released checkpoint, with two mistakes to find."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .._attempt import Attempt, name_mistake, one_of
from .._registry import exercise
from .oracle import all_close, bias, close, penalty, slopes, sorted_slopes

_SLOPES = (
    "The slopes are 2^(-8h/H) for every number of heads. The checkpoint was trained "
    "with those of the published recipe: for 12 heads, 8 slopes and 4 appended ones."
)
_SORTED = (
    "The slopes are right but in another order. Head 9 of the checkpoint expects the "
    "first appended one."
)
_FAR = (
    "The sign is turned: the farther a key, the more it gets. The bias is "
    "-slope * (query - key)."
)
_AFTER = (
    "Keys before the query get 0, and those after it the penalty: the two directions "
    "are exchanged."
)

_Rule = Callable[[int], float]
_RIGHT: _Rule = lambda d: -penalty(d)  # noqa: E731
_SLOPE_RULES = {
    _SLOPES: sorted_slopes,
    _SORTED: lambda n: sorted(slopes(n), reverse=True),
}
_SIGN_RULES: dict[str, _Rule] = {
    _FAR: penalty,
    _AFTER: lambda d: -penalty(-d),
}


def _explain(received: Any) -> tuple[str, ...]:
    """Mistakes, one or two, that give just these biases."""
    single = [
        (words, lambda n, q, k, o, f=f: bias(f(n), q, k, o, _RIGHT))
        for words, f in _SLOPE_RULES.items()
    ]
    single += [
        (words, lambda n, q, k, o, r=r: bias(slopes(n), q, k, o, r))
        for words, r in _SIGN_RULES.items()
    ]
    found = name_mistake(received, single, all_close)
    if found:
        return found
    for first, f in _SLOPE_RULES.items():
        for second, r in _SIGN_RULES.items():
            both = [("", lambda n, q, k, o, f=f, r=r: bias(f(n), q, k, o, r))]
            if name_mistake(received, both, all_close):
                return second, first  # the sign shows in the first example
    return ()


@exercise(
    "Look at a model with 8 heads first: print the bias of one head for six queries. "
    "Which key is favored?",
    "Then compare the slopes of 12 heads with those of `posenc.alibi.alibi_slopes`. "
    "For 8 heads they agree.",
    "Two lines are wrong: the slopes (append, do not interpolate) and the sign of the "
    "distance.",
)
def repair_checkpoint(attempt: Attempt, rng: Any) -> None:
    """Find and repair two mistakes in the bias of a released checkpoint."""
    cases = [(8, 1, 1, 0), (8, 3, 3, 0), (12, 2, 2, 0), (12, 1, 6, 5), (3, 4, 6, 2)]
    counts = rng.integers(2, 20, size=2).tolist()
    cases += [(count, 3, 9, 6) for count in counts]
    received = []
    for case in cases:
        num_heads, q_len, k_len, q_offset = case
        answer = attempt.ask(num_heads, q_len, k_len, q_offset=q_offset)
        shape = (num_heads, q_len, k_len)
        received.append((case, attempt.real_numbers(answer, shape, "The bias")))
    for (num_heads, q_len, k_len, q_offset), values in received:
        right = bias(slopes(num_heads), q_len, k_len, q_offset)
        wrong = np.argwhere(~close(values, right))
        if wrong.size:
            h, i, j = wrong[0].tolist()
            call = attempt.call_text(num_heads, q_len, k_len, q_offset=q_offset)
            attempt.reject(
                "A bias is not the one that the checkpoint was trained with.",
                f"{call}\nhead {h + 1} of {num_heads}, query at {q_offset + i}, key at "
                f"{j}: gives {values[h, i, j]:.4g}, should be {right[h, i, j]:.4g}",
                one_of(_explain(received)),
            )
    attempt.held += ["8 heads", "12 heads, in the published order", "cached queries"]
