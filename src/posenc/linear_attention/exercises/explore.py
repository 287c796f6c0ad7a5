"""Exercise 8: three numbers to find with the widgets."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.registry import exercise

_SENTENCE = (0, 1, 2, 2, 1, 0)  # dog bites man, man bites dog
_KEYS = ((0, 0, 0, 2), (2, 2, 0, 1), (4, 2, 0, 0))  # of the running example


def _right() -> list[int]:
    features = np.asarray(_KEYS) + 1  # elu + 1 of numbers that are not negative
    normalizer = features[list(_SENTENCE)].sum(0)
    return [4096 // 64, int(normalizer[0]), 4]


#: Number of the question, a wrong answer, and what it shows.
_WRONG = (
    (1, 4096, "Question 1: that is L. The orders differ by the factor L / d."),
    (1, 128, "Question 1: both orders need two products, so the 2 cancels: L / d."),
    (
        2,
        _right()[1] // 2,
        "Question 2: that is after three tokens. There are six.",
    ),
    (
        2,
        sum(_KEYS[i][0] for i in _SENTENCE),
        "Question 2: sum the features, φ(k) = k + 1 here, not the keys.",
    ),
    (
        3,
        -2,
        "Question 3: that is the product in the plane. The lift makes it squared.",
    ),
    (
        3,
        2,
        "Question 3: that is the product in the plane. The lift makes it squared.",
    ),
)


def _instead(question: int, number: int) -> list[int]:
    answers = _right()
    answers[question - 1] = number
    return answers


@exercise(
    "For the first, the sentence under the bars says how many times more. For the "
    "second, the last column of the state is z.",
    "For the second, slope 0 means that nothing fades. Go to the last token and point "
    "at the first entry of z.",
    "The third: the product of the lifted vectors is (q · k)². For q = (1, 1) and "
    "k = (-1, -1) the plain product is -2.",
    asks_for="value",
    mistakes=[(told, _instead(question, number)) for question, number, told in _WRONG],
)
def three_numbers(attempt: Attempt, rng: Any) -> None:
    """A ratio of costs, an entry of the normalizer, and a kernel."""
    answer = attempt.ask_for_list()
    if isinstance(answer, list) and any(map(is_blank, answer)):
        attempt.reject("Some entries are still dots: replace each by a number.")
    got = attempt.whole_numbers(answer, (3,), "The list of numbers").tolist()
    wrong = [i + 1 for i, right in enumerate(_right()) if got[i] != right]
    if wrong:
        named = [told for question, n, told in _WRONG if got[question - 1] == n]
        which = ", ".join(map(str, wrong))
        attempt.reject(f"Not right: question {which}.", mistakes=tuple(named[:1]))
    attempt.held.append("all three numbers")
