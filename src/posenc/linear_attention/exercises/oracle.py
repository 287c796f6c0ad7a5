"""Linear attention in plain loops, right or with known mistakes.

This judges answers to the exercises, and our own code: it shares nothing with
`posenc.linear_attention`.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def attend(
    q: Any,
    k: Any,
    v: Any,
    *,
    decay: float = 1.0,
    causal: bool = True,
    bottom_decay: float | None = None,
    bottom: bool = True,
    extra: int = 0,
) -> Any:
    """Mix the values under weights decay ** (i - j) * q_i . k_j.

    Parameters
    ----------
    q, k, v : arrays (L, r), (L, r), (L, d)
        Features of queries and keys, and values.
    decay : float, default 1
        Factor per step of distance.
    causal : bool, default True
        True if keys after the query count for nothing.
    bottom_decay : float, optional
        Mistake: another factor in the denominator.
    bottom : bool, default True
        Mistake if False: no denominator.
    extra : int, default 0
        Mistake: that many keys after the query count, too (negative: fewer).
    """
    length, width = len(q), np.shape(v)[1]
    out = np.zeros((length, width))
    fade = decay if bottom_decay is None else bottom_decay
    for i in range(length):
        total = 0.0
        for j in range(length):
            if causal and j > i + extra:
                break
            product = _dot(q[i], k[j])
            steps = abs(i - j)
            total += fade**steps * product
            out[i] += decay**steps * product * np.asarray(v[j])
        if bottom and total:
            out[i] /= total
    return out


def linear_attention(
    q: Any,
    k: Any,
    v: Any,
    *,
    causal: bool = False,
    feature_map: Callable[[Any], Any] | None = None,
    angles: Any = None,
    rotate_denominator: bool = False,
    decay: float = 1.0,
    bias: Callable[[int], float] = lambda offset: 0.0,
) -> Any:
    """Compute RoFormer, eq. 19, for one head, a fraction of two sums over the keys.

    With a factor decay ** (i - j) and exp(bias(j - i)) on every term; without angles it
    is eq. 4 of Katharopoulos et al. A denominator of 0 gives zeros.
    """
    lift = feature_map or elu
    a = [np.asarray(lift(token)) for token in q]
    b = [np.asarray(lift(token)) for token in k]
    above = (a, b) if angles is None else (turn(a, angles), turn(b, angles))
    below = above if rotate_denominator else (a, b)
    out = np.zeros((len(q), len(v[0]) if len(v) else 0))
    for i in range(len(q)):
        top, bottom = [0.0] * out.shape[1], 0.0
        for j in range(i + 1 if causal else len(k)):
            factor = decay ** (i - j) * math.exp(bias(j - i))
            for e in range(out.shape[1]):
                top[e] += factor * _dot(above[0][i], above[1][j]) * v[j][e]
            bottom += factor * _dot(below[0][i], below[1][j])
        if bottom != 0:
            out[i] = [t / bottom for t in top]
    return out


def _dot(x: Any, y: Any) -> float:
    return float(sum(a * b for a, b in zip(x, y, strict=True)))


def elu(x: Any) -> Any:
    """Return x + 1 above zero, and e^x below, entry by entry."""
    flat = [y + 1 if y > 0 else math.exp(y) for y in np.ravel(x).tolist()]
    return np.asarray(flat).reshape(np.shape(x))


def turn(x: Any, angles: Any) -> Any:
    """Turn neighbors of the rows of `x` (L, r) by `angles` (L, r / 2)."""
    out = np.empty(np.shape(x))
    for row, i in np.ndindex(*np.shape(angles)):
        c, s = math.cos(angles[row][i]), math.sin(angles[row][i])
        a, b = x[row][2 * i], x[row][2 * i + 1]
        out[row, 2 * i], out[row, 2 * i + 1] = a * c - b * s, a * s + b * c
    return out


def close(received: Any, right: Any) -> Any:
    """Return True for entries that agree up to the rounding of float32."""
    return np.isclose(received, right, rtol=1e-4, atol=1e-5)
