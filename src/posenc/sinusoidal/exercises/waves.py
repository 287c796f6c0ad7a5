"""Exercises 5 to 8: wavelengths, an axis to repair, a setting to find."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function
from posenc.kit.exercises.widget_answers import read_setting

_WAVE_MISTAKES: Mistakes = [
    (
        "That is 2π times the base: the wavelength that tensor2tensor's frequencies "
        "end at. The last pair is i = d/2 - 1, so its exponent is (d - 2)/d, not 1.",
        lambda d, b: 2 * math.pi * b,
    ),
    (
        "2π is missing: base^(2i/d) is the inverse of the angular frequency. A wave is "
        "through when its angle has grown by 2π.",
        lambda d, b: b ** ((d - 2) / d),
    ),
    (
        "The last pair is i = d/2 - 1, so 2i/d is (d - 2)/d; you have (d - 1)/d.",
        lambda d, b: 2 * math.pi * b ** ((d - 1) / d),
    ),
    (
        "That is the angular frequency. The wavelength is 2π divided by it.",
        lambda d, b: b ** (-(d - 2) / d),
    ),
    (
        "That is the fastest wave: pair 0. The slowest is the last.",
        lambda d, b: math.tau,
    ),
    (
        "The exponent has the wrong sign: that wave is faster than the first.",
        lambda d, b: 2 * math.pi * b ** (-(d - 2) / d),
    ),
    (
        "Half of it: a sine is through after 2π, not after π.",
        lambda d, b: math.pi * b ** ((d - 2) / d),
    ),
]


@ask_for_function(
    "Pair i turns by base^(-2i/d) radians per token. How many tokens until the angle "
    "has grown by 2π?",
    "The wavelength of pair i is 2π base^(2i/d). Which i has the last pair, if there "
    "are d/2 and the first is 0?",
    "i = d/2 - 1, so 2i/d = (d - 2)/d: the wavelength is 2π base^((d - 2)/d).",
    right=lambda d, base: 2 * math.pi * base ** ((d - 2) / d),
    what="The result",
    problem="The slowest pair turns in another time.",
    # One pair alone has no exponent, where many mistakes do not show.
    mistakes=_WAVE_MISTAKES,
    held=["a single pair", "any width and base"],
    close=lambda received, right: np.isclose(received, right, rtol=1e-5, atol=0),
)
def slowest_wavelength(rng: Any) -> Any:
    """Tokens in which the slowest pair turns once."""
    cases = [(2, 10_000.0), (4, 100.0), (4, 10_000.0), (512, 10_000.0)]
    for d in rng.integers(2, 400, size=6).tolist():
        cases.append((2 * d, float(rng.integers(2, 10**6))))
    return cases


def _first_repeat(period: int, with_cosine: bool) -> int:
    """Try all positions, with angles in units of a whole turn divided by 2 `period`."""
    n = 1
    while True:
        for m in range(n):
            same_way = (n - m) % period == 0
            mirrored = (2 * (n + m)) % (2 * period) == period
            if same_way or (mirrored and not with_cosine):
                return n
        n += 1


_REPEAT_MISTAKES: Mistakes = [
    (
        "The mirrored hands are missing: at two positions of which one is as far up as "
        "the other is down, the sine is the same, and the cosine is not.",
        lambda period, with_cosine: period,
    ),
    (
        "The cosine tells mirrored hands apart: with it, only whole turns count.",
        lambda period, with_cosine: _first_repeat(period, False),
    ),
    (
        "Half a period is where the sine of position 0 is back. Other positions meet "
        "earlier: m + n can be half a period for other pairs, too.",
        lambda period, with_cosine: (
            period if with_cosine or period % 2 else period // 2
        ),
    ),
    (
        "Half a period, rounded down, is where the sine of position 0 is back only if "
        "the period is even. Other positions meet earlier then, and for an odd period "
        "none are mirrored: m + n would have to be half of an odd number.",
        lambda period, with_cosine: period if with_cosine else period // 2,
    ),
    (
        "For an odd period, m + n would have to be half of an odd number, but it is "
        "whole: there are no mirrored hands then.",
        lambda period, with_cosine: period if with_cosine else period // 4 + 1,
    ),
    (
        "m and n must be two positions. Where the hand points right, at a quarter of "
        "the period, it is its own mirror image.",
        lambda period, with_cosine: (
            period if with_cosine or period % 2 else max(-(-period // 4), 1)
        ),
    ),
]


@ask_for_function(
    "Draw a dial with 8 positions. At which of them is the hand equally far right?",
    "Hands that point the same way are whole periods apart. For mirrored hands m + n "
    "is half a period, or one and a half, and so on. Which is the smallest n > m?",
    "With the cosine, or for an odd period, it is the period. Else m + n is half of "
    "the period, and n the first whole number above a quarter of it.",
    right=_first_repeat,
    what="The position",
    problem="An earlier value comes back at another position.",
    mistakes=_REPEAT_MISTAKES,
    held=["sine and cosine", "the sine alone, for odd and for even periods"],
)
def first_repeat(rng: Any) -> Any:
    """Position at which a sine, or a sine and its cosine, first comes back."""
    periods = [8, 7, 6, 4, 10, 12, *rng.integers(13, 60, size=4).tolist(), 1, 2, 602]
    return [(period, cosine) for period in periods for cosine in (False, True)]


_BATCH = (
    "Every token of a sentence gets the same vector: that of the sentence's number in "
    "the batch. The table must be sliced by the length of the sentences, axis 1."
)
_ADDING_MISTAKES: Mistakes = [
    (_BATCH, lambda x, table: x + table[: x.shape[0]][:, None, :]),
    (
        "Every token gets the vector of position 0.",
        lambda x, table: x + table[0],
    ),
    (
        "The positions begin at 1 here. The first token stands at position 0.",
        lambda x, table: x + table[1 : x.shape[1] + 1],
    ),
    (
        "The table is turned around: the last token gets the vector of position 0.",
        lambda x, table: x + table[: x.shape[1]][::-1],
    ),
    (
        "The embeddings are lost: the encoding is to be added to them.",
        lambda x, table: np.broadcast_to(table[: x.shape[1]], x.shape),
    ),
]


def _added(x: Any, table: Any) -> Any:
    out = np.empty(x.shape)
    for sentence, token in np.ndindex(x.shape[:2]):
        out[sentence, token] = x[sentence, token] + table[token]
    return out


def _show_sum(failure: Failure) -> str:
    (x, table), (sentence, token, _) = failure.args, failure.entry
    return (
        f"x of shape {x.shape}, table of shape {table.shape}\n"
        f"token {token} of sentence {sentence}: adds "
        f"{(failure.received - x)[sentence, token].round(3)}, should add "
        f"{table[token].round(3)}"
    )


@ask_for_function(
    "Add the encoding to zeros of shape (2, 3, 4) and print the result. What do the "
    "three tokens of a sentence have in common?",
    "x has the axes batch, token, feature. Which of them counts positions, and which "
    "one does the function slice by?",
    "table[: x.shape[1]] has shape (seq_len, d_model); added to x it is repeated for "
    "every sentence of the batch, which is what is wanted.",
    right=_added,
    what="The result",
    problem="A token gets the vector of another position.",
    example=_show_sum,
    mistakes=_ADDING_MISTAKES,
    held=[
        "every token gets the vector of its own position",
        "every sentence of a batch gets the same",
    ],
)
def repair_adding(rng: Any) -> Any:
    """Repair a module that adds the encoding along the wrong axis."""
    shapes = [(1, 1, 2), (2, 2, 2), (2, 3, 4), (3, 2, 4), (1, 5, 2), (6, 4, 2)]
    return [
        (
            rng.integers(-3, 4, size=shape).astype(np.float64),
            rng.normal(size=(9, shape[-1])),
        )
        for shape in shapes
    ]


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
