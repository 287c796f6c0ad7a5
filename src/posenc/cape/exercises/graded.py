"""For marks: another order of the augmentations, and jitters to one side."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import FAR_APART, close, move, swap_chance


def _stamped(
    positions: Any,
    mask: Any,
    shift: Any,
    scale: Any,
    jitter: Any,
    *,
    first: str = "token",
    scaled: tuple[str, ...] = ("jitter",),
) -> Any:
    """Return scale times (position - first + jitter), plus shift, row by row."""
    rows, length = np.shape(positions)
    out = np.zeros((rows, length))
    for b in range(rows):
        tokens = [j for j in range(length) if mask[b][j]]
        origin = positions[b][tokens[0] if first == "token" else 0]
        for j in tokens:
            inside = positions[b][j] - origin
            inside += jitter[b][j] * ("jitter" in scaled)
            inside += shift[b] * ("shift" in scaled)
            out[b, j] = scale[b] * inside
            out[b, j] += jitter[b][j] * ("jitter" not in scaled)
            out[b, j] += shift[b] * ("shift" not in scaled)
    return out


_STAMP_MISTAKES: Mistakes = [
    (
        "The shift is scaled. Here it is added at the end.",
        lambda *args: _stamped(*args, scaled=("jitter", "shift")),
    ),
    (
        "The jitter is not scaled. It is added before the scale.",
        lambda *args: _stamped(*args, scaled=()),
    ),
    (
        "Column 0 is taken for the first token. With padding in front it is none.",
        lambda *args: _stamped(*args, first="column"),
    ),
    (
        "Positions are counted from their mean, as in CAPE, and the shift is scaled. "
        "Here they are counted from the first token.",
        move,
    ),
    (
        "Padding is moved, too. It comes back as 0.",
        lambda p, m, *args: _moved_padding(p, m, *args),
    ),
]


def _moved_padding(p: Any, m: Any, shift: Any, scale: Any, jitter: Any) -> Any:
    first = np.asarray(m).argmax(axis=1)
    origin = p[np.arange(len(p)), first]
    return scale[:, None] * (p - origin[:, None] + jitter) + shift[:, None]


@ask_for_function(
    "Find the first token of each row: np.argmax of a mask is the first True.",
    "positions[np.arange(batch), first] takes one entry of each row.",
    "scale * (positions - first position + jitter) + shift, then np.where(mask, …, 0).",
    right=_stamped,
    what="The moved positions",
    problem="A position is moved to another place.",
    mistakes=_STAMP_MISTAKES,
    held=["padding in front and behind", "every draw in its place"],
    shown=["positions", "mask", "shift", "scale", "jitter"],
    close=close,
)
def move_stamps(rng: Any) -> Any:
    """Positions counted from the first token, jittered, scaled, and then shifted."""
    cases = []
    for rows, length in [(1, 1), (1, 3), (2, 4), (3, 6)]:
        positions = np.cumsum(rng.uniform(0.5, 2, size=(rows, length)), axis=1) + 3
        mask = np.ones((rows, length), bool)
        if length > 2:
            mask[0, 0] = mask[-1, -1] = False
        shift, scale = rng.uniform(1, 3, size=(2, rows))
        jitter = rng.uniform(-0.3, 0.3, size=(rows, length))
        cases.append((positions, mask, shift, scale, jitter))
    far, draw = np.asarray([FAR_APART]), np.asarray([1.5])
    return [*cases, (far, far < 1e6, draw, draw, 0 * far)]


_ONE_SIDE_MISTAKES: Mistakes = [
    (
        "That is for jitters on both sides of 0. Here none is negative, so the square "
        "has sides of max_jitter.",
        swap_chance,
    ),
    (
        "The half of the triangle is missing: two legs make a square, twice as large.",
        lambda step, most: max(most - step, 0) ** 2 / most**2,
    ),
    (
        "If the step is longer than the largest jitter, nothing can swap: that is 0.",
        lambda step, most: (most - step) ** 2 / 2 / most**2,
    ),
    (
        "That is the probability that they keep their order.",
        lambda step, most: 1 - swap_chance(step, most / 2),
    ),
]


@ask_for_function(
    "Draw the square of all pairs of jitters, with sides from 0 to max_jitter.",
    "They swap where the left jitter exceeds the right one by more than the step: a "
    "triangle in a corner.",
    "Its legs are max_jitter - step, or 0 if that is negative.",
    right=lambda step, most: swap_chance(step, most / 2),
    what="The probability",
    problem="The probability is another one.",
    mistakes=_ONE_SIDE_MISTAKES,
    held=["small and large jitters"],
    close=close,
)
def one_sided_swap(rng: Any) -> Any:
    """Probability that neighbors swap, if jitters are between 0 and a maximum."""
    drawn = [(float(s), float(m)) for s, m in rng.uniform(0.2, 3, size=(4, 2)).round(2)]
    return [(1.0, 2.0), (1.0, 0.5), (2.0, 2.5), *drawn]
