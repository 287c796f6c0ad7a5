"""Exercises 1 and 2: digits and one row of the encoding by hand; how many dials."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, is_blank
from posenc.kit.exercises.mistakes import Mistakes, name_mistake
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import encoding

POSITION = 11
DIGITS = (1, 1, 0, 1)  # of 11, the lowest first: 1 + 2 + 8


def _answer(**mistakes: Any) -> list[float]:
    """Digits and features, right or with a mistake in the features."""
    position = POSITION * mistakes.pop("unit", 1.0)
    return [*DIGITS, *encoding(position, 4, **mistakes)]


_MISTAKES: Mistakes = [
    (
        "Sine and cosine have changed places: the sine comes first.",
        _answer(swapped=True),
    ),
    (
        "The sines come first, then the cosines: that is the other layout.",
        _answer(layout="half"),
    ),
    (
        "The second pair has the angle 11/100 = 0.11: divide by 10000^(2/4) = 100.",
        _answer(factor=4.0),
    ),
    (
        "The second pair has the angle 11/100 = 0.11: the exponent is 2i/d = 2/4.",
        _answer(factor=1.0),
    ),
    (
        "The angles are taken in degrees. They are in radians: 11 is 1.75 turns.",
        _answer(unit=math.pi / 180),
    ),
    (
        "Both pairs have the angle 11. The second one is slower.",
        _answer(factor=0.0),
    ),
    (
        "The second pair has the angle 11/100: here it is 11 times 100. The exponent "
        "is negative.",
        _answer(inverse=True),
    ),
]


@exercise(
    "11 = 8 + 2 + 1. Which powers of two are in it? Write the lowest digit first.",
    "Four features are two pairs. Their frequencies are 10000^0 = 1 and "
    "10000^(-2/4) = 1/100, so the angles of position 11 are 11 and 0.11.",
    "The digits are 1, 1, 0, 1. The encoding is sin 11, cos 11, sin 0.11, cos 0.11, in "
    "this order: look the four numbers up in the list of the exercise.",
    asks_for="value",
    mistakes=_MISTAKES,
)
def by_hand(attempt: Attempt, rng: Any) -> None:
    """Digits of position 11, and its encoding with four features."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 8:
        got = f"{len(answer)}" if isinstance(answer, list) else attempt.kind
        attempt.reject(f"Eight numbers are wanted (4 digits, 4 features), got {got}.")
    if any(map(is_blank, answer)):
        attempt.reject("Some entries are still dots: replace each with a number.")
    digits = attempt.whole_numbers(answer[:4], (4,), "The first four entries")
    received = tuple(digits.tolist())
    if received != DIGITS:
        mistakes = (
            ("The digits are written highest first; here the lowest comes first.",)
            if received == DIGITS[::-1]
            else ()
        )
        total = sum(digit * 2**j for j, digit in enumerate(received))
        shown = f"{received} stands for {total}, not for {POSITION}"
        attempt.reject("The digits are not those of 11.", shown, mistakes)
    attempt.held.append("the four digits of 11")
    features = attempt.real_numbers(answer[4:], (4,), "The last four entries")
    right = encoding(POSITION, 4)
    if not _same(features, right):
        wrong = [f for f in range(4) if abs(features[f] - right[f]) > 0.011]
        example = "\n".join(f"feature {f} is not {features[f]:g}" for f in wrong)
        named = name_mistake([((), [*DIGITS, *features])], _MISTAKES, _same)
        attempt.reject("The encoding is not that of position 11.", example, named)
    attempt.held.append("the four features")


def _same(received: Any, right: Any) -> bool:
    """Tell whether two rows agree as far as two decimals go."""
    return bool((np.abs(np.subtract(received, right)) <= 0.011).all())


_DIAL_MISTAKES: Mistakes = [
    (
        "That is one too few: c dials tell 2^c positions apart, so count the powers "
        "of two again.",
        lambda n: max((n - 1).bit_length() - 1, 0),
    ),
    (
        "The logarithm is rounded down. If the number is no power of two, the "
        "remaining steps need one dial more.",
        lambda n: n.bit_length() - 1,
    ),
    (
        "That is one too many where the number is a power of two: the highest position "
        "is one less than the number of steps.",
        lambda n: n.bit_length(),
    ),
    (
        "The logarithm is rounded to the nearest whole number. One step more than a "
        "power of two needs one dial more.",
        lambda n: round(math.log2(n)),
    ),
    (
        "The logarithm of a floating-point number: just above a large power of two it "
        "comes out too small. Count with whole numbers.",
        lambda n: math.ceil(math.log2(n)),
    ),
    ("That is one dial for each step: but dials multiply.", lambda n: n),
]


def _dials(num_steps: int) -> int:
    k = 0
    while 2**k < num_steps:
        k += 1
    return k


@ask_for_function(
    "One dial has two states. Two dials have four together. How many do c dials have?",
    "c dials tell 2^c positions apart. So you look for the smallest c with 2^c at "
    "least as large as the number of steps.",
    "Begin with c = 0, and raise it while 2**c < num_steps. No logarithm is needed.",
    right=_dials,
    what="The result",
    problem="Another number of dials is needed.",
    example=lambda failure: (
        f"{failure.call}\n{failure.gives}: 2^{failure.right} = {2**failure.right}"
    ),
    mistakes=_DIAL_MISTAKES,
    held=["every small scale", "powers of two, and one more than they are"],
)
def dials_needed(rng: Any) -> Any:
    """How many binary dials a scale of so many steps needs."""
    cases = [*range(1, 70), 511, 512, 513, 1000, 2**20, 2**52 + 1, 2**60]
    cases += rng.integers(70, 10**6, size=10).tolist()
    return [(num_steps,) for num_steps in sorted(cases)]
