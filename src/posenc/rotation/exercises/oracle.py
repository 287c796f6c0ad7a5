"""Encodings and shifts in plain loops, right or with known mistakes.

It serves the exercises' judge and tests, and shares no code with `posenc.rotation`.
"""

import math
from typing import Any

import numpy as np

OPPOSITE = (
    "It turns the other way: this is the shift by -k. With the sine first, the block "
    "is [[cos, sin], [-sin, cos]]; its transpose belongs to pairs with the cosine "
    "first."
)
BASE_IGNORED = "The base is ignored, and 10,000 used instead."
DOUBLED = (
    "The exponent is doubled. If i counts pairs, it is -2i/d; if i already steps by "
    "two (0, 2, 4, …), it is -i/d."
)
HALVED = "The exponent is halved. If i counts pairs 0, 1, 2, …, it is -2i/d."
FROM_ONE = "The pairs are counted from 1. They begin with i = 0, where theta is 1."
INVERSE = "The frequencies are upside down: theta is base to a negative power."
UNSIGNED = "The sign of the offset is lost: a negative one turns the other way."
ONE_SIGN = (
    "Both sines of a clock have the same sign: that is no turn. The minus "
    "belongs to the sine in the row of the new cosine, and to no other."
)


def frequencies(
    d: int, base: float, *, exponent: float = -2.0, first: int = 0
) -> list[float]:
    """Return angular frequencies, the fastest first; other exponents are mistakes."""
    return [float(base) ** (exponent * (i + first) / d) for i in range(d // 2)]


def encoding(t: float, d: int, base: float) -> Any:
    """Return sines and cosines of one position, side by side."""
    row = []
    for theta in frequencies(d, base):
        row += [math.sin(theta * t), math.cos(theta * t)]
    return np.asarray(row)


def operator(
    k: float,
    d: int,
    base: float,
    *,
    half: bool = False,
    exponent: float = -2.0,
    first: int = 0,
) -> Any:
    """Return the matrix of the shift by k; `half` for all sines first, then cosines."""
    matrix = np.zeros((d, d))
    for i, theta in enumerate(frequencies(d, base, exponent=exponent, first=first)):
        sine, cosine = (i, d // 2 + i) if half else (2 * i, 2 * i + 1)
        matrix[sine, sine] = matrix[cosine, cosine] = math.cos(theta * k)
        matrix[sine, cosine] = math.sin(theta * k)
        matrix[cosine, sine] = -math.sin(theta * k)
    return matrix


def with_one_sign(matrix: Any, *, minus: bool = False) -> Any:
    """Return the matrix of a shift with one sign for both sines, plus or minus."""
    lower = np.tril(matrix, -1)
    signs = lower + lower.T if minus else -lower - lower.T
    return np.diag(np.diag(matrix)) + signs


def similarity(distance: float, d: int, base: float) -> float:
    """Return the dot product of two encodings at that distance."""
    return sum(math.cos(theta * distance) for theta in frequencies(d, base))


def four_score_terms(content: Any, position: Any, w_query: Any, w_key: Any) -> Any:
    """Return the terms a, b, c, d as sums over all four indices."""
    seq_len, d_model = content.shape
    out = np.zeros((4, seq_len, seq_len))
    pairs = [(q, k) for q in (content, position) for k in (content, position)]
    for term, (query, key) in enumerate(pairs):
        for i in range(seq_len):
            for j in range(seq_len):
                for h in range(w_query.shape[1]):
                    left = sum(query[i, n] * w_query[n, h] for n in range(d_model))
                    right = sum(key[j, n] * w_key[n, h] for n in range(d_model))
                    out[term, i, j] += left * right
    return out


def close(received: Any, right: Any) -> Any:
    """Return True for numbers that agree to the precision of float32."""
    return np.isclose(received, right, rtol=1e-4, atol=1e-4)


def nearest_that_commutes(matrix: Any) -> Any:
    """Return the part of a matrix that turns and stretches each clock by itself.

    Projection onto the identity and the quarter turn of each clock, which are
    perpendicular: each gets its dot product with the matrix, over its own square.
    """
    part = np.zeros(np.shape(matrix))
    for i in range(0, len(part), 2):
        for signs in (
            {(0, 0): 1, (1, 1): 1},
            {(0, 1): 1, (1, 0): -1},
        ):
            size = sum(sign * matrix[i + r][i + c] for (r, c), sign in signs.items())
            for (r, c), sign in signs.items():
                part[i + r, i + c] += sign * size / 2
    return part
