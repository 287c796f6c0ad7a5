"""Attention in plain loops, right or with known mistakes.

It serves the exercises' judge and tests, and shares no code with `posenc.attention`.
Each mistake is a switch.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

#: Sentences for a learner whose results show the switch.
MISTAKES = {
    "columns": "The softmax runs over the wrong axis: each column sums to one. Each "
    "query shares out its own attention, so each row must.",
    "unscaled": "The scores are not divided by the square root of d, the number of "
    "features.",
    "scaled_by_d": "The scores are divided by d; divide by its square root.",
    "scaled_by_length": "The scores are divided by the square root of the number of "
    "tokens. It is d, the number of features, that makes scores large.",
    "scaled_by_keys": "The scores are divided by the square root of the number of "
    "keys; divide by that of d, the number of features.",
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


def attention(
    q: Any,
    k: Any,
    v: Any,
    mask: Any = None,
    *,
    scale: float | None = None,
    bias: Any = None,
    mistakes: Iterable[str] = (),
) -> Any:
    """Compute Vaswani et al., eq. 1, for one head, by loops over queries and keys.

    A query that may attend to no key gets zeros.
    """
    wrong = frozenset(mistakes)
    visible = np.ones((len(q), len(k)), bool) if mask is None else np.array(mask)
    if "opposite_mask" in wrong and mask is not None:
        visible = ~visible
    if "no_mask" in wrong:
        visible[:] = True
    late = "mask_after" in wrong or "mask_zero" in wrong
    scores = np.empty(visible.shape)
    for i, j in np.ndindex(*scores.shape):
        score = sum(float(a) * float(b) for a, b in zip(q[i], k[j], strict=True))
        scores[i, j] = score / _divisor(wrong, len(q), len(k), q.shape[1])
        if scale is not None:
            scores[i, j] = score * scale
        if bias is not None:
            scores[i, j] += bias[i, j]
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


def _divisor(wrong: frozenset[str], q_len: int, k_len: int, head_dim: int) -> float:
    if "unscaled" in wrong:
        return 1.0
    if "scaled_by_d" in wrong:
        return float(head_dim)
    if "scaled_by_length" in wrong:
        return math.sqrt(q_len)
    return math.sqrt(k_len if "scaled_by_keys" in wrong else head_dim)


def _weights(scores: Any, wrong: frozenset[str]) -> Any:
    """Return the softmax of each row of scores."""
    weights = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        highest = max(row, default=-math.inf)
        if highest == -math.inf:  # nothing to attend to
            fill = {"large_negative": 1 / max(len(row), 1), "nan_row": math.nan}
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
