"""Exercise 6: two mistakes in the augmentation of a padded batch."""

from typing import Any

import numpy as np

from .._attempt import Attempt, name_mistake, one_of
from .._registry import exercise
from .oracle import all_close, close, move

_PADDING = (
    "Padding counts for the mean: the same sequence moves when its batch gets longer. "
    "The mean must be that of the tokens."
)
_LINEAR = (
    "The scale is not drawn evenly between shrinking and growing: it runs through "
    "1 + (max_scale - 1) u, and for max_scale 2 that reaches 0, where all tokens fall "
    "together. Its logarithm must be uniform: max_scale ** u."
)
_ONE_JITTER = "All tokens get the same jitter: then it is a second shift."


def _judged(
    arguments: Any, *, padded: bool = False, linear: bool = False, one: bool = False
) -> Any:
    positions, mask, shift, scale, jitter, maxima = arguments
    factor = maxima[2] ** scale
    if linear:
        factor = 1 + (maxima[2] - 1) * scale
    own = maxima[1] * (jitter[:, :1] + 0 * jitter if one else jitter)
    return move(positions, mask, maxima[0] * shift, factor, own, padded_mean=padded)


_RULES: dict[str, dict[str, Any]] = {
    _PADDING: {"padded": True},
    _LINEAR: {"linear": True},
    _ONE_JITTER: {"one": True},
}


def _explain(received: Any) -> tuple[str, ...]:
    """Mistakes, one or two, that give just these positions."""
    cases = [((arguments,), values) for arguments, values in received]
    single = [
        (words, lambda a, r=rule: _judged(a, **r)) for words, rule in _RULES.items()
    ]
    found = name_mistake(cases, single, all_close)
    if found:
        return found
    both = [("", lambda a: _judged(a, padded=True, linear=True))]
    return (_PADDING, _LINEAR) if name_mistake(cases, both, all_close) else ()


@exercise(
    "Call it with one sequence, then with the same sequence and some padding behind "
    "it. The positions of its tokens should not change.",
    "Then look at the scale for unit_scale = -1, with max_scale = 2. How far apart are "
    "the tokens?",
    "Two lines are wrong: the mean (count tokens only) and the scale (its logarithm is "
    "uniform).",
)
def repair_augmentation(attempt: Attempt, rng: Any) -> None:
    """Find and repair two mistakes in the augmentation of a padded batch."""
    one = np.asarray([0.5])
    first = np.asarray([[0.0, 1.0]]), np.asarray([[True, True]])
    noise = one, -one, np.asarray([[0.5, -0.5]])
    attempt.choose_style(("numpy", "torch"), *first, *noise, maxima=(1.0, 0.5, 2.0))
    received: list[tuple[tuple[Any, ...], Any]] = []
    for rows, length, padded in ((1, 3, 0), (1, 4, 2), (3, 6, 3)):
        lengths = length - rng.integers(0, padded + 1, size=rows)
        lengths[0] = length - padded
        maxima = (3.0, 0.5, 2.0) if rows == 1 else (5.0, 0.25, 1.5)
        scale = rng.uniform(-1, 1, size=rows).round(2)
        scale[0] = -1.0  # the smallest
        arguments = (
            np.tile(np.arange(float(length)), (rows, 1)),
            np.arange(length) < lengths[:, None],
            rng.uniform(-1, 1, size=rows).round(2),
            scale,
            rng.uniform(-1, 1, size=(rows, length)).round(2),
        )
        answer = attempt.ask(*arguments, maxima=maxima)
        values = attempt.real_numbers(answer, (rows, length), "The result")
        received.append(((*arguments, maxima), values))
    for arguments, values in received:
        right = _judged(arguments)
        wrong = np.argwhere(~close(values, right))
        if wrong.size:
            b, j = wrong[0].tolist()
            call = attempt.call_text(*arguments[:-1], maxima=arguments[-1])
            attempt.reject(
                "A position is not the right one.",
                f"{call}\nsequence {b}, token {j}: gives {values[b, j]:.4g}, should be "
                f"{right[b, j]:.4g}",
                one_of(_explain(received)),
            )
    attempt.held += ["a full sequence", "padding", "a batch", "the smallest scale"]
