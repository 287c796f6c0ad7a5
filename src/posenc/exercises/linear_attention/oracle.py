"""Linear attention in plain loops, right or with known mistakes.

This is the judge of the chapter's exercises, so it shares no code with
`posenc.linear_attention`.
"""

import math
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
    """Mixture of the values under weights decay ** (i - j) * q_i . k_j.

    Parameters
    ----------
    q, k, v : arrays (L, r), (L, r), (L, d)
        Features of queries and keys, and values.
    decay : float, default 1
        Factor per step of distance.
    causal : bool, default True
        Whether keys after the query count for nothing.
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
            product = float(sum(a * b for a, b in zip(q[i], k[j], strict=True)))
            steps = abs(i - j)
            total += fade**steps * product
            out[i] += decay**steps * product * np.asarray(v[j])
        if bottom and total:
            out[i] /= total
    return out


def elu(x: Any) -> Any:
    """Entries x + 1 above zero, and e^x below, one by one."""
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


def close(received: Any, right: Any) -> bool:
    """Tell whether results agree up to the rounding of float32."""
    return bool(np.allclose(received, right, rtol=1e-4, atol=1e-5))


def worst(received: Any, right: Any) -> tuple[int, ...]:
    """Index of the first entry that does not agree."""
    off = ~np.isclose(received, right, rtol=1e-4, atol=1e-5)
    return tuple(int(i) for i in np.argwhere(off)[0])
