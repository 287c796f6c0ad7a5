"""Exercise 8: three numbers to find with the widgets."""

from typing import Any

import numpy as np

from .._attempt import Attempt, is_blank
from .._registry import exercise

_SENTENCE = (0, 1, 2, 2, 1, 0)  # dog bites man, man bites dog
_KEYS = ((0, 0, 0, 2), (2, 2, 0, 1), (4, 2, 0, 0))  # of the running example


def _right() -> list[int]:
    features = np.asarray(_KEYS) + 1  # elu + 1 of numbers that are not negative
    normalizer = features[list(_SENTENCE)].sum(0)
    return [4096 // 64, int(normalizer[0]), 4]


@exercise(
    "For the first, the sentence under the bars says how many times more. For the "
    "second, the last column of the state is z.",
    "For the second, slope 0 means that nothing fades. Go to the last token and point "
    "at the first entry of z.",
    "The third: the product of the lifted vectors is (q · k)². For q = (1, 1) and "
    "k = (-1, -1) the plain product is -2.",
    asks_for="value",
)
def three_numbers(attempt: Attempt, rng: Any) -> None:
    """A ratio of costs, an entry of the normalizer, and a kernel."""
    answer = attempt.ask_for_list()
    if isinstance(answer, list) and any(map(is_blank, answer)):
        attempt.reject("Some entries are still dots: replace each by a number.")
    got = attempt.whole_numbers(answer, (3,), "The list of numbers").tolist()
    right = _right()
    wrong = [i for i in range(3) if got[i] != right[i]]
    if not wrong:
        attempt.held.append("all three numbers")
        return
    mistakes = []
    if got[0] == 4096:
        mistakes.append("Question 1: that is L. The orders differ by the factor L / d.")
    if got[0] == 128:
        mistakes.append(
            "Question 1: both orders need two products, so the 2 cancels: L / d."
        )
    if got[1] == right[1] // 2:
        mistakes.append("Question 2: that is after three tokens. There are six.")
    if got[1] == sum(_KEYS[i][0] for i in _SENTENCE):
        mistakes.append(
            "Question 2: sum the features, φ(k) = k + 1 here, not the keys."
        )
    if got[2] in (-2, 2):
        mistakes.append(
            "Question 3: that is the product in the plane. The lift makes it squared."
        )
    which = ", ".join(str(i + 1) for i in wrong)
    attempt.reject(f"Not right: question {which}.", mistakes=tuple(mistakes[:1]))
