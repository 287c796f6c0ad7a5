"""Exercise 6: two mistakes in the augmentation of a padded batch."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Switches, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import FAR_APART, close, move

_SENTENCES = {
    "late": "The mean is that of the moved positions. It contains the shift, so that "
    "centering takes the shift out again. The mean must be that of the positions as "
    "they were.",
    "padded": "Padding counts for the mean: the same sequence moves when its batch "
    "gets longer. The mean must be that of the tokens.",
    "linear": "The scale is not drawn evenly between shrinking and growing: it runs "
    "through 1 + (max_scale - 1) u, and for max_scale 2 that reaches 0, where all "
    "tokens fall together. Its logarithm must be uniform: max_scale ** u.",
    "jittered": "The mean still contains the jitters. It must be that of the positions "
    "as they were.",
    "even": "The scale is even between 1 / max_scale and max_scale: then it stretches "
    "more often than it shrinks. Its logarithm must be uniform: max_scale ** u.",
    "one": "All tokens get the same jitter: then it is a second shift.",
}


def _augmented(
    positions: Any,
    mask: Any,
    shift: Any,
    scale: Any,
    jitter: Any,
    *,
    maxima: Any,
    mistakes: tuple[str, ...] = (),
) -> Any:
    factor = maxima[2] ** scale
    if "linear" in mistakes:
        factor = 1 + (maxima[2] - 1) * scale
    if "even" in mistakes:
        least = 1 / maxima[2]
        factor = least + (maxima[2] - least) * (scale + 1) / 2
    own = jitter[:, :1] + 0 * jitter if "one" in mistakes else jitter
    shifts, own = maxima[0] * shift, maxima[1] * own
    late, padded = "late" in mistakes, "padded" in mistakes
    if late:  # centers what has been shifted and jittered
        positions, shifts, own = positions + shifts[:, None] + own, 0 * shifts, 0 * own
    elif "jittered" in mistakes:
        positions, own = positions + own, 0 * own
    return move(positions, mask, shifts, factor, own, padded_mean=padded)


def _example(failure: Failure) -> str:
    b, j = failure.entry
    got, right = failure.received[b, j], failure.right[b, j]
    return (
        f"{failure.call}\nsequence {b}, token {j}: gives {got:.4g}, should be "
        f"{right:.4g}"
    )


def _two_tokens(rng: Any) -> Case:
    one = np.asarray([0.5])
    first = np.asarray([[0.0, 1.0]]), np.asarray([[True, True]])
    return case(*first, one, -one, np.asarray([[0.5, -0.5]]), maxima=(1.0, 0.5, 2.0))


@ask_for_function(
    "Call it with unit_shift 0, then with unit_shift 1. The positions of the tokens "
    "should move by the largest shift, times the scale.",
    "Then look at the scale for unit_scale = -1, with max_scale = 2. How far apart are "
    "the tokens?",
    "Two lines are wrong: the mean (it is that of the positions before they move) and "
    "the scale (its logarithm is uniform).",
    right=_augmented,
    what="The result",
    problem="A position is not the right one.",
    mistakes=Switches(_augmented, _SENTENCES, at_once=2),
    held=["a full sequence", "padding", "a batch", "the smallest scale"],
    example=_example,
    close=close,
    first=_two_tokens,
    one_of=True,
)
def repair_augmentation(rng: Any) -> Any:
    """Find and repair two mistakes in the augmentation of a padded batch."""
    cases = []
    for rows, length, padded in ((1, 3, 0), (1, 4, 2), (3, 6, 3)):
        lengths = length - rng.integers(0, padded + 1, size=rows)
        lengths[0] = length - padded
        scale = rng.uniform(-1, 1, size=rows).round(2)
        scale[0] = -1.0  # the smallest
        arguments = (
            np.tile(np.arange(float(length)), (rows, 1)),
            np.arange(length) < lengths[:, None],
            rng.uniform(-1, 1, size=rows).round(2),
            scale,
            rng.uniform(-1, 1, size=(rows, length)).round(2),
        )
        maxima = (3.0, 0.5, 2.0) if rows == 1 else (5.0, 0.25, 1.5)
        cases.append(case(*arguments, maxima=maxima))
    far, one = np.asarray([FAR_APART]), np.asarray([0.5])
    cases.append(case(far, far < 1e6, one, one, 0 * far, maxima=(3.0, 0.5, 2.0)))
    return cases
