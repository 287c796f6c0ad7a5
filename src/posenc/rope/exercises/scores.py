"""Exercises 3 to 5: what leaves the scores, their waves, and the spread."""

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
        "Mirrored positions reverse the sign of every difference, and "
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
    said = "you say that it changes some", "you say that it leaves every score"
    _judge(attempt, _STATEMENTS, said)
    attempt.held.append("all seven changes")


def _judge(
    attempt: Attempt, statements: tuple[tuple[bool, str], ...], said: tuple[str, str]
) -> None:
    """Reject unless each entry is True or False as its statement is."""
    answer = attempt.ask_for_list()
    count = len(statements)
    if not isinstance(answer, list) or len(answer) != count:
        attempt.reject(f"A list of {count} entries is wanted, got {attempt.kind}.")
    if not all(isinstance(entry, bool | np.bool_) for entry in answer):
        attempt.reject("Each entry must be True or False.")
    wrong = [i for i in range(count) if bool(answer[i]) != statements[i][0]]
    if wrong:
        letters = ", ".join("abcdefg"[i] for i in wrong)
        lines = [f"{'abcdefg'[i]}: {said[bool(answer[i])]}" for i in wrong]
        reasons = tuple(f"({'abcdefg'[i]}) {statements[i][1]}" for i in wrong)
        attempt.reject(f"Not right: {letters}.", "\n".join(lines), reasons)


def _waves(q: Any, k: Any, *, conjugate: bool = True, sign: int = 1) -> Any:
    """Cosines' and sines' coefficients of all planes, from complex numbers."""
    planes = []
    for i in range(0, len(q), 2):
        other = complex(k[i], -k[i + 1] if conjugate else k[i + 1])
        product = complex(q[i], q[i + 1]) * other
        planes.append((product.real, sign * product.imag))
    return np.asarray(planes).T


def _halves(q: Any, k: Any) -> Any:
    h = len(q) // 2
    q, k = (np.stack([x[:h], x[h:]], axis=1).ravel() for x in (q, k))
    return _waves(q, k)


def _length_and_angle(q: Any, k: Any) -> Any:
    alpha, beta = _waves(q, k)
    return np.stack([np.hypot(alpha, beta), np.arctan2(beta, alpha)])


_UNCONJUGATED = (
    "The key turns the wrong way, or is not conjugated: angles add up instead of being "
    "subtracted. At r = 0 the score must be the dot product."
)
_MISTAKES: Mistakes = [
    (
        "The sign of beta is reversed. These are the waves in m - n; here r is n - m.",
        lambda q, k: _waves(q, k, sign=-1),
    ),
    (_UNCONJUGATED, lambda q, k: _waves(q, k, conjugate=False)),
    (_UNCONJUGATED, lambda q, k: _waves(q, k, conjugate=False, sign=-1)),
    (
        "The rows have changed places: first the coefficients of the cosines.",
        lambda q, k: _waves(q, k)[::-1],
    ),
    (
        "The rows have changed places, and the sign of beta is reversed.",
        lambda q, k: _waves(q, k, sign=-1)[::-1],
    ),
    (
        "Rows and columns are exchanged: the first row is alpha, the second beta.",
        lambda q, k: _waves(q, k).T,
    ),
    (
        "These are half-split pairs, features i and i + d/2. Here neighbors are a "
        "pair: 2i and 2i + 1.",
        _halves,
    ),
    (
        "Both are summed over the planes. Each plane has a speed of its own, so it "
        "keeps its own two waves.",
        lambda q, k: _waves(q, k).sum(axis=1),
    ),
    (
        "The sines are missing: beta is zero. Then keys before and after the query "
        "would have the same score.",
        lambda q, k: _waves(q, k) * [[1], [0]],
    ),
    (
        "These are the length and the angle of each plane's wave. Write it as a cosine "
        "and a sine, each with its coefficient.",
        _length_and_angle,
    ),
    (
        "A complex number holds both at once: of q times the conjugate of k, alpha is "
        "the real part and beta the imaginary part.",
        lambda q, k: (q[0::2] + 1j * q[1::2]) * (k[0::2] - 1j * k[1::2]),
    ),
]


@ask_for_function(
    "Only the difference of positions counts. So the query may stay as it is, and the "
    "key of each plane is turned by r theta.",
    "Turned, the key (k_x, k_y) is (k_x cos - k_y sin, k_x sin + k_y cos). Take its "
    "dot product with (q_x, q_y), and sort by cos and sin.",
    "alpha = q_x k_x + q_y k_y and beta = q_y k_x - q_x k_y. Features 0, 2, 4, … are "
    "the x, features 1, 3, 5, … the y of the planes.",
    right=_waves,
    what="The result",
    problem="A coefficient is wrong.",
    mistakes=_MISTAKES,
    properties=[
        (
            "the dot product at r = 0",
            lambda rows, q, k: close(rows[0].sum(), np.dot(q, k)),
        )
    ],
    held=["keys before and after the query"],
    axes="(2, d / 2)",
    close=close,
)
def score_of_offset(rng: Any) -> Any:
    """Waves in the relative position whose sum is the score of a query and a key."""
    cases = [(np.asarray([1.0, 2.0]), np.asarray([3.0, -1.0]))]
    for d in (2, 4, 6, 16):
        cases.append(tuple(np.round(rng.normal(size=(2, d)), 1)))
    return cases


_CONTENTS = (
    (
        True,
        "Turned by any angle, two independent normal numbers with mean 0 and one "
        "variance are such numbers again. Planes do not mix, so theirs may differ.",
    ),
    (True, "It is enough that the key, turned by any angle, is drawn as before."),
    (
        False,
        "At distance 0 the score is the squared length of q. Farther on it is the real "
        "part of a sum of arrows that have turned away.",
    ),
    (
        True,
        "An angle that is drawn evenly from the circle is drawn evenly after any turn.",
    ),
    (
        False,
        "The corners of a square, turned by 45 degrees, are no longer its corners: "
        "take q = (1, 0). Mean and variance stay, the distribution does not.",
    ),
    (False, "The mean of the keys points somewhere, and it turns with the distance."),
    (
        False,
        "A turn by 50 places is undone at one distance and at no other: the score is "
        "the squared length of q there.",
    ),
)


@exercise(
    "The score at one more token is that of the same query and the key, turned once. "
    "Is a turned key drawn like one that is not turned?",
    "It need not have all directions of the whole space alike. It is enough if every "
    "plane has all its directions alike, whatever the other planes do.",
    "Three of the seven have the same distribution at every distance.",
    asks_for="value",
)
def same_spread(attempt: Attempt, rng: Any) -> None:
    """Seven ways to draw a query and a key: where distance leaves the distribution."""
    said = "you say that distance changes it", "you say that it stays the same"
    _judge(attempt, _CONTENTS, said)
    attempt.held.append("all seven ways to draw")
