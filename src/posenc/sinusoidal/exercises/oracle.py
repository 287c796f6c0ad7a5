"""The encoding in plain loops, right or with known mistakes in it.

It serves the exercises' judge and tests, and shares no code with `posenc.sinusoidal`.
"""

import math
from typing import Any

import numpy as np


def encoding(
    positions: Any,
    d_model: int,
    base: float = 10_000.0,
    layout: str = "interleaved",
    frequencies: str = "paper",
    *,
    factor: float = 2.0,
    swapped: bool = False,
    inverse: bool = False,
) -> Any:
    """Compute Vaswani et al., sec. 3.5; the last three options make mistakes.

    Half is tensor2tensor's order of the columns; its frequencies end at 1 / base.
    """
    out = np.empty((*np.shape(positions), d_model))
    for place, m in np.ndenumerate(positions):
        for i in range(d_model // 2):
            exponent = factor * i / d_model
            if frequencies == "tensor2tensor":
                exponent = i / max(d_model // 2 - 1, 1)
            angle = float(m) * base ** (exponent if inverse else -exponent)
            sine, cosine = math.sin(angle), math.cos(angle)
            if swapped:
                sine, cosine = cosine, sine
            half = layout == "half"
            first, second = (i, i + d_model // 2) if half else (2 * i, 2 * i + 1)
            out[(*place, first)], out[(*place, second)] = sine, cosine
    return out


def binary_digits(number: int, num_bits: int) -> list[int]:
    """Return the digits of Python's own binary notation, the lowest first."""
    return [int(digit) for digit in reversed(format(number, f"0{num_bits}b"))]
