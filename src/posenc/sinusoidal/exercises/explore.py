"""Exercise 8: a setting and a position to find with the widget."""

import math
from typing import Any

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.settings import read_setting


@exercise(
    "First part: the notes under the picture say in how many tokens the slowest pair "
    "turns once. 500 positions hold two to three turns if that is between 167 and 250.",
    "A smaller base makes the slowest pair faster; fewer features do so too. Second "
    "part: with 100 positions, walk down feature 1 (the first cosine) and look for "
    "values close to 1; then look at feature 0 there.",
    "First part: try base 1,000 with few features, or base 100 with some more. Second "
    "part: the hand is back at multiples of 6.2832. Which one is nearly whole first?",
    asks_for="value",
)
def find_turns(attempt: Attempt, rng: Any) -> None:
    """Find a setting with two to three slow turns, and where the fast hand returns."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(
            f"The answer is a list of a setting and a position, got {attempt.kind}."
        )
    d, base = _read_setting(attempt, answer[0])
    wavelength = 2 * math.pi * base ** ((d - 2) / d)
    turns = 500 / wavelength
    if not 2 <= turns <= 3:
        attempt.reject(
            "Within 500 positions the slowest pair must turn two to three times.",
            f"with d_model={d}, base={base:g} it turns once in {wavelength:.4g} "
            f"tokens: {turns:.3g} times",
            ("That counts radians. A turn is 2π of them.",)
            if 2 <= 2 * math.pi * turns <= 3
            else (),
        )
    attempt.held.append("the slowest pair turns two to three times in 500 positions")
    _check_position(attempt, answer[1])
    attempt.held.append("the first position at which the fast hand is back")


def _check_position(attempt: Attempt, value: Any) -> None:
    if is_blank(value):
        attempt.reject("The position is still to be found.")
    m = int(attempt.whole_numbers(value, (), "The position"))
    if m == 0:
        attempt.reject("Position 0 is where the hand starts: look for a later one.")
    if m < 0 or _from_start(m) > 0.02:
        attempt.reject(
            "The fast hand is not back at that position.",
            f"sin {m} = {math.sin(m):.3f} and cos {m} = {math.cos(m):.3f}: "
            f"{_from_start(m):.3f} away from 0 and 1",
            _mistakes(m),
        )
    first = next(n for n in range(1, m + 1) if _from_start(n) <= 0.02)
    if m != first:
        attempt.reject(
            "It is back there, but that is not the first time.",
            f"at position {m} it is {_from_start(m):.3f} away from 0 and 1; at an "
            "earlier one, too, it is nearer than 0.02",
        )


def _mistakes(m: int) -> tuple[str, ...]:
    if m > 0 and m % 360 == 0:
        return ("That is a turn in degrees. The angle m is in radians.",)
    if math.cos(m) < -0.99:
        return ("The hand is at the other end of its dial there: its cosine is -1.",)
    if math.cos(m) > 0.9:
        return ("That is near a turn, but more than 0.02 away: look farther on.",)
    return ()


def _from_start(m: int) -> float:
    return math.hypot(math.sin(m), math.cos(m) - 1)


def _read_setting(attempt: Attempt, value: Any) -> tuple[int, float]:
    setting = read_setting(attempt, "The setting", value, ("d_model", "base"))
    d = int(attempt.whole_numbers(setting["d_model"], (), "d_model"))
    base = float(attempt.real_numbers(setting["base"], (), "base"))
    if d < 2 or d % 2 or d > 4096:
        attempt.reject(f"d_model must be even, from 2 to 4096, got {d}.")
    if not 1 < base <= 1e9:
        attempt.reject(f"base must be more than 1 and at most 1e9, got {base:g}.")
    return d, base
