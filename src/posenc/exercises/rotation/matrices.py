"""Exercises 1 to 3: matrices of shifts, by hand, in code, and for another layout."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._attempt import Attempt, Mistakes, is_blank, name_mistake
from .._registry import exercise
from .oracle import (
    BASE_IGNORED,
    DOUBLED,
    FROM_ONE,
    HALVED,
    INVERSE,
    OPPOSITE,
    UNSIGNED,
    close,
    encoding,
    operator,
)

Case = tuple[float, int, float]  # offset, d_model, base

# Shift by 2 where the clocks turn by a quarter and by an eighth for each token.
BY_HAND = ((-1, 0, 0, 0), (0, -1, 0, 0), (0, 0, 0, 1), (0, 0, -1, 0))


def _one_token() -> Any:
    c = 0.5**0.5
    return np.asarray([[0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, c, c], [0, 0, -c, c]])


_HAND_MISTAKES: Mistakes = [
    (OPPOSITE, lambda: np.asarray(BY_HAND).T),
    ("That is the shift by one token: this one goes on by two.", _one_token),
    (
        "The two clocks are exchanged: the fast one comes first.",
        lambda: np.roll(np.asarray(BY_HAND), 2, axis=(0, 1)),
    ),
    (
        "That is the identity in the first block: a clock that turns by a half "
        "points the other way, so cos = -1.",
        lambda: np.asarray([[1, 0, 0, 0], [0, 1, 0, 0], *BY_HAND[2:]]),
    ),
]


@exercise(
    "By which angle does each clock turn in two tokens? Fill the two blocks on the "
    "diagonal; everything else is 0.",
    "The first clock makes half a turn: cos = -1, sin = 0. The second one makes a "
    "quarter turn: cos = 0, sin = 1.",
    "The block is [[cos, sin], [-sin, cos]], so the second block is [[0, 1], [-1, 0]].",
    asks_for="value",
)
def quarter_turn(attempt: Attempt, rng: Any) -> None:
    """Matrix of a shift by two tokens, with turns that need no calculator."""
    answer = attempt.ask()
    rows = answer.tolist() if isinstance(answer, np.ndarray) else answer
    entries = _flat(rows)
    if entries and all(map(is_blank, entries)):
        attempt.not_begun()
    if any(map(is_blank, entries)):
        attempt.reject("Some entries are still dots: replace each by a number.")
    matrix = attempt.real_numbers(rows, (4, 4), "The matrix")
    wrong = np.argwhere(~np.isclose(matrix, BY_HAND, atol=0.01))
    if len(wrong):
        lines = [f"row {r}, column {c} is not {matrix[r, c]:g}" for r, c in wrong]
        problem = f"{len(wrong)} of 16 entries are not right."
        named = name_mistake([((), matrix)], _HAND_MISTAKES, _near)
        attempt.reject(problem, "\n".join(lines), named)
    attempt.held += ["half a turn of the first clock", "a quarter turn of the second"]


def _near(received: Any, right: Any) -> bool:
    return bool(np.allclose(received, right, atol=0.01))


def _flat(rows: Any) -> list[Any]:
    if not isinstance(rows, list):
        return [rows]
    return [
        entry for row in rows for entry in (row if isinstance(row, list) else [row])
    ]


_SHARED_MISTAKES: list[tuple[str, dict[str, Any]]] = [
    (DOUBLED, {"exponent": -4.0}),
    (HALVED, {"exponent": -1.0}),
    (INVERSE, {"exponent": 2.0}),
    (FROM_ONE, {"first": 1}),
]


def _mistakes(half: bool) -> Mistakes:
    """Known mistakes of a function that makes the matrix of a layout."""

    def with_(options: dict[str, Any]) -> Any:
        return lambda k, d, base: operator(k, d, base, half=half, **options)

    return [
        (OPPOSITE, lambda k, d, base: operator(-k, d, base, half=half)),
        (BASE_IGNORED, lambda k, d, base: operator(k, d, 10_000.0, half=half)),
        (UNSIGNED, lambda k, d, base: operator(abs(k), d, base, half=half)),
        (
            "These are the blocks of sines and cosines side by side. Here all sines "
            "come first, and the partner of feature i is feature d/2 + i."
            if half
            else "This is the matrix of the other layout: all sines first, then all "
            "cosines. Here sine and cosine stand side by side, so 2 × 2 blocks lie on "
            "the diagonal.",
            lambda k, d, base: operator(k, d, base, half=not half),
        ),
        *((text, with_(options)) for text, options in _SHARED_MISTAKES),
    ]


def _cases(rng: Any) -> list[Case]:
    fixed: list[Case] = [(0, 4, 100.0), (1, 4, 100.0), (-1, 4, 50.0), (2.5, 6, 30.0)]
    sizes = rng.choice([4, 6, 8, 10], size=4).tolist()
    shifts = rng.integers(-20, 21, size=4).tolist()
    bases = np.round(rng.uniform(5, 20_000, size=4)).tolist()
    return [*fixed, *zip(shifts, sizes, bases, strict=True)]


@exercise(
    "Block i is [[cos, sin], [-sin, cos]] of the angle theta_i * offset, with "
    "theta_i = base ** (-2 * i / d_model) and i = 0, 1, …",
    "Begin with np.zeros((d_model, d_model)). Block i fills the rows and the columns "
    "2i and 2i + 1.",
    "T[2*i, 2*i] = T[2*i+1, 2*i+1] = cos(angle), T[2*i, 2*i+1] = sin(angle), "
    "T[2*i+1, 2*i] = -sin(angle).",
)
def shift_operator(attempt: Attempt, rng: Any) -> None:
    """Block-diagonal matrix that shifts the encoding by any offset."""
    _question(attempt, _cases(rng), half=False)
    attempt.held += ["the same matrix for every t", "any number of features, any base"]


@exercise(
    "Write PE(t + k) for d = 4, in the order sin, sin, cos, cos, with the addition "
    "theorems. Which features does each row use?",
    "Feature i is a sine; its cosine is feature d/2 + i. So the matrix has four blocks "
    "of size d/2, and each of them is diagonal.",
    "With C and S the diagonal matrices of cos(theta_i k) and sin(theta_i k), it is "
    "np.block([[C, S], [-S, C]]).",
)
def half_shift_operator(attempt: Attempt, rng: Any) -> None:
    """Matrix of a shift for the layout with all sines first, then all cosines."""
    _question(attempt, _cases(rng), half=True)
    attempt.held += ["the same matrix for every t", "any number of features, any base"]


def _question(attempt: Attempt, cases: Sequence[Case], *, half: bool) -> None:
    received = []
    for k, d, base in cases:
        answer = attempt.ask(k, d, base=base)
        matrix = attempt.real_numbers(answer, (d, d), "The matrix")
        received.append(((k, d, base), matrix))
    mistakes = _mistakes(half)
    for (k, d, base), matrix in received:
        if close(matrix, operator(k, d, base, half=half)):
            continue
        order = [*range(0, d, 2), *range(1, d, 2)] if half else list(range(d))
        start, end = (encoding(t, d, base)[order] for t in (3, 3 + k))
        got = matrix @ start
        if close(got, end):
            problem = "It is right for t = 3, but not for every t."
        else:
            problem = f"It does not turn PE(3) into PE({3 + k:g})."
        attempt.reject(
            problem,
            f"{attempt.call_text(k, d, base=base)}\n"
            f"gives PE({3 + k:g}) = {np.round(got, 3)}\n"
            f"   should be {np.round(end, 3)}",
            name_mistake(received, mistakes, close),
        )
    attempt.held.append("no shift is the identity")
