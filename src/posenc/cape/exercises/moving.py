"""Exercises 2 and 5: the three augmentations, and the chance that neighbors swap."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import FAR_APART, close, move
from .oracle import swap_chance as right_chance

_MOVE_MISTAKES: Mistakes = [
    (
        "Padding counts for the mean. The mean is that of the tokens alone, or a "
        "sequence would move when the batch gets longer.",
        lambda p, m, d, s, e: move(p, m, d, s, e, padded_mean=True),
    ),
    (
        "The mean is not subtracted.",
        lambda p, m, d, s, e: np.where(m, s[:, None] * (p + d[:, None] + e), 0.0),
    ),
    (
        "The scale comes too early: shift first, then scale, so the shift is scaled.",
        lambda p, m, d, s, e: np.where(m, move(p, m, 0 * d, s, e) + d[:, None], 0.0),
    ),
    (
        "Only the positions are scaled. The scale is for everything: position, shift "
        "and jitter.",
        lambda p, m, d, s, e: np.where(
            m, move(p, m, 0 * d, s, 0 * e) + d[:, None] + e, 0.0
        ),
    ),
    (
        "Padding does not come back as 0.",
        lambda p, m, d, s, e: _unmasked(p, m, d, s, e),
    ),
    (
        "The mask is ignored: padding counts for the mean, and does not come back as "
        "0.",
        lambda p, m, d, s, e: _unmasked(p, m | True, d, s, e),
    ),
    (
        "The shift is missing.",
        lambda p, m, d, s, e: move(p, m, 0 * d, s, e),
    ),
    (
        "The jitter is missing.",
        lambda p, m, d, s, e: move(p, m, d, s, 0 * e),
    ),
    (
        "All tokens get the jitter of the first: each has one of its own.",
        lambda p, m, d, s, e: move(p, m, d, s, e[:, :1] + 0 * e),
    ),
]


def _unmasked(p: Any, m: Any, d: Any, s: Any, e: Any) -> Any:
    mean = np.asarray([row[own].mean() for row, own in zip(p, m, strict=True)])
    return s[:, None] * (p - mean[:, None] + d[:, None] + e)


def _example(failure: Failure) -> str:
    b, j = failure.entry
    got, right = failure.received[b, j], failure.right[b, j]
    return (
        f"{failure.call}\nsequence {b}, token {j}: gives {got:g}, should be {right:g}"
    )


def _two_tokens(rng: Any) -> Case:
    plain = np.asarray([[0.0, 1.0]]), np.asarray([[True, True]])
    noise = np.asarray([0.5]), np.asarray([2.0]), np.asarray([[0.25, -0.25]])
    return case(*plain, *noise)


@ask_for_function(
    "The mean of the tokens: (positions * mask).sum(-1, keepdims=True) divided by "
    "mask.sum(-1, keepdims=True).",
    "shift and scale have one number per sequence: shift[:, None] fits beside "
    "positions of shape (batch, seq_len).",
    "scale[:, None] * (positions - mean + shift[:, None] + jitter), and at last "
    "np.where(mask, …, 0).",
    right=move,
    what="The result",
    problem="A position is not the right one.",
    mistakes=_MOVE_MISTAKES,
    held=["one sequence", "padding", "a batch with draws of its own"],
    example=_example,
    close=close,
    first=_two_tokens,
)
def move_positions(rng: Any) -> Any:
    """Center, shift, jitter and scale a batch of sequences, given the draws."""
    cases = []
    for rows, length, padded in ((1, 2, 0), (1, 3, 1), (2, 4, 2), (3, 7, 3)):
        lengths = length - rng.integers(0, padded + 1, size=rows)
        lengths[0] = length - padded
        arguments = (
            np.cumsum(rng.uniform(0.5, 1.5, size=(rows, length)), axis=1).round(2),
            np.arange(length) < lengths[:, None],
            rng.uniform(-3, 3, size=rows).round(2),
            rng.uniform(0.5, 2, size=rows).round(2),
            rng.uniform(-0.5, 0.5, size=(rows, length)).round(2),
        )
        cases.append(arguments)
    far, one = np.asarray([FAR_APART]), np.asarray([1.5])
    return [*cases, (far, far < 1e6, one, one, 0 * far)]


_CHANCE_MISTAKES: Mistakes = [
    (
        "Up to half a step no pair can swap: the chance is 0 there.",
        lambda s, m: 0.5 * (1 - s / (2 * m)) ** 2,
    ),
    (
        "This is the chance that the jitters differ by more than a step, in either "
        "direction. Only the corner where the left jitter is the larger one is a swap.",
        lambda s, m: 2 * right_chance(s, m),
    ),
    (
        "The difference of two uniform numbers is not uniform: small differences are "
        "more likely than large ones.",
        lambda s, m: max(0.0, (2 * m - s) / (4 * m)),
    ),
    (
        "Jitters go both ways, from -max_jitter to max_jitter: their difference "
        "reaches 2 max_jitter.",
        lambda s, m: right_chance(2 * s, m),
    ),
]


def _chance_close(received: Any, right: Any) -> Any:
    return np.isclose(received, right, rtol=1e-5, atol=1e-9)


@ask_for_function(
    "Neighbors swap if the left one's jitter exceeds the right one's by more than the "
    "step. Draw the square of all pairs of jitters: where is that the case?",
    "In a corner: a triangle whose legs are 2 max_jitter - step long. Its area over "
    "that of the square is the chance.",
    "legs = max(0, 2 * max_jitter - step); the chance is legs**2 / 2 / "
    "(2 * max_jitter)**2.",
    right=right_chance,
    what="The chance",
    problem="This is not the chance of a swap.",
    mistakes=_CHANCE_MISTAKES,
    held=["jitters beyond half a step", "0 up to half a step"],
    close=_chance_close,
)
def swap_chance(rng: Any) -> Any:
    """Chance that the jitters of two neighbors exchange them."""
    steps, jitters = rng.uniform(0.2, 3, 6).round(2), rng.uniform(0.1, 3, 6).round(2)
    drawn = zip(steps.tolist(), jitters.tolist(), strict=True)
    return [(1.0, 1.0), (1.0, 0.5), (1.0, 0.25), (2.0, 1.5), *drawn]
