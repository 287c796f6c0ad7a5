"""Exercise 8: three settings to find with the widget."""

from typing import Any

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.settings import check_ranges, read_settings

from .oracle import reach, slopes

_NAMES = ("num_heads", "head", "length")
_STEEP = 0.9
_RANGES = {"num_heads": (1, 64), "head": (1, 64), "length": (2, 2048)}


@exercise(
    "First part: choose a number of heads that is no power of two, and look at the "
    "diamonds. When does the first of them move up?",
    "Second part: read the third sentence under the pictures while you move the head. "
    "The reach doubles when the slope halves.",
    "Third part: a head sees all tokens alike if its slope times the length is small.",
    asks_for="value",
)
def find_settings(attempt: Attempt, rng: Any) -> None:
    """Three settings with a given property, found with the widget."""
    found = []
    for what, setting in read_settings(attempt, _NAMES):
        check_ranges(attempt, what, setting, _RANGES)
        if setting["head"] > setting["num_heads"]:
            attempt.reject(f"{what} has no such head: heads count from 1 to num_heads.")
        found.append(setting)
    _judge_steeper(attempt, found[0])
    _judge_reach(attempt, found[1])
    _judge_flat(attempt, found[2])


def _slope(setting: dict[str, Any]) -> float:
    return slopes(setting["num_heads"])[setting["head"] - 1]


def _judge_steeper(attempt: Attempt, setting: dict[str, Any]) -> None:
    first = slopes(setting["num_heads"])[0]
    if _slope(setting) <= max(first, _STEEP):
        attempt.reject(
            "In the first setting the head must be steeper than head 1, with a slope "
            f"above {_STEEP}.",
            f"head {setting['head']} has slope {_slope(setting):g}, head 1 {first:g}",
            _steeper_mistakes(setting["num_heads"], _slope(setting) > first),
        )
    attempt.held.append(f"slope {_slope(setting):.3g}, steeper than head 1")


def _steeper_mistakes(num_heads: int, steeper: bool) -> tuple[str, ...]:
    if num_heads & (num_heads - 1) == 0:
        return ("The number of heads is a power of two: head 1 is the steepest then.",)
    if steeper:
        return ("It is steeper than head 1, but more heads are needed.",)
    return ()


def _judge_reach(attempt: Attempt, setting: dict[str, Any]) -> None:
    distance = reach(_slope(setting), 0.9, setting["length"])
    if setting["length"] < 512 or not 100 <= distance <= 110:
        attempt.reject(
            "In the second setting 90 % of the weight must lie within 100 to 110 "
            "tokens, of at least 512.",
            f"it lies within {distance}, of {setting['length']}",
            _reach_mistakes(_slope(setting), distance),
        )
    attempt.held.append(f"90 % of the weight within {distance} tokens")


def _reach_mistakes(slope: float, distance: int) -> tuple[str, ...]:
    if 100 <= distance <= 110:
        return ("The reach is fine, but the text is too short.",)
    side = "flatter" if distance < 100 else "steeper"
    return (
        "In long texts, 90 % of the weight lies within about 2.3 / slope tokens: look "
        f"for a head {side} than yours, whose slope is {slope:.3f}.",
    )


def _judge_flat(attempt: Attempt, setting: dict[str, Any]) -> None:
    length, half = setting["length"], reach(_slope(setting), 0.5, setting["length"])
    if length < 32 or half < 0.45 * length:
        attempt.reject(
            "In the third setting the nearer half of at least 32 tokens must hold "
            "hardly more than half of the weight.",
            f"half of the weight lies within {half} of {length} tokens already",
        )
    attempt.held.append(f"half of the weight within {half} of {length} tokens")
