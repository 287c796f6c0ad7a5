"""Exercises 1 to 4: a row by hand, how many dials, the encoding in code."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt, WrongError, is_blank
from posenc.kit.exercises.mistakes import Case, Mistakes, case, name_mistake
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import encoding

POSITION = 11
DIGITS = (1, 1, 0, 1)  # of 11, the lowest first: 1 + 2 + 8


def _answer(**mistakes: Any) -> list[float]:
    """Return digits and features, right or with a mistake in the features."""
    position = POSITION * mistakes.pop("unit", 1.0)
    return [*DIGITS, *encoding(position, 4, **mistakes)]


_HAND_MISTAKES: Mistakes = [
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
    mistakes=_HAND_MISTAKES,
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
        named = name_mistake([((), [*DIGITS, *features])], _HAND_MISTAKES, _same)
        attempt.reject("The encoding is not that of position 11.", example, named)
    attempt.held.append("the four features")


def _same(received: Any, right: Any) -> bool:
    """Return True if two rows agree to two decimals."""
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


_FAR = 2.0**20 + 3
#: An angle with 32 bits near _FAR is off by far more.
_TOLERANCE = 1e-5
_FLOAT32 = (
    "The angles have 32 bits. Near position 2^20 neighboring numbers of 32 bits are "
    "up to 1/8 radian apart: form the angle in float64 and take its sine there."
)


def _other_layout(*args: Any, layout: str = "interleaved", **options: Any) -> Any:
    other = "half" if layout == "interleaved" else "interleaved"
    return encoding(*args, layout=other, **options)


def _in_float32(
    positions: Any, d_model: int, base: float = 10_000.0, layout: str = "interleaved"
) -> Any:
    """Encode as usual code does, with angles of 32 bits."""
    positions = np.asarray(positions, np.float32)
    i = np.arange(d_model // 2, dtype=np.float32)
    theta = np.float32(base) ** (np.float32(-2.0) * i / np.float32(d_model))
    angles = positions[..., None] * theta
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    if layout == "half":
        pairs = np.moveaxis(pairs, -1, -2)
    return pairs.reshape(*positions.shape, d_model).astype(np.float64)


def _exponents_apart(
    positions: Any, d_model: int, base: float = 10_000.0, layout: str = "interleaved"
) -> Any:
    """Give feature f an exponent of its own, f/d, also where it is a cosine."""
    out = np.empty((*np.shape(positions), d_model))
    for place, m in np.ndenumerate(positions):
        for f in range(d_model):
            i, is_cosine = divmod(f, 2)
            column = i + is_cosine * (d_model // 2) if layout == "half" else f
            angle = float(m) * base ** (-f / d_model)
            out[(*place, column)] = math.cos(angle) if is_cosine else math.sin(angle)
    return out


_ENCODING_MISTAKES: Mistakes = [
    (
        "Sine and cosine have changed places: the sine comes first.",
        lambda *args, **options: encoding(*args, **options, swapped=True),
    ),
    ("Your features are in the order of the other layout.", _other_layout),
    (
        "The exponent counts twice: if i already steps by two (0, 2, 4, …), it is the "
        "2i of the formula, and must not be doubled again.",
        lambda *args, **options: encoding(*args, **options, factor=4.0),
    ),
    (
        "The exponent is half of what it should be: pair i has the exponent 2i/d, not "
        "i/d.",
        lambda *args, **options: encoding(*args, **options, factor=1.0),
    ),
    (
        "These are tensor2tensor's frequencies, with the exponent i/(d/2 - 1). The "
        "formula of the paper is asked for: 2i/d.",
        lambda *args, **options: encoding(
            *args, **options, frequencies="tensor2tensor"
        ),
    ),
    (
        "The position is multiplied by base^(2i/d) instead of divided by it: the waves "
        "become faster from pair to pair.",
        lambda *args, **options: encoding(*args, **options, inverse=True),
    ),
]
_EXPONENTS_APART: Mistakes = [
    (
        "Sine and cosine of a pair have different frequencies. Both take the exponent "
        "of their pair: 0, 0, 2/d, 2/d, 4/d, and so on, not 0, 1/d, 2/d, 3/d.",
        _exponents_apart,
    ),
]
_IGNORED: Mistakes = [
    (
        "base is ignored, and 10,000 used instead.",
        lambda *args, **options: encoding(*args, **{**options, "base": 10_000.0}),
    ),
]


#: Message for a learner whose features always have this layout.
_LAYOUT_IGNORED = {
    "interleaved": "layout is ignored: the features are always interleaved.",
    "half": "layout is ignored: the sines always come first.",
}


def _with_layout(mistaken: Any, layout: str) -> Any:
    """Make a function use one layout, whichever it is called with."""

    def fixed(*args: Any, **options: Any) -> Any:
        return mistaken(*args, **{**options, "layout": layout})

    return fixed


_LAYOUT: Mistakes = [
    *(
        (ignored, _with_layout(encoding, layout))
        for layout, ignored in _LAYOUT_IGNORED.items()
    ),
    *(
        ((str(sentence), ignored), _with_layout(mistaken, layout))
        for sentence, mistaken in _ENCODING_MISTAKES
        for layout, ignored in _LAYOUT_IGNORED.items()
    ),
]


def _like_float32(pair: tuple[Case, Any]) -> bool:
    """Return True if the values are off by no more than angles of 32 bits are."""
    given, features = pair
    right = given.of(encoding)
    off, usual = (np.abs(x - right).max() for x in (features, given.of(_in_float32)))
    reach = float(np.max(np.abs(given.args[0])))
    return bool(off <= max(2.5 * usual, reach * 2.0**-22, _TOLERANCE))


def _show_encoding(failure: Failure) -> str:
    *place, feature = failure.entry
    m = failure.args[0][tuple(place)]
    return f"{failure.call}\nposition {m:.10g}, feature {feature}: {failure.gives}"


_ENCODING: dict[str, Any] = {
    "right": encoding,
    "what": "The encoding",
    "problem": "A feature has a wrong value.",
    "example": _show_encoding,
    "close": lambda received, right: np.abs(received - right) <= _TOLERANCE,
    "otherwise": lambda seen: (_FLOAT32,) if all(map(_like_float32, seen)) else (),
    "stepwise": True,
}

_ONE_AXIS = (
    "Positions may have several axes: positions[..., None] adds the axis of the "
    "features after all of them. positions[:, None] does so for one axis only, and "
    "np.outer flattens."
)


def _judge_axes(attempt: Attempt, rng: Any) -> None:
    """Ask about positions with two axes, where code for one axis fails."""
    positions = rng.uniform(0, 9, size=(2, 3)).round(2)
    right = encoding(positions, 4)
    axes = "(*positions.shape, d_model)"
    try:
        answer = attempt.ask(positions, 4)
        features = attempt.read_like(answer, right, "The encoding", axes)
    except WrongError as wrong:
        wrong.mistakes = (_ONE_AXIS,)
        raise
    if (np.abs(features - right) > _TOLERANCE).any():
        call = attempt.call_text(positions, 4)
        problem = "A feature has a wrong value if positions have two axes."
        attempt.reject(problem, call, (_ONE_AXIS,))
    attempt.held.append("positions of any shape")


@ask_for_function(
    "Make the d_model/2 frequencies first: base ** (-2 * i / d_model) for i = 0, 1, …",
    "Every position meets every frequency: positions[..., None] * theta has one axis "
    "more. Take its sine and its cosine.",
    "For the interleaved layout stack sine and cosine on a new last axis and flatten "
    "the last two; for the half layout concatenate them.",
    **_ENCODING,
    mistakes=[*_ENCODING_MISTAKES, *_EXPONENTS_APART, *_IGNORED, *_LAYOUT],
    held=[
        "sines and cosines of every pair",
        "both layouts",
        "positions between whole numbers, and any base",
    ],
    then=_judge_axes,
)
def sinusoidal_encoding(rng: Any) -> list[Case]:
    """Encode positions in both layouts, for any width and base."""
    cases = [
        case(np.asarray([0.0, 1.0]), 2),
        case(np.asarray([0.0, 1.0, 2.0]), 4),
        case(np.asarray([0.0, 1.0, 2.0]), 4, layout="half"),
        case(np.asarray([1.0, 5.0]), 8, base=100.0),
        case(np.asarray([1.0, 5.0]), 8, base=100.0, layout="half"),
        case(np.asarray([0.5, -2.25]), 6),
    ]
    for options in ({}, {"layout": "half"}):
        positions = rng.uniform(0, 50, size=4).round(2)
        base, width = float(rng.integers(5, 20_000)), 2 * int(rng.integers(2, 9))
        cases.append(case(positions, width, base=base, **options))
    # Far apart, on both sides of 0: first pairs turn by whole numbers, also in float32.
    cases.append(case(np.asarray([-700.0, -3.0, 300.0, 700.0]), 4))
    return [*cases, case(np.asarray([40_000.0, -40_000.0]), 2)]


@ask_for_function(
    "Compare the second pair at position 1 with what the formula says. Then compare "
    "a position near a million with its float64 value.",
    "What values does i take in np.arange(0, d_model, 2)? And how many decimal digits "
    "does a number of 32 bits hold?",
    "i is already 2i: divide i itself by d_model. And form the angles in float64; "
    "cast the finished sines and cosines, if anything.",
    **_ENCODING,
    mistakes=[*_ENCODING_MISTAKES, *_EXPONENTS_APART],
)
def repair_encoding(rng: Any) -> dict[str, list[Case]]:
    """Find and repair the two mistakes of an encoding function."""
    return {
        "the frequencies of every pair": [
            case(np.arange(3.0), 4),
            case(rng.uniform(0, 9, size=3).round(2), 8),
            case(np.asarray([-700.0]), 4),
        ],
        "positions beyond a million": [
            case(np.asarray([4000.0, _FAR]), 4),
            case(np.asarray([_FAR]), 64),
        ],
    }
