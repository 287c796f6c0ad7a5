"""Exercise 9: planes to count with the widget of the clocks."""

import math
from typing import Any

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.registry import exercise

_TRAINED, _HEAD_DIM = 2048, 64


def _turns(base: float) -> list[float]:
    planes = range(_HEAD_DIM // 2)
    return [_TRAINED * base ** (-2 * i / _HEAD_DIM) / (2 * math.pi) for i in planes]


def _right() -> list[int]:
    return [
        sum(t < 1 for t in _turns(10_000.0)),
        sum(t < 1 for t in _turns(500_000.0)),
        sum(t >= 32 for t in _turns(10_000.0)),
    ]


@exercise(
    "The first line of facts under the clocks counts the planes of question 1 and 2.",
    "For question 3, open “The same as text” and compare the columns “trained” and "
    "“now” with YaRN chosen.",
    "By formula: plane i makes 2048 / (2 pi) * base ** (-i / 32) turns. Count those "
    "below 1, and those of at least 32.",
    asks_for="value",
)
def count_planes(attempt: Attempt, rng: Any) -> None:
    """Slow planes for two bases, and the planes that YaRN keeps."""
    answer = attempt.ask_for_list()
    if isinstance(answer, list) and any(map(is_blank, answer)):
        attempt.reject("Some entries are still dots: replace each by a number.")
    got = attempt.whole_numbers(answer, (3,), "The list of counts").tolist()
    right = _right()
    wrong = [i for i in range(3) if got[i] != right[i]]
    if not wrong:
        attempt.held.append("all three counts")
        return
    planes = _HEAD_DIM // 2
    mistakes = []
    if got[0] == planes - right[0] or got[1] == planes - right[1]:
        mistakes.append("These planes do finish a round. Count the others.")
    if got[2] == right[2] - 1:
        mistakes.append("Planes are counted from 0: 0 to 8 are nine planes.")
    if got[:2] == right[1::-1]:
        mistakes.append("The two bases are swapped: a larger base is slower.")
    if got[2] == sum(t > 1 for t in _turns(10_000.0)):
        mistakes.append(
            "That counts every plane that finishes a round. YaRN keeps only those with "
            "at least 32 rounds as they are."
        )
    which = ", ".join(str(i + 1) for i in wrong)
    attempt.reject(f"Not right: question {which}.", mistakes=tuple(mistakes[:1]))
