"""Exercise 5: a shift without the matrix that turns the wrong way, to repair."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, Shown, name_mistake
from .._registry import exercise
from .oracle import BASE_IGNORED, DOUBLED, OPPOSITE, close, encoding, operator

Case = tuple[float, int, float]  # offset, d_model, base

_MISTAKES: Mistakes = [
    (OPPOSITE, lambda table, k, base: table @ operator(-k, table.shape[1], base).T),
    (
        BASE_IGNORED,
        lambda table, k, base: table @ operator(k, table.shape[1], 10_000.0).T,
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


def _overwritten(table: Any, k: float, base: float) -> Any:
    matrix, out = operator(k, table.shape[1], base), table.copy()
    for i in range(0, table.shape[1], 2):
        cos, sin = matrix[i, i], matrix[i, i + 1]
        out[:, i] = out[:, i] * cos + out[:, i + 1] * sin
        out[:, i + 1] = out[:, i + 1] * cos - out[:, i] * sin
    return out


@exercise(
    "Shift one row, PE(0) = (0, 1, 0, 1, …), by one token. What should come out, and "
    "what does?",
    "The new sine is sin(t) cos(k) + cos(t) sin(k). Compare this with the line that "
    "computes it, sign by sign.",
    "Both signs are those of pairs (cosine, sine), whose hands go counterclockwise. "
    "Exchange the minus and the plus.",
)
def repair_shift(attempt: Attempt, rng: Any) -> None:
    """Repair a shift that works pair by pair, without the matrix."""
    cases: list[Case] = [(0, 4, 100.0), (1, 4, 100.0), (-3, 6, 40.0), (2.5, 8, 500.0)]
    received: list[tuple[tuple[Any, ...], Any]] = []
    for k, d, base in cases:
        starts = [0, *rng.integers(1, 30, size=2).tolist()]
        table = np.stack([encoding(t, d, base) for t in starts])
        asked = table.copy()
        if not received:
            answer = attempt.choose_style(("numpy", "torch"), asked, k, base=base)
        else:
            answer = attempt.ask(asked, k, base=base)
        rows = attempt.real_numbers(answer, table.shape, "The shifted table")
        received.append(((table, k, base), rows))
    _keep_what_holds(attempt, received)
    for (table, k, base), rows in received:
        right = table @ operator(k, table.shape[1], base).T
        if not close(rows, right):
            row = int(np.argwhere(~np.isclose(rows, right, atol=1e-4))[0, 0])
            call = attempt.call_text(Shown("table"), k, base=base)
            attempt.reject(
                f"PE(t) does not become PE(t + k) for k = {k:g}.",
                f"{call}[{row}]\n"
                f"of {np.round(table[row], 3)}\n"
                f"gives {np.round(rows[row], 3)}\n"
                f"should be {np.round(right[row], 3)}",
                name_mistake(received, _MISTAKES, close),
            )
    attempt.held.append("PE(t) becomes PE(t + k)")


def _keep_what_holds(attempt: Attempt, received: Any) -> None:
    """Properties that a turn in either direction has."""
    if all(
        close((rows**2).sum(axis=1), (table**2).sum(axis=1))
        for (table, _, _), rows in received
    ):
        attempt.held.append("the length of each vector stays")
    if all(close(rows @ rows.T, table @ table.T) for (table, _, _), rows in received):
        attempt.held.append("dot products stay")
