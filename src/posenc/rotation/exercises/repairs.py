"""Exercise 5: a shift without the matrix that turns the wrong way, to repair."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import BASE_IGNORED, DOUBLED, OPPOSITE, close, encoding, operator


def _shifted(table: Any, k: float, *, base: float) -> Any:
    return table @ operator(k, table.shape[1], base).T


_MISTAKES: Mistakes = [
    (OPPOSITE, lambda table, k, base: _shifted(table, -k, base=base)),
    (
        BASE_IGNORED,
        lambda table, k, base: _shifted(table, k, base=10_000.0),
    ),
    (
        "The sines are right now, the cosines are not: look at the other line, too.",
        lambda table, k, base: _half_repaired(table, k, base, right=0),
    ),
    (
        "The cosines are right now, the sines are not: look at the other line, too.",
        lambda table, k, base: _half_repaired(table, k, base, right=1),
    ),
    (
        "The second line uses the sines that the first one has already replaced. "
        "Compute both from the old values.",
        lambda table, k, base: _overwritten(table, k, base),
    ),
    (
        DOUBLED,
        lambda table, k, base: table @ operator(k, table.shape[1], base, exponent=-4).T,
    ),
    (
        "These are the pairs of the other layout: all sines first, then all cosines.",
        lambda table, k, base: table @ operator(k, table.shape[1], base, half=True).T,
    ),
]


def _half_repaired(table: Any, k: float, base: float, *, right: int) -> Any:
    """Sines (0) or cosines (1) shifted by k, the others by -k."""
    out = _shifted(table, -k, base=base)
    out[:, right::2] = _shifted(table, k, base=base)[:, right::2]
    return out


def _overwritten(table: Any, k: float, base: float) -> Any:
    matrix, out = operator(k, table.shape[1], base), table.copy()
    for i in range(0, table.shape[1], 2):
        cos, sin = matrix[i, i], matrix[i, i + 1]
        out[:, i] = out[:, i] * cos + out[:, i + 1] * sin
        out[:, i + 1] = out[:, i + 1] * cos - out[:, i] * sin
    return out


def _show(failure: Failure) -> str:
    row, table = failure.entry[0], failure.args[0]
    return (
        f"{failure.call}[{row}]\n"
        f"of {np.round(table[row], 3)}\n"
        f"gives {np.round(failure.received[row], 3)}\n"
        f"should be {np.round(failure.right[row], 3)}"
    )


@ask_for_function(
    "Shift one row, PE(0) = (0, 1, 0, 1, …), by one token. What should come out, and "
    "what does?",
    "The new sine is sin(t) cos(k) + cos(t) sin(k). Compare this with the line that "
    "computes it, sign by sign.",
    "Both signs are those of pairs (cosine, sine), whose hands go counterclockwise. "
    "Exchange the minus and the plus.",
    right=_shifted,
    what="The shifted table",
    problem=lambda failure: (
        f"PE(t) does not become PE(t + k) for k = {failure.args[1]:g}."
    ),
    example=_show,
    shown=["table"],
    mistakes=_MISTAKES,
    properties=[  # that a turn in either direction has
        (
            "the length of each vector stays",
            lambda rows, table, k, base: close(
                (rows**2).sum(axis=1), (table**2).sum(axis=1)
            ).all(),
        ),
        (
            "dot products stay",
            lambda rows, table, k, base: close(rows @ rows.T, table @ table.T).all(),
        ),
    ],
    held=["PE(t) becomes PE(t + k)"],
    close=close,
)
def repair_shift(rng: Any) -> list[Case]:
    """Repair a shift that works pair by pair, without the matrix."""
    cases = []
    shifts = [(0, 4, 100.0), (1, 4, 100.0), (-3, 6, 40.0), (2.5, 8, 500.0)]
    far = [(700, 4, 10_000.0), (-700, 4, 10_000.0), (40_000, 2, 10_000.0)]
    for k, d, base in [*shifts, *far]:
        starts = [0, *rng.integers(1, 30, size=2).tolist()]
        table = np.stack([encoding(t, d, base) for t in starts])
        cases.append(case(table, k, base=base))
    return cases
