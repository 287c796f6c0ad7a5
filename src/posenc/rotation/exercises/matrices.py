"""Exercises 1 to 3: matrices of shifts, by hand, in code, and for another layout."""

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


def _mistakes(half: bool) -> Mistakes:
    """Known mistakes of a function that makes the matrix of a layout."""

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


def _cases(rng: Any) -> list[Case]:
    fixed = [(0, 4, 100.0), (1, 4, 100.0), (-1, 4, 50.0), (2.5, 6, 30.0)]
    far = [(700, 4, 10_000.0), (-700, 4, 10_000.0), (40_000, 2, 10_000.0)]
    sizes = rng.choice([4, 6, 8, 10], size=4).tolist()
    shifts = rng.integers(-20, 21, size=4).tolist()
    bases = np.round(rng.uniform(5, 20_000, size=4)).tolist()
    drawn = zip(shifts, sizes, bases, strict=True)
    return [case(k, d, base=base) for k, d, base in [*fixed, *drawn, *far]]


def _moved(failure: Failure, half: bool) -> tuple[Any, Any]:
    """PE(3), turned by the answer's matrix, and what it should be turned into."""
    (k, d), base = failure.args, failure.case.kwargs["base"]
    order = [*range(0, d, 2), *range(1, d, 2)] if half else list(range(d))
    start, end = (encoding(t, d, base)[order] for t in (3, 3 + k))
    return failure.received @ start, end


def _problem(failure: Failure, half: bool) -> str:
    if close(*_moved(failure, half)).all():
        return "It is right for t = 3, but not for every t."
    return f"It does not turn PE(3) into PE({3 + failure.args[0]:g})."


def _show(failure: Failure, half: bool) -> str:
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
        "problem": partial(_problem, half=half),
        "example": partial(_show, half=half),
        "mistakes": _mistakes(half),
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
    return _cases(rng)


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
    return _cases(rng)
