"""Exercises 3 and 5: the encoding in code, and the encoding to repair."""

from typing import Any

import numpy as np

from .._attempt import Attempt, name_mistake
from .._registry import exercise
from .oracle import MISTAKES, Case, encoding, float32_encoding

_FAR = 2.0**20 + 3
#: What remains of an angle with 32 bits near _FAR is off by far more.
_TOLERANCE = 1e-5
_FLOAT32 = (
    "The angles have 32 bits. Near position 2^20 neighboring numbers of 32 bits are "
    "up to 0.12 radians apart: form the angle in float64 and take its sine there."
)


@exercise(
    "Make the d_model/2 frequencies first: base ** (-2 * i / d_model) for i = 0, 1, …",
    "Every position meets every frequency: positions[..., None] * theta has one axis "
    "more. Take its sine and its cosine.",
    "For the interleaved layout stack sine and cosine on a new last axis and flatten "
    "the last two; for the half layout concatenate them.",
)
def sinusoidal_encoding(attempt: Attempt, rng: Any) -> None:
    """Encode positions in both layouts, for any width and base."""
    cases = [
        Case(np.asarray([0.0, 1.0]), 2),
        Case(np.asarray([0.0, 1.0, 2.0]), 4),
        Case(np.asarray([0.0, 1.0, 2.0]), 4, layout="half"),
        Case(np.asarray([1.0, 5.0]), 8, base=100.0),
        Case(np.asarray([1.0, 5.0]), 8, base=100.0, layout="half"),
        Case(np.asarray([0.5, -2.25]), 6),
    ]
    for layout in ("interleaved", "half"):
        positions = rng.uniform(0, 50, size=4).round(2)
        base = float(rng.integers(5, 20_000))
        cases.append(Case(positions, 2 * int(rng.integers(2, 9)), base, layout))
    _judge(attempt, cases, begins=True)
    attempt.held += [
        "sines and cosines of every pair",
        "both layouts",
        "positions between whole numbers, and any base",
    ]
    grid = Case(rng.uniform(0, 9, size=(2, 3)), 4)
    _judge(attempt, [grid])
    attempt.held.append("positions of any shape")


@exercise(
    "Compare the second pair at position 1 with what the formula says. Then compare "
    "a position near a million with its float64 value.",
    "What values does i take in np.arange(0, d_model, 2)? And how many decimal digits "
    "does a number of 32 bits hold?",
    "i is already 2i: divide i itself by d_model. And form the angles in float64; "
    "cast the finished sines and cosines, if anything.",
)
def repair_encoding(attempt: Attempt, rng: Any) -> None:
    """Find and repair the two mistakes of an encoding function."""
    near = [Case(np.arange(3.0), 4), Case(rng.uniform(0, 9, size=3).round(2), 8)]
    _judge(attempt, near, begins=True)
    attempt.held.append("the frequencies of every pair")
    far = [Case(np.asarray([4000.0, _FAR]), 4), Case(np.asarray([_FAR]), 64)]
    _judge(attempt, far)
    attempt.held.append("positions beyond a million")


def _judge(attempt: Attempt, cases: list[Case], *, begins: bool = False) -> None:
    received: list[tuple[tuple[Case], Any, str]] = []
    for case in cases:
        options: dict[str, Any] = {}
        if case.base != 10_000.0:
            options["base"] = case.base
        if case.layout != "interleaved":
            options["layout"] = case.layout
        args = (np.asarray(case.positions), case.d_model)
        if begins and not received:
            answer = attempt.choose_style(("numpy", "torch"), *args, **options)
        else:
            answer = attempt.ask(*args, **options)
        shape = (*args[0].shape, case.d_model)
        features = attempt.real_numbers(answer, shape, "The encoding")
        received.append(((case,), features, attempt.call_text(*args, **options)))
    for (case,), features, call in received:
        right = encoding(case)
        for entry in np.argwhere(~_close(features, right)):
            place = tuple(entry.tolist())
            m = np.asarray(case.positions)[place[:-1]]
            pairs = [(args, values) for args, values, _ in received]
            named = name_mistake(pairs, MISTAKES, _all_close)
            if not named and all(map(_like_float32, pairs)):
                named = (_FLOAT32,)
            attempt.reject(
                "A feature has a wrong value.",
                f"{call}\nposition {m:g}, feature {place[-1]}: gives "
                f"{features[place]:.6g}, should be {right[place]:.6g}",
                named,
            )


def _close(received: Any, right: Any) -> Any:
    return np.abs(np.asarray(received) - right) <= _TOLERANCE


def _all_close(received: Any, right: Any) -> bool:
    return bool(_close(received, right).all())


def _like_float32(pair: Any) -> bool:
    """Tell whether the values are off by no more than angles of 32 bits are."""
    (case,), features = pair
    off = np.abs(features - encoding(case)).max()
    usual = np.abs(float32_encoding(case) - encoding(case)).max()
    reach = float(np.max(np.abs(case.positions)))
    return bool(off <= max(2.5 * usual, reach * 2.0**-22, _TOLERANCE))
