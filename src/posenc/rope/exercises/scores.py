"""Exercises 3 and 4: which changes leave the scores, and the score of an offset."""

import cmath
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import close

_STATEMENTS = (
    (True, "Only differences of positions count, and these stay."),
    (False, "Doubling the positions doubles the differences, too."),
    (
        False,
        "Mirrored positions turn the sign of every difference over, and "
        "cos(a - b) is not cos(a + b).",
    ),
    (
        True,
        "Mirrored and conjugated, the whole product becomes its own conjugate, and "
        "that has the same real part.",
    ),
    (True, "Both are turned by the same angle, so the angle between them stays."),
    (False, "Times i turns the queries alone: the angle to every key changes."),
    (True, "The score has one factor from each, and 2 times 1/2 is 1."),
)


@exercise(
    "The score is the real part of a sum of q times the conjugate of k times "
    "e^(i (m - n) theta). What does each change do to these three factors?",
    "The conjugate of a product is the product of the conjugates, and a number and its "
    "conjugate have the same real part.",
    "Four of the seven leave every score as it is.",
    asks_for="value",
)
def which_stay(attempt: Attempt, rng: Any) -> None:
    """Seven changes of queries, keys and positions: which leave all scores."""
    answer = attempt.ask_for_list()
    count = len(_STATEMENTS)
    if not isinstance(answer, list) or len(answer) != count:
        attempt.reject(f"A list of {count} entries is wanted, got {attempt.kind}.")
    if not all(isinstance(entry, bool | np.bool_) for entry in answer):
        attempt.reject("Each entry must be True or False.")
    wrong = [i for i in range(count) if bool(answer[i]) != _STATEMENTS[i][0]]
    if wrong:
        letters = ", ".join("abcdefg"[i] for i in wrong)
        said = {
            True: "you say that it leaves every score",
            False: "you say that it changes some",
        }
        lines = [f"{'abcdefg'[i]}: {said[bool(answer[i])]}" for i in wrong]
        reasons = tuple(f"({'abcdefg'[i]}) {_STATEMENTS[i][1]}" for i in wrong)
        attempt.reject(f"Not right: {letters}.", "\n".join(lines), reasons)
    attempt.held.append("all seven changes")


def _score(
    q: Any, k: Any, r: float, theta: Any, *, sign: int = -1, conjugate: bool = True
) -> complex:
    total = 0j
    for a, b, speed in zip(q, k, theta, strict=True):
        other = complex(b).conjugate() if conjugate else complex(b)
        total += complex(a) * other * cmath.exp(sign * 1j * r * speed)
    return total


_MISTAKES: Mistakes = [
    (
        "The sign of r is turned over. r is n - m, and the score holds "
        "e^(i (m - n) theta).",
        lambda q, k, r, theta: _score(q, k, r, theta, sign=1).real,
    ),
    (
        "The key is not conjugated: angles add up instead of being subtracted.",
        lambda q, k, r, theta: _score(q, k, r, theta, conjugate=False).real,
    ),
    (
        "That is the imaginary part. The dot product is the real part.",
        lambda q, k, r, theta: _score(q, k, r, theta).imag,
    ),
    (
        "That is the length of the complex number. The dot product is its real part.",
        lambda q, k, r, theta: abs(_score(q, k, r, theta)),
    ),
    (
        "That is the mean over the planes. The dot product is their sum.",
        lambda q, k, r, theta: _score(q, k, r, theta).real / len(q),
    ),
    (
        "The relative position does nothing: this is the score at r = 0.",
        lambda q, k, r, theta: _score(q, k, 0, theta).real,
    ),
]


@ask_for_function(
    "Turn both: q e^(i m theta) and k e^(i n theta). Multiply the first by the "
    "conjugate of the second.",
    "The conjugate of k e^(i n theta) is conj(k) e^(-i n theta). What is left of m and "
    "n together?",
    "Sum over the planes of q times conj(k) times e^(-i r theta); the score is the "
    "real part.",
    right=lambda q, k, r, theta: _score(q, k, r, theta).real,
    what="The score",
    problem=lambda f: f"The score at relative position {f.args[2]} is another one.",
    mistakes=_MISTAKES,
    held=["the dot product at r = 0", "keys before and after the query"],
    example=lambda f: (
        f"{f.call}\ngives {float(f.received):.4g}, should be {f.right:.4g}"
    ),
    close=close,
)
def score_of_offset(rng: Any) -> Any:
    """Score of a query and a key from their relative position alone."""
    cases = []
    for pairs, r in [
        (1, 0),
        (1, 1),
        (1, 3),
        (2, -2),
        (4, 7),
        (8, int(rng.integers(10, 90))),
        (2, 700),
        (2, -700),
        (1, 40_000),
    ]:
        parts = np.round(rng.normal(size=(4, pairs)), 1)
        q, k = parts[0] + 1j * parts[1], parts[2] + 1j * parts[3]
        cases.append((q, k, r, np.round(1 / 10.0 ** np.arange(pairs), 8)))
    return cases
