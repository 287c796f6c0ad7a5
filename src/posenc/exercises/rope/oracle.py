"""Rotary embedding in loops over complex numbers, right or with known mistakes.

This is the judge of the chapter's exercises, so it shares no code with `posenc.rope`.
"""

import cmath
from typing import Any

import numpy as np

OPPOSITE = (
    "It turns clockwise. The positive direction is counterclockwise: (1, 0) goes "
    "towards (0, 1)."
)
DOUBLED = (
    "The exponent is doubled: it is -2i/d for plane i. If i already goes in steps of "
    "two, it is -i/d."
)
BASE_IGNORED = "base is ignored, and 10,000 used instead."
POSITIONS_IGNORED = (
    "positions are ignored: token number 0, 1, 2, … is used for them. They need not "
    "begin at 0, nor follow one another."
)
HALF = (
    "These are half-split pairs, features i and i + d/2. Here neighbors are a pair: "
    "2i and 2i + 1."
)
INTERLEAVED = (
    "These are interleaved pairs, features 2i and 2i + 1. The weights were trained "
    "with half-split pairs: i and i + d/2."
)


def turn(
    x: Any,
    positions: Any,
    base: float = 10_000.0,
    *,
    half: bool = False,
    sign: int = 1,
    exponent: float = -2.0,
) -> Any:
    """Rotate the rows of `x` (L, D) at their positions, pair by pair."""
    rows, d = np.shape(x)
    out = np.empty((rows, d))
    for row in range(rows):
        for i in range(d // 2):
            a, b = (i, i + d // 2) if half else (2 * i, 2 * i + 1)
            angle = sign * float(positions[row]) * base ** (exponent * i / d)
            z = complex(x[row][a], x[row][b]) * cmath.exp(1j * angle)
            out[row, a], out[row, b] = z.real, z.imag
    return out


def scores(q: Any, k: Any) -> Any:
    """Dot products of all rows, in loops."""
    return np.asarray(
        [[sum(a * b for a, b in zip(x, y, strict=True)) for y in k] for x in q]
    )


def close(received: Any, right: Any) -> bool:
    """Tell whether results agree up to the rounding of float32."""
    return bool(np.allclose(received, right, rtol=1e-4, atol=1e-4))


def worst(received: Any, right: Any) -> tuple[int, ...]:
    """Index of the first entry that does not agree."""
    off = ~np.isclose(received, right, rtol=1e-4, atol=1e-4)
    return tuple(int(i) for i in np.argwhere(off)[0])
