"""For marks: the shift with cosines first, and a position read off its encoding."""

import math
from typing import Any

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import BASE_IGNORED, DOUBLED, FROM_ONE, close, encoding, operator


def _cosine_first(k: float, d: int, *, base: float = 10_000.0, **wrong: Any) -> Any:
    """Exchange the members of each pair, so that every block is transposed."""
    return operator(k, d, base, **wrong).T


_OPERATOR_MISTAKES: Mistakes = [
    (
        "That is the matrix for pairs with the sine first. With the cosine first the "
        "two sines in a block change places.",
        lambda k, d, base: operator(k, d, base),
    ),
    (DOUBLED, lambda k, d, base: _cosine_first(k, d, base=base, exponent=-4.0)),
    (BASE_IGNORED, lambda k, d, base: _cosine_first(k, d)),
    (FROM_ONE, lambda k, d, base: _cosine_first(k, d, base=base, first=1)),
    (
        "All cosines stand first here. The pairs are to stay side by side.",
        lambda k, d, base: _cosine_first(k, d, base=base, half=True),
    ),
]


@ask_for_function(
    "Write down the addition theorem for cos(a + b), then the one for sin(a + b).",
    "The first row of a block makes the new cosine: cos * cosine - sin * sine.",
    "So the block is [[cos, -sin], [sin, cos]].",
    right=_cosine_first,
    what="The matrix",
    problem="An entry of the matrix is another one.",
    mistakes=_OPERATOR_MISTAKES,
    held=["offsets forward and back", "any base"],
    axes="(d_model, d_model)",
    close=close,
)
def cosine_first_operator(rng: Any) -> Any:
    """Matrix of a shift for pairs whose cosine stands before the sine."""
    drawn = rng.uniform(-9, 9, size=2).round(2).tolist()
    cases = [(1, 2, 10_000.0), (1, 4, 100.0), (-2, 6, 10_000.0)]
    cases += [(k, 8, 500.0) for k in drawn]
    cases += [(700, 4, 10_000.0), (-700, 4, 10_000.0), (40_000, 2, 10_000.0)]
    return [case(k, d, base=base) for k, d, base in cases]


def _position(
    row: Any, *, base: float = 10_000.0, pair: int = -1, swap: bool = False
) -> float:
    """Divide the slowest clock's angle by its frequency; other pairs are mistakes."""
    d = len(row)
    i = pair % (d // 2)
    sine, cosine = float(row[2 * i]), float(row[2 * i + 1])
    angle = math.atan2(cosine, sine) if swap else math.atan2(sine, cosine)
    return angle / float(base) ** (-2 * i / d)


_POSITION_MISTAKES: Mistakes = [
    (
        "Sine and cosine are exchanged: the angle is arctan2(sine, cosine).",
        lambda row, base: _position(row, base=base, swap=True),
    ),
    (
        "That is the fastest clock. It has turned more than once, and says the "
        "position up to a round alone.",
        lambda row, base: _position(row, base=base, pair=0),
    ),
    (BASE_IGNORED, lambda row, base: _position(row)),
    (
        "That is the angle of the slowest clock. Divide it by its frequency.",
        lambda row, base: (
            _position(row, base=base) * base ** (-(len(row) - 2) / len(row))
        ),
    ),
]


@ask_for_function(
    "Which clock has not finished a round? Its angle is known without any doubt.",
    "The last two features are sine and cosine of t times the slowest frequency.",
    "np.arctan2(sine, cosine) is that angle. Divide by base ** (-(d - 2) / d).",
    right=_position,
    what="The position",
    problem="The position is another one.",
    mistakes=_POSITION_MISTAKES,
    held=["positions before and after 0", "any base and width"],
    shown=["encoding"],
    close=close,
)
def find_position(rng: Any) -> Any:
    """Position of an encoding, if the slowest clock has not turned half a round."""
    drawn = [float(t) for t in rng.uniform(-40, 40, size=3).round(1)]
    cases = [(2.0, 4, 100.0), (-7.0, 6, 500.0), (20.0, 8, 10_000.0)]
    cases += [(t, 8, 1000.0) for t in drawn]
    return [case(encoding(t, d, base), base=base) for t, d, base in cases]
