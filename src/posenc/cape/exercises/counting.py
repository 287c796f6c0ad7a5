"""Exercises 4, 6 and 7: a position from a mean, code to mend, settings to find."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Case, Mistakes, Switches, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function
from posenc.kit.exercises.widget_answers import check_ranges, read_settings

from .oracle import (
    DRAWS,
    FAR_APART,
    JITTERS,
    MOST_TOKENS,
    SCALES,
    SHIFTS,
    close,
    move,
    swapped,
    widget_positions,
)

_NO_BIAS = (
    "Without biases the largest weight wins for every mean, since all means are "
    "positive."
)
_GROWING = "The weights grow with n. But a large n means a small mean 1/n."
_TWICE = "The product term of the square counts twice: 2 x (1/n)."
_TURNED = "The sign of the biases is turned: nearest, not farthest, is wanted."


def _numbers(most: int) -> Any:
    return np.arange(1.0, most + 1)


#: Any layer that names every n is right, so these are examples of what is named.
_MISTAKES: Mistakes = [
    (_NO_BIAS, lambda most: (2 / _numbers(most), 0 * _numbers(most))),
    (_GROWING, lambda most: (2 * _numbers(most), -1 / _numbers(most) ** 2)),
    (_TWICE, lambda most: (1 / _numbers(most), -1 / _numbers(most) ** 2)),
    (_TURNED, lambda most: (2 / _numbers(most), 1 / _numbers(most) ** 2)),
]


@exercise(
    "You want the n whose 1/n lies nearest to the mean x. Nearest means: (x - 1/n)^2 "
    "is smallest, or its negative largest.",
    "Multiply it out: -(x - 1/n)^2 = -x^2 + (2/n) x - 1/n^2. Which part is the same "
    "for every n?",
    "weights 2/n and biases -1/n^2, for n = 1 … most.",
    mistakes=_MISTAKES,
)
def counting_layer(attempt: Attempt, rng: Any) -> None:
    """Weights and biases whose largest logit names n, given the mean 1/n."""
    for most in sorted({1, 2, 5, 64, 200, int(rng.integers(6, 200))}):
        answer = attempt.ask(most)
        answer = list(answer) if isinstance(answer, np.ndarray) else answer
        if not isinstance(answer, list) or len(answer) != 2:
            attempt.reject(f"It must return weights and biases, got {attempt.kind}.")
        weights, biases = (
            attempt.real_numbers(part, (most,), what)
            for part, what in zip(answer, ("weights", "biases"), strict=True)
        )
        n = np.arange(1, most + 1)
        logits = weights / n[:, None] + biases
        others = np.where(np.eye(most, dtype=bool), -np.inf, logits)
        right = np.diag(logits) > others.max(axis=1, initial=-np.inf)
        wrong = np.flatnonzero(~right)  # what is no number is not larger
        if wrong.size:
            at = int(wrong[0])
            chosen = int(logits[at].argmax())
            tie = chosen == at  # as large as another one
            names = "no single number" if tie else f"n = {chosen + 1}"
            attempt.reject(
                "The largest logit does not name n.",
                f"{attempt.call_text(most)}, mean x = 1/{at + 1}: names {names}, "
                f"should name n = {at + 1}",
                _explain(weights, biases),
            )
    attempt.held += ["every n up to 64", "one more length, drawn at random"]


def _explain(weights: Any, biases: Any) -> tuple[str, ...]:
    n = _numbers(len(weights))
    if np.allclose(biases, 0):
        return (_NO_BIAS,)
    if np.allclose(weights, n) or np.allclose(weights, 2 * n):
        return (_GROWING,)
    if np.allclose(weights, 1 / n) and np.allclose(biases, -1 / n**2):
        return (_TWICE,)
    if np.allclose(weights, 2 / n) and np.allclose(biases, 1 / n**2):
        return (_TURNED,)
    return ()


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
    half = np.asarray([0.5])
    first = np.asarray([[0.0, 1.0]]), np.asarray([[True, True]])
    return case(*first, half, -half, np.asarray([[0.5, -0.5]]), maxima=(1.0, 0.5, 2.0))


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
    far, half = np.asarray([FAR_APART]), np.asarray([0.5])
    cases.append(case(far, far < 1e6, half, half, 0 * far, maxima=(3.0, 0.5, 2.0)))
    return cases


_CHOICES = {
    "max_global_shift": SHIFTS,
    "max_local_shift": JITTERS,
    "max_scale": SCALES,
}
_NAMES = ("draw", "tokens", *_CHOICES)
_RANGES = {"draw": (0, DRAWS - 1), "tokens": (4, MOST_TOKENS)}


@exercise(
    "First part: such jitters may swap neighbors, but need not. Draw again until they "
    "do not.",
    "Second part: long lines that cross are jitters of 2. Does the shift matter here, "
    "or the scale?",
    "Third part: few tokens and the largest shift. Which draws shift far enough?",
    asks_for="value",
)
def find_settings(attempt: Attempt, rng: Any) -> None:
    """Three settings with a given property, found with the widget."""
    settings = []
    for what, setting in read_settings(attempt, _NAMES):
        setting = {k: _whole(v) if k in _RANGES else v for k, v in setting.items()}
        check_ranges(attempt, what, setting, _RANGES)
        for name, choices in _CHOICES.items():
            if setting[name] not in choices:
                attempt.reject(
                    f"{name} of {what.lower()} must be one of the widget's: "
                    f"{', '.join(f'{c:g}' for c in choices)}."
                )
        settings.append(setting)
    _judge_kept(attempt, settings[0])
    _judge_lost(attempt, settings[1])
    _judge_side(attempt, settings[2])


_ORDER_SURE = "With jitters of at most half a step, no pair can change its order."


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _judge_kept(attempt: Attempt, setting: dict[str, Any]) -> None:
    count = swapped(widget_positions(setting))
    if setting["max_local_shift"] < 1:
        attempt.reject(
            "In the first setting the largest jitter must be at least one whole step.",
            f"here max_local_shift is {setting['max_local_shift']:g}",
            (_ORDER_SURE,) if setting["max_local_shift"] <= 0.5 else (),
        )
    if setting["tokens"] < 10:
        attempt.reject(
            "In the first setting there must be at least 10 tokens.",
            f"here there are {setting['tokens']}",
        )
    if count:
        attempt.reject(
            "In the first setting no pair may have changed its order.",
            f"here {count} have",
        )
    attempt.held.append("jitters of a step or more, and the order kept by luck")


def _judge_lost(attempt: Attempt, setting: dict[str, Any]) -> None:
    count = swapped(widget_positions(setting))
    if count < 6:
        attempt.reject(
            "In the second setting at least 6 pairs must have changed their order.",
            f"here {count} have",
            (_ORDER_SURE,) if setting["max_local_shift"] <= 0.5 else (),
        )
    attempt.held.append(f"{count} pairs out of order")


def _judge_side(attempt: Attempt, setting: dict[str, Any]) -> None:
    places = widget_positions(setting)
    if min(places) <= 0 <= max(places):
        attempt.reject(
            "In the third setting all tokens must end on one side of 0.",
            f"here they lie between {min(places):.2f} and {max(places):.2f}",
            ("Without a global shift the tokens lie around 0.",)
            if not setting["max_global_shift"]
            else (),
        )
    attempt.held.append("all tokens on one side of 0")
