"""Exercises 1 to 5: matrices of shifts, the offset of two encodings, a repair."""

import math
from functools import partial
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import (
    BASE_IGNORED,
    DOUBLED,
    FROM_ONE,
    HALVED,
    INVERSE,
    ONE_SIGN,
    OPPOSITE,
    UNSIGNED,
    close,
    encoding,
    frequencies,
    operator,
    with_one_sign,
)

# Shift by 2 where the clocks turn by a quarter and by an eighth for each token.
BY_HAND = ((-1, 0, 0, 0), (0, -1, 0, 0), (0, 0, 0, 1), (0, 0, -1, 0))
_C = 0.5**0.5
_ONE_TOKEN = ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, _C, _C), (0, 0, -_C, _C))

_HAND_MISTAKES: Mistakes = [
    (OPPOSITE, np.asarray(BY_HAND).T),
    ("That is the shift by one token; the exercise asks for two.", _ONE_TOKEN),
    (
        "The two clocks are exchanged: the fast one comes first.",
        np.roll(np.asarray(BY_HAND), 2, axis=(0, 1)),
    ),
    (
        "That is the identity in the first block: a clock that turns by a half "
        "points the other way, so cos = -1.",
        np.asarray([[1, 0, 0, 0], [0, 1, 0, 0], *BY_HAND[2:]]),
    ),
    (ONE_SIGN, with_one_sign(np.asarray(BY_HAND))),
    (ONE_SIGN, with_one_sign(np.asarray(BY_HAND), minus=True)),
]


@ask_for_value(
    "By which angle does each clock turn in two tokens? Fill the two blocks on the "
    "diagonal; everything else is 0.",
    "The first clock makes half a turn: cos = -1, sin = 0. The second one makes a "
    "quarter turn: cos = 0, sin = 1.",
    "The block is [[cos, sin], [-sin, cos]], so the second block is [[0, 1], [-1, 0]].",
    what="The matrix",
    entry="a number",
    line=lambda i, number: f"row {i[0]}, column {i[1]}: {number:g} is not right",
    mistakes=_HAND_MISTAKES,
    held=["half a turn of the first clock", "a quarter turn of the second"],
    close=partial(np.isclose, atol=0.01),
)
def quarter_turn() -> Any:
    """Matrix of a shift by two tokens, with turns that need no calculator."""
    return np.asarray(BY_HAND, float)


_SHARED_MISTAKES: list[tuple[str, dict[str, Any]]] = [
    (DOUBLED, {"exponent": -4.0}),
    (HALVED, {"exponent": -1.0}),
    (INVERSE, {"exponent": 2.0}),
    (FROM_ONE, {"first": 1}),
]


def _matrix_mistakes(half: bool) -> Mistakes:
    """Return known mistakes of a function that makes the matrix of a layout."""

    def with_(options: dict[str, Any]) -> Any:
        return lambda k, d, base: operator(k, d, base, half=half, **options)

    return [
        (OPPOSITE, lambda k, d, base: operator(-k, d, base, half=half)),
        (BASE_IGNORED, lambda k, d, base: operator(k, d, 10_000.0, half=half)),
        (UNSIGNED, lambda k, d, base: operator(abs(k), d, base, half=half)),
        (ONE_SIGN, lambda k, d, base: with_one_sign(operator(k, d, base, half=half))),
        (
            ONE_SIGN,
            lambda k, d, base: with_one_sign(
                operator(k, d, base, half=half), minus=True
            ),
        ),
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


def _matrix_cases(rng: Any) -> list[Case]:
    fixed = [(0, 4, 100.0), (1, 4, 100.0), (-1, 4, 50.0), (2.5, 6, 30.0)]
    far = [(700, 4, 10_000.0), (-700, 4, 10_000.0), (40_000, 2, 10_000.0)]
    sizes = rng.choice([4, 6, 8, 10], size=4).tolist()
    shifts = rng.integers(-20, 21, size=4).tolist()
    bases = np.round(rng.uniform(5, 20_000, size=4)).tolist()
    drawn = zip(shifts, sizes, bases, strict=True)
    return [case(k, d, base=base) for k, d, base in [*fixed, *drawn, *far]]


def _moved(failure: Failure, half: bool) -> tuple[Any, Any]:
    """Return PE(3), turned by the answer's matrix, and the right result."""
    (k, d), base = failure.args, failure.case.kwargs["base"]
    order = [*range(0, d, 2), *range(1, d, 2)] if half else list(range(d))
    start, end = (encoding(t, d, base)[order] for t in (3, 3 + k))
    return failure.received @ start, end


def _matrix_problem(failure: Failure, half: bool) -> str:
    if close(*_moved(failure, half)).all():
        return "It is right for t = 3, but not for every t."
    return f"It does not turn PE(3) into PE({3 + failure.args[0]:g})."


def _show_moved(failure: Failure, half: bool) -> str:
    got, end = _moved(failure, half)
    return (
        f"{failure.call}\n"
        f"gives PE({3 + failure.args[0]:g}) = {np.round(got, 3)}\n"
        f"   should be {np.round(end, 3)}"
    )


def _matrix(half: bool) -> dict[str, Any]:
    """Return what the tasks of both layouts have in common."""
    return {
        "right": partial(operator, half=half),
        "what": "The matrix",
        "problem": partial(_matrix_problem, half=half),
        "example": partial(_show_moved, half=half),
        "mistakes": _matrix_mistakes(half),
        "held": [
            "no shift is the identity",
            "the same matrix for every t",
            "any number of features, any base",
        ],
        "close": close,
    }


@ask_for_function(
    "Block i is [[cos, sin], [-sin, cos]] of the angle theta_i * offset, with "
    "theta_i = base ** (-2 * i / d_model) and i = 0, 1, …",
    "Begin with np.zeros((d_model, d_model)). Block i fills the rows and the columns "
    "2i and 2i + 1.",
    "T[2*i, 2*i] = T[2*i+1, 2*i+1] = cos(angle), T[2*i, 2*i+1] = sin(angle), "
    "T[2*i+1, 2*i] = -sin(angle).",
    **_matrix(half=False),
)
def shift_operator(rng: Any) -> list[Case]:
    """Block-diagonal matrix that shifts the encoding by any offset."""
    return _matrix_cases(rng)


@ask_for_function(
    "Write PE(t + k) for d = 4, in the order sin, sin, cos, cos, with the addition "
    "theorems. Which features does each row use?",
    "Feature i is a sine; its cosine is feature d/2 + i. So the matrix has four blocks "
    "of size d/2, and each of them is diagonal.",
    "With C and S the diagonal matrices of cos(theta_i k) and sin(theta_i k), it is "
    "np.block([[C, S], [-S, C]]).",
    **_matrix(half=True),
)
def half_shift_operator(rng: Any) -> list[Case]:
    """Matrix of a shift for the layout with all sines first, then all cosines."""
    return _matrix_cases(rng)


def _turn(first: Any, second: Any, pair: int) -> float:
    """Return the turn of one clock by atan2, between -pi and pi."""
    (s, c), (t, d) = first[2 * pair :][:2], second[2 * pair :][:2]
    return math.atan2(t * c - d * s, c * d + s * t)


def _slowest(first: Any, base: float) -> float:
    """Return the radians that the slowest clock turns for each token."""
    return frequencies(len(first), base)[-1]


def _offset(first: Any, second: Any, *, base: float) -> float:
    return _turn(first, second, len(first) // 2 - 1) / _slowest(first, base)


def _halved(first: Any, second: Any, *, base: float) -> float:
    """Return the turn as the arctan of sine over cosine, between -pi/2 and pi/2."""
    turn = math.remainder(_turn(first, second, len(first) // 2 - 1), math.pi)
    return turn / _slowest(first, base)


def _arcsine(first: Any, second: Any, *, base: float) -> float:
    """Return the turn as the arcsine of its sine."""
    sine = math.sin(_turn(first, second, len(first) // 2 - 1))
    return math.asin(sine) / _slowest(first, base)


def _unwrapped(first: Any, second: Any, *, base: float) -> float:
    """Subtract two angles between -pi and pi without wrapping the result."""
    before, after = (math.atan2(hand[-2], hand[-1]) for hand in (first, second))
    return (after - before) / _slowest(first, base)


_OFFSET_MISTAKES: Mistakes = [
    (
        "The sign is lost. A dot product (and an arccos) is the same for k and -k; "
        "sin(t') cos(t) - cos(t') sin(t) is not.",
        lambda first, second, *, base: abs(_offset(first, second, base=base)),
    ),
    (
        "The sign is turned round: k is positive if the second vector stands later.",
        lambda first, second, *, base: -_offset(first, second, base=base),
    ),
    (
        "This is the turn of the fastest clock. It may have gone round many times; "
        "only the slowest one has certainly not.",
        lambda first, second, *, base: _turn(first, second, 0),
    ),
    (
        "This is the angle by which the slowest clock has turned. Divide it by the "
        "radians that it turns for each token.",
        lambda first, second, *, base: _turn(first, second, len(first) // 2 - 1),
    ),
    (
        "An arctan lies between -pi/2 and pi/2: from the quotient it cannot tell which "
        "of sine and cosine was negative. arctan2 takes both, and can.",
        _halved,
    ),
    (
        "An arcsin lies between -pi/2 and pi/2: a turn by more than a quarter of a "
        "round has the sine of a smaller one. arctan2 takes the cosine, too.",
        _arcsine,
    ),
    (
        "The slowest clock is taken to turn by 1 / base for each token. It turns by "
        "base ** (-(d - 2) / d).",
        lambda first, second, *, base: _turn(first, second, len(first) // 2 - 1) * base,
    ),
    (
        "Two angles are subtracted, and the difference may leave the range from -pi to "
        "pi. Take the angle of the difference instead, or bring it into the range.",
        _unwrapped,
    ),
]


_OFFSETS = [
    (0, 1, 2, 100.0),
    (2, -1, 4, 100.0),
    (7, 0, 4, 100.0),
    (5, 12, 4, 100.0),
    (28, 9, 4, 100.0),  # the slow hand passes the 6
    (3, 20, 4, 100.0),  # it turns by more than a quarter round
]


def _random_offsets(rng: Any, count: int) -> list[tuple[int, int, int, float]]:
    """Draw offsets of less than half a round of the slowest clock."""
    cases = []
    for _ in range(count):
        d, base = int(rng.choice([4, 8, 16])), float(rng.choice([100.0, 10_000.0]))
        most = min(int(0.95 * math.pi / frequencies(d, base)[-1]), 2000)
        k = int(rng.integers(1, most)) * int(rng.choice([-1, 1]))
        cases.append((int(rng.integers(0, 500)) + max(-k, 0), k, d, base))
    return cases


def _show_offset(failure: Failure) -> str:
    return (
        f"{failure.call} with {failure.case.note}, d = {len(failure.args[0])}\n"
        f"gives {failure.received:.4g}, should be {failure.right:.4g}"
    )


@ask_for_function(
    "One clock is enough: the slowest, features d - 2 and d - 1. How do the sine and "
    "the cosine of its turn follow from the two hands?",
    "With (s, c) the first hand and (s', c') the second, cos(theta k) = c c' + s s', "
    "and sin(theta k) = s' c - c' s.",
    "theta = base ** (-(d - 2) / d), and k = np.arctan2(s' c - c' s, c c' + s s') / "
    "theta.",
    right=_offset,
    what="The offset",
    problem="This is not the offset.",
    example=_show_offset,
    shown=["PE(t)", "PE(t + k)"],
    mistakes=_OFFSET_MISTAKES,
    held=[
        "any start",
        "forward and back",
        "offsets for which the fast clocks go round many times",
    ],
    close=partial(np.isclose, rtol=1e-3, atol=1e-3),
)
def find_offset(rng: Any) -> list[Case]:
    """Offset k from the two vectors PE(t) and PE(t + k) alone."""
    return [
        Case(
            (encoding(t, d, base), encoding(t + k, d, base)),
            {"base": base},
            note=f"t = {t}",
        )
        for t, k, d, base in [*_OFFSETS, *_random_offsets(rng, 8)]
    ]


def _shifted(table: Any, k: float, *, base: float) -> Any:
    return table @ operator(k, table.shape[1], base).T


_REPAIR_MISTAKES: Mistakes = [
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
    """Shift the sines (0) or cosines (1) by k, and the others by -k."""
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


def _show_row(failure: Failure) -> str:
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
    example=_show_row,
    shown=["table"],
    mistakes=_REPAIR_MISTAKES,
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
