"""For marks: the encoding by another convention, and waves that finish a turn."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import encoding


def _close(received: Any, right: Any) -> Any:
    return np.isclose(received, right, rtol=1e-4, atol=1e-4)


def _cosine_first(
    positions: Any,
    d_model: int,
    *,
    base: float = 10_000.0,
    frequencies: str = "tensor2tensor",
    swapped: bool = True,
    **wrong: Any,
) -> Any:
    """Return pairs of cosine and sine with frequencies down to 1 / base; or err."""
    return encoding(
        positions,
        d_model,
        base,
        wrong.pop("layout", "interleaved"),
        frequencies,
        swapped=swapped,
        **wrong,
    )


_ENCODING_MISTAKES: Mistakes = [
    (
        "The sine stands first in each pair. Here the cosine does.",
        lambda p, d, base: _cosine_first(p, d, base=base, swapped=False),
    ),
    (
        "The frequencies are the paper's. Here the slowest one is 1 / base: the "
        "exponents run from 0 to 1 in equal steps.",
        lambda p, d, base: _cosine_first(p, d, base=base, frequencies="paper"),
    ),
    (
        "The frequencies grow: the exponent has to be negative.",
        lambda p, d, base: _cosine_first(p, d, base=base, inverse=True),
    ),
    (
        "All cosines stand first, then all sines. The pairs are to stay side by side.",
        lambda p, d, base: _cosine_first(p, d, base=base, layout="half"),
    ),
    (
        "base is ignored, and 10,000 used instead.",
        lambda p, d, base: _cosine_first(p, d),
    ),
]


@ask_for_function(
    "d / 2 frequencies from 1 to 1 / base in equal ratios: how many steps are between "
    "them?",
    "The exponent of pair i is -i / (d / 2 - 1).",
    "np.stack([cos, sin], axis=-1).reshape(len(positions), d_model).",
    right=_cosine_first,
    what="The encoding",
    problem="A feature is another one.",
    mistakes=_ENCODING_MISTAKES,
    held=["cosine and sine side by side", "from frequency 1 to 1 / base"],
    close=_close,
)
def cosine_first_encoding(rng: Any) -> Any:
    """Encode with cosines first and frequencies that end at 1 / base."""
    cases = [([1], 4, 100.0), ([0, 1, 2], 6, 500.0), ([5, 40], 8, 10_000.0)]
    cases.append((rng.integers(0, 60, size=4).tolist(), 8, 300.0))
    cases += [([-700, -3, 300, 700], 4, 10_000.0), ([40_000, -40_000], 4, 10_000.0)]
    return [case(np.asarray(p), d, base=base) for p, d, base in cases]


def _turning(
    length: int,
    d_model: int,
    base: float,
    *,
    turn: float = 2 * math.pi,
    factor: int = 2,
) -> int:
    """Count, one by one, the pairs whose wavelength is at most that many tokens."""
    waves = [turn * base ** (factor * i / d_model) for i in range(d_model // 2)]
    return sum(wave <= length for wave in waves)


_TURNING_MISTAKES: Mistakes = [
    (
        "The wavelength is 2 pi over the frequency: the 2 pi is missing.",
        lambda n, d, base: _turning(n, d, base, turn=1),
    ),
    (
        "Those are the pairs that do not finish a turn.",
        lambda n, d, base: d // 2 - _turning(n, d, base),
    ),
    (
        "The exponent is doubled: pair i has the frequency base ** (-2 i / d).",
        lambda n, d, base: _turning(n, d, base, factor=4),
    ),
    (
        "The exponent is halved: pair i has the frequency base ** (-2 i / d).",
        lambda n, d, base: _turning(n, d, base, factor=1),
    ),
    (
        "Half a turn is not enough: a wave is 2 pi long.",
        lambda n, d, base: _turning(n, d, base, turn=math.pi),
    ),
]


@ask_for_function(
    "After how many tokens has pair i turned once?",
    "Its wavelength is 2 pi base ** (2 i / d).",
    "Count the pairs for which that is at most num_tokens.",
    right=_turning,
    what="The number of pairs",
    problem="Another number of pairs finishes a turn.",
    mistakes=_TURNING_MISTAKES,
    held=["fast and slow bases", "short and long texts"],
)
def turning_pairs(rng: Any) -> Any:
    """How many pairs turn at least once within a number of tokens."""
    drawn = rng.integers(10, 5000, size=3).tolist()
    cases = [(5, 4, 100.0), (50, 8, 100.0), (512, 64, 10_000.0), (2048, 128, 5e5)]
    return [*cases, *((n, 128, 10_000.0) for n in drawn)]
