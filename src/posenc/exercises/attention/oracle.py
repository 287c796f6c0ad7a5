"""Attention in plain loops, right or with known mistakes.

This is the judge of the chapter's exercises, so it shares no code with
`posenc.attention`. Each mistake is a switch; the diagnosis is the smallest set of
switches that turns the judge's outputs into the learner's.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

#: What each switch does, told to a learner whose results show it.
MISTAKES = {
    "columns": "The softmax runs over the wrong axis: each column sums to one. Each "
    "query shares out its own attention, so each row must.",
    "unscaled": "The scores are not divided by the square root of head_dim.",
    "scaled_by_d": "The scores are divided by head_dim; divide by its square root.",
    "scaled_by_length": "The scores are divided by the square root of the number of "
    "tokens. It is head_dim, the number of features, that makes scores large.",
    "opposite_mask": "The mask is read the other way round: True means that the query "
    "may attend to the key.",
    "no_mask": "The mask is ignored.",
    "mask_after": "The mask comes after the softmax, so hidden keys have already taken "
    "their share of the weight: rows sum to less than one.",
    "mask_zero": "A hidden key gets the score 0, but exp(0) is 1: it still takes "
    "weight. Its score must be minus infinity.",
    "large_negative": "A query that may attend to nothing gets the mean of all values: "
    "scores that are all equally low, such as -1e9, give a uniform softmax. It should "
    "get zeros.",
    "nan_row": "A query that may attend to nothing gets nan: minus infinity minus "
    "minus infinity, or zero divided by zero. It should get zeros.",
    "overflow": "Large scores overflow in the exponential. Subtract the largest score "
    "of each row first: the weights stay the same.",
    "unnormalized": "The weights do not sum to one: divide each row by its sum.",
}


class Inputs(NamedTuple):
    """Arguments of one call: (Q, d), (K, d), (K, value_dim), and (Q, K) or None."""

    q: Any
    k: Any
    v: Any
    mask: Any = None


def attention(inputs: Inputs, mistakes: Iterable[str] = ()) -> Any:
    """Output of each query, by loops over queries and keys."""
    wrong = frozenset(mistakes)
    q, k, v, mask = inputs
    visible = np.ones((len(q), len(k)), bool) if mask is None else np.array(mask)
    if "opposite_mask" in wrong and mask is not None:
        visible = ~visible
    if "no_mask" in wrong:
        visible[:] = True
    late = "mask_after" in wrong or "mask_zero" in wrong
    scores = np.empty(visible.shape)
    for i, j in np.ndindex(*scores.shape):
        score = sum(float(a) * float(b) for a, b in zip(q[i], k[j], strict=True))
        scores[i, j] = score / _divisor(wrong, len(q), q.shape[1])
        if not visible[i, j] and not late:
            scores[i, j] = -math.inf
        elif not visible[i, j] and "mask_zero" in wrong:
            scores[i, j] = 0.0
    weights = _weights(scores.T, wrong).T if "columns" in wrong else None
    weights = _weights(scores, wrong) if weights is None else weights
    if "mask_after" in wrong:
        weights = np.where(visible, weights, 0.0)
    out = np.zeros((len(q), v.shape[1]))
    for i, j in np.ndindex(*scores.shape):
        out[i] += weights[i, j] * v[j]
    return out


def diagnose(seen: Sequence[tuple[Inputs, Any]]) -> tuple[str, ...]:
    """Smallest set of known mistakes that explains all outputs, in words."""
    for size in (1, 2, 3):
        for mistakes in combinations(MISTAKES, size):
            if all(close(out, attention(inputs, mistakes)) for inputs, out in seen):
                return tuple(MISTAKES[name] for name in mistakes)
    return ()


def close(received: Any, right: Any) -> bool:
    """Tell whether outputs agree, nan with nan; sums may run in another order."""
    return bool(np.allclose(received, right, rtol=1e-4, atol=1e-5, equal_nan=True))


def _divisor(wrong: frozenset[str], length: int, head_dim: int) -> float:
    if "unscaled" in wrong:
        return 1.0
    if "scaled_by_d" in wrong:
        return float(head_dim)
    return math.sqrt(length if "scaled_by_length" in wrong else head_dim)


def _weights(scores: Any, wrong: frozenset[str]) -> Any:
    """Softmax of each row of scores."""
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        highest = max(row)
        if highest == -math.inf:  # nothing to attend to
            fill = {"large_negative": 1 / len(row), "nan_row": math.nan}
            weights[i] = next((fill[name] for name in fill if name in wrong), 0.0)
            continue
        if "overflow" in wrong and highest > 700:
            weights[i] = math.nan
            continue
        powers = [math.exp(score - highest) for score in row]
        total = sum(powers)
        if "unnormalized" in wrong:  # and is the largest score subtracted?
            total = math.exp(-highest) if "overflow" in wrong else 1.0
        weights[i] = [power / total for power in powers]
    return weights
