"""Exercise 4: one linear layer that reads a position off a mean."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.registry import exercise

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
