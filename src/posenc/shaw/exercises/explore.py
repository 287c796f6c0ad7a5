"""Exercise 8: two settings to find with the widget."""

from typing import Any

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.settings import check_ranges, read_setting

from . import oracle

_RANGES = {"length": (1, 100), "max_distance": (0, 100)}


@exercise(
    "First part: read the note with the circle, and make k larger than the sentence "
    "needs. Second part: set the query to 4, and watch the last note.",
    "First part: a sentence of L words has 2L - 1 relative positions, and the table "
    "has 2k + 1 rows. Second part: k decides about the left side alone.",
    "First part: any k = length. Second part: keys 0, 1 and 2 must share the leftmost "
    "vector, so k = 2; then count the keys from 6 on.",
    asks_for="value",
)
def find_settings(attempt: Attempt, rng: Any) -> None:
    """Two settings with a given property, found with the widget."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(f"The answer is a list of two settings, got {attempt.kind}.")
    length, k = _read(attempt, "first", answer[0])
    used = {int(x) for x in oracle.index(length, length, k).ravel()}
    unused = 2 * k + 1 - len(used)
    if unused != 2:
        attempt.reject(
            "Exactly two vectors must be unused.",
            f"Your first setting has {2 * k + 1} vectors and leaves {unused} unused.",
            ("k is the largest distance in the sentence: all vectors are used then.",)
            if k == length - 1
            else (),
        )
    attempt.held.append("exactly two vectors are never used")
    length, k = _read(attempt, "second", answer[1])
    if length <= 4:
        attempt.reject("Your second setting has no query 4: it needs more words.")
    rows = oracle.index(length, length, k)[4].tolist()
    left, right = rows.count(0), rows.count(2 * k)
    if (left, right) != (3, 5):
        attempt.reject(
            "Query 4 must use the leftmost vector for three keys and the rightmost for "
            "five.",
            f"Your second setting: leftmost for {left}, rightmost for {right}.",
            _mistakes(left, right),
        )
    attempt.held.append("query 4 shares vectors as asked")


def _mistakes(left: int, right: int) -> tuple[str, ...]:
    if (left, right) == (5, 3):
        return ("Left and right are exchanged: left are the keys before the query.",)
    if left == 2:
        return ("k is one too large: the key at distance k itself shares the vector.",)
    if left == 4:
        return ("k is one too small: the keys nearer than k have their own vectors.",)
    return ()


def _read(attempt: Attempt, which: str, value: Any) -> tuple[int, int]:
    what = f"The {which} setting"
    setting = read_setting(attempt, what, value, _RANGES)
    check_ranges(attempt, what, setting, _RANGES)
    return setting["length"], setting["max_distance"]
