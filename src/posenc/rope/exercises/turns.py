"""Exercises 1 and 2: turns by hand, and the rotation of queries or keys."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, Shown
from posenc.kit.exercises.mistakes import Mistakes, name_mistake
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import ask_for_value

from .oracle import (
    BASE_IGNORED,
    DOUBLED,
    FAR_APART,
    HALF,
    MIXED,
    OPPOSITE,
    POSITIONS_IGNORED,
    close,
    mix_layouts,
    turn,
)

_HAND = (((3, 1), 1), ((2, -1), 2), ((0, 4), -1), ((1, 5), 3))  # quarter turns


def _quarters(sign: int) -> list[int]:
    found = []
    for (x, y), turns in _HAND:
        z = complex(x, y) * 1j ** (sign * turns)
        found += [round(z.real), round(z.imag)]
    return found


_HAND_MISTAKES: Mistakes = [
    (OPPOSITE, _quarters(-1)),
    (
        "Every vector is turned by a quarter. Look at the angle of each.",
        [c for (x, y), _ in _HAND for c in (-y, x)],
    ),
    (
        "The two coordinates are swapped: first the real part, then the imaginary.",
        [_quarters(1)[i ^ 1] for i in range(8)],
    ),
    ("These are the vectors as they were.", [c for v, _ in _HAND for c in v]),
    (
        "The coordinates change places, but none changes its sign: that mirrors a "
        "vector, and turns it by no angle.",
        [c for (x, y), t in _HAND for c in ((y, x) if t % 2 else (x, y))],
    ),
]
_WRONG_WAY = (
    "A turn by minus 90 degrees goes clockwise: (1, 0) goes to (0, -1), not to (0, 1)."
)
_ONE_QUARTER = "270 degrees are three quarters, not one."


def _hand_line(i: int, number: int) -> str:
    (x, y), turns = _HAND[i // 2]
    return (
        f"vector ({x}, {y}), turned by {90 * turns}°: its {'xy'[i % 2]} is not {number}"
    )


@ask_for_value(
    "A quarter turn counterclockwise is a multiplication by i. What is i times x + iy?",
    "i (x + iy) = ix - y, so (x, y) goes to (-y, x). Half a turn is that twice.",
    "Minus a quarter is a multiplication by -i: (x, y) goes to (y, -x). So do three "
    "quarters forward.",
    what="The list of coordinates",
    entry="a number",
    line=_hand_line,
    mistakes=_HAND_MISTAKES,
    slips=[
        (2, 2, "Half a turn changes the sign of both coordinates."),
        (4, -4, _WRONG_WAY),
        (6, -5, _ONE_QUARTER),
        (7, 1, _ONE_QUARTER),
    ],
    held=["all four vectors"],
)
def turn_by_hand() -> list[int]:
    """Four vectors turned by multiples of 90 degrees, by hand."""
    return _quarters(1)


def _same(received: Any, right: Any) -> bool:
    return bool(close(received, right).all())


_MISTAKES: Mistakes = [
    (OPPOSITE, lambda x, p, base: turn(x, p, base, sign=-1)),
    (HALF, lambda x, p, base: turn(x, p, base, half=True)),
    (
        "It turns clockwise, and in half-split pairs (feature i and i + d/2). Here "
        "neighbors are pairs, and turn counterclockwise.",
        lambda x, p, base: turn(x, p, base, half=True, sign=-1),
    ),
    (
        MIXED.format(
            "neighbors are paired (2i and 2i + 1), but the angles are written twice, "
            "one half after the other, as for half-split pairs"
        ),
        lambda x, p, base: mix_layouts(x, p, base),
    ),
    (
        MIXED.format(
            "features are paired as halves (i and i + d/2), but each angle stands "
            "twice in a row, as for neighbors"
        ),
        lambda x, p, base: mix_layouts(x, p, base, half=True),
    ),
    (
        "Positions are counted from 1: each token is turned one position too far.",
        lambda x, p, base: turn(x, np.asarray(p) + 1, base),
    ),
    (
        "Each token is turned one position too little.",
        lambda x, p, base: turn(x, np.asarray(p) - 1, base),
    ),
    (
        "The planes are counted from 1: the first one has the speed of the second. "
        "Plane 0 turns by 1 radian for each token.",
        lambda x, p, base: turn(x, p, base, first=1),
    ),
    (
        "The angles are converted to degrees, but np.cos and np.sin take radians.",
        lambda x, p, base: turn(x, p, base, unit=180 / math.pi),
    ),
    (
        "The angles are taken for degrees and converted. They are radians already.",
        lambda x, p, base: turn(x, p, base, unit=math.pi / 180),
    ),
    (
        "base is ignored, and 500,000 used instead.",
        lambda x, p, base: turn(x, p, 500_000.0),
    ),
    (DOUBLED, lambda x, p, base: turn(x, p, base, exponent=-4)),
    (
        "The exponent is halved: it is -2i/d for plane i. (It is -i/d if i goes in "
        "steps of two.)",
        lambda x, p, base: turn(x, p, base, exponent=-1),
    ),
    (
        "Every pair is turned as it should be, but they are put back as halves: first "
        "all real parts, then all imaginary ones. Both belong where they came from.",
        lambda x, p, base: _joined(turn(x, p, base)),
    ),
    (BASE_IGNORED, lambda x, p, base: turn(x, p)),
    (POSITIONS_IGNORED, lambda x, p, base: turn(x, range(len(p)), base)),
    (
        "The second line uses the features that the first one has already replaced. "
        "Compute both from the old values.",
        lambda x, p, base: _overwritten(x, p, base),
    ),
]


def _joined(x: Any) -> Any:
    return np.concatenate([x[:, 0::2], x[:, 1::2]], axis=1)


def _overwritten(x: Any, p: Any, base: float) -> Any:
    out = turn(x, p, base)
    d = x.shape[1]
    for row, i in np.ndindex(len(x), d // 2):
        angle = p[row] * base ** (-2 * i / d)
        first, second = out[row, 2 * i], x[row, 2 * i + 1]
        out[row, 2 * i + 1] = first * np.sin(angle) + second * np.cos(angle)
    return out


@exercise(
    "First the angles: positions down, planes across. Plane i turns by "
    "position * base ** (-2 * i / d).",
    "x[:, 0::2] are the real parts of all planes, x[:, 1::2] the imaginary ones, both "
    "of shape (L, d / 2), like the angles.",
    "New real parts: real * cos - imaginary * sin. New imaginary parts: real * sin + "
    "imaginary * cos. Put them back to where they came from in an empty array.",
    mistakes=_MISTAKES,
)
def apply_rotary(attempt: Attempt, rng: Any) -> None:
    """Turn queries or keys at their positions, with neighbors as pairs."""
    cases = [
        (np.asarray([0]), 2, 10_000.0),
        (np.asarray([1]), 2, 10_000.0),
        (np.asarray([1]), 4, 10_000.0),
        (np.asarray([0, 1, 2]), 4, 100.0),
        (np.asarray([5, 2, 40, 7]), 8, 500.0),
        (rng.integers(0, 100, size=6), 16, 10_000.0),
        *((np.asarray(p), d, 10_000.0) for p, d in FAR_APART),
    ]
    received: list[tuple[tuple[Any, ...], Any]] = []
    for number, (p, d, base) in enumerate(cases):
        x = np.round(rng.normal(size=(len(p), d)), 2)
        if number:
            answer = attempt.ask(x, p, base=base)
        else:
            answer = attempt.choose_style(("numpy", "torch"), x, p, base=base)
        rows = attempt.read_like(answer, turn(x, p, base), "The result")
        received.append(((x, p, base), rows))
    if all(_same(rows[p == 0], x[p == 0]) for (x, p, _), rows in received):
        attempt.held.append("position 0 turns nothing")
    norms = [
        (np.linalg.norm(a[0], axis=1), np.linalg.norm(b, axis=1)) for a, b in received
    ]
    if all(_same(*pair) for pair in norms):
        attempt.held.append("lengths are kept")
    for (x, p, base), rows in received:
        right = turn(x, p, base)
        if not _same(rows, right):
            row = int(np.argwhere(~close(rows, right))[0, 0])
            attempt.reject(
                f"A token at position {p[row]} is not turned as it should be.",
                f"{attempt.call_text(Shown('x'), p, base=base)}[{row}]\n"
                f"of {x[row]}\ngives {np.round(rows[row], 3)}\n"
                f"should be {np.round(right[row], 3)}",
                name_mistake(received, _MISTAKES, _same),
            )
    attempt.held.append("every plane at its own speed")
