"""The encoding in plain loops, right or with known mistakes in it."""

import math
from typing import Any, NamedTuple

import numpy as np

from .._attempt import Mistakes

SPLIT = "Your features are in the order of the other layout."


class Case(NamedTuple):
    """One call of an encoding function."""

    positions: Any
    d_model: int
    base: float = 10_000.0
    layout: str = "interleaved"


def encoding(
    case: Case,
    *,
    factor: float = 2.0,
    denominator: int = 0,
    base: float | None = None,
    swapped: bool = False,
    other_layout: bool = False,
    inverse: bool = False,
) -> Any:
    """Sine and cosine of every pair, one number at a time; options make mistakes.

    The exponent of the base is ``-factor * i / (d_model + denominator)``.
    """
    d, base = case.d_model, case.base if base is None else base
    half = (case.layout == "half") != other_layout
    out = np.empty((*np.shape(case.positions), d))
    for place, m in np.ndenumerate(case.positions):
        for i in range(d // 2):
            theta = base ** (-factor * i / max(d + denominator, 1))
            angle = float(m) * (1 / theta if inverse else theta)
            sine, cosine = math.sin(angle), math.cos(angle)
            if swapped:
                sine, cosine = cosine, sine
            first, second = (i, i + d // 2) if half else (2 * i, 2 * i + 1)
            out[(*place, first)], out[(*place, second)] = sine, cosine
    return out


def float32_encoding(case: Case) -> Any:
    """The usual code, with angles of 32 bits."""
    positions = np.asarray(case.positions, np.float32)
    i = np.arange(case.d_model // 2, dtype=np.float32)
    theta = np.float32(case.base) ** (np.float32(-2.0) * i / np.float32(case.d_model))
    angles = positions[..., None] * theta
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    if case.layout == "half":
        pairs = np.moveaxis(pairs, -1, -2)
    return pairs.reshape(*positions.shape, case.d_model).astype(np.float64)


MISTAKES: Mistakes = [
    (
        "Sine and cosine have changed places: the sine comes first.",
        lambda case: encoding(case, swapped=True),
    ),
    (SPLIT, lambda case: encoding(case, other_layout=True)),
    (
        "The exponent counts twice: if i already steps by two (0, 2, 4, …), it is the "
        "2i of the formula, and must not be doubled again.",
        lambda case: encoding(case, factor=4.0),
    ),
    (
        "The exponent is half of what it should be: pair i has the exponent 2i/d, not "
        "i/d.",
        lambda case: encoding(case, factor=1.0),
    ),
    (
        "These are tensor2tensor's frequencies, with the exponent i/(d/2 - 1). The "
        "formula of the paper is asked for: 2i/d.",
        lambda case: encoding(case, denominator=-2),
    ),
    (
        "The position is multiplied by base^(2i/d) instead of divided by it: the waves "
        "become faster from pair to pair.",
        lambda case: encoding(case, inverse=True),
    ),
    (
        "base is ignored, and 10,000 used instead.",
        lambda case: encoding(case, base=10_000.0),
    ),
    (
        "layout is ignored: the features are always interleaved.",
        lambda case: encoding(case._replace(layout="interleaved")),
    ),
    (
        "layout is ignored: the sines always come first.",
        lambda case: encoding(case._replace(layout="half")),
    ),
]
