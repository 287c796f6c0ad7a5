"""Exercise 7: three settings to find with the widget."""

from typing import Any

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.settings import check_ranges, read_settings

from .oracle import (
    DRAWS,
    JITTERS,
    MOST_TOKENS,
    SCALES,
    SHIFTS,
    swapped,
    widget_positions,
)

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
    found = []
    for what, setting in read_settings(attempt, _NAMES):
        setting = {k: _whole(v) if k in _RANGES else v for k, v in setting.items()}
        check_ranges(attempt, what, setting, _RANGES)
        for name, choices in _CHOICES.items():
            if setting[name] not in choices:
                attempt.reject(
                    f"{name} of {what.lower()} must be one of the widget's: "
                    f"{', '.join(f'{c:g}' for c in choices)}."
                )
        found.append(setting)
    _judge_kept(attempt, found[0])
    _judge_lost(attempt, found[1])
    _judge_side(attempt, found[2])


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
