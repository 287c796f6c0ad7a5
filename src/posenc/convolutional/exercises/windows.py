"""Exercises 1 and 2: windows by hand, and the grouped convolution."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Switches, case
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import MISTAKES, close, convolve

#: One channel, kernel 4: each output shows its window, digit by digit.
FRAMES = [1, 2, 0, 3, 1]
TAPS = [1, 10, 100, 1000]


_NAMED = ("flipped", "crop_first", "causal", "circular")


def _by_hand(mistakes: tuple[str, ...] = ()) -> list[int]:
    x, weight = np.asarray(FRAMES)[:, None], np.asarray(TAPS)[None, None]
    return [int(output) for output in convolve(x, weight, 1, mistakes)[:, 0]]


@ask_for_value(
    "A kernel of 4 has 4 // 2 = 2 frames before the frame itself, and 1 after it. "
    "Write the sequence with zeros around it: 0 0 1 2 0 3 1 0.",
    "The window of frame 0 is 0 0 1 2. Multiply it by the taps 1, 10, 100, 1000 and "
    "add: 100 + 2000.",
    "Since the taps are powers of ten, an output is its window read backward: the last "
    "frame of the window gives the thousands.",
    what="The list of outputs",
    entry="an output",
    line=lambda t, output: f"frame {t}: not {output}",
    mistakes=Switches(_by_hand, {name: MISTAKES[name] for name in _NAMED}, at_once=2),
    held=["all five outputs"],
)
def windows_by_hand() -> Any:
    """Five outputs of a convolution with an even kernel, by hand."""
    return _by_hand()


def _example(failure: Failure) -> str:
    (x, weight), (t, c) = failure.args, failure.entry
    got, right = failure.received[t, c], failure.right[t, c]
    return (
        f"{failure.call}\nx of shape {x.shape}, weight of shape {weight.shape}\n"
        f"frame {t}, channel {c}: gives {got:.4g}, should be {right:.4g}"
    )


@ask_for_function(
    "Begin with one group and one channel. Put kernel // 2 zeros before the sequence "
    "and kernel - 1 - kernel // 2 after it; output t is then a sum over padded frames "
    "t to t + kernel - 1.",
    "Output channel c belongs to group c // width, where width = channels // groups. "
    "That group's input channels begin at c // width * width.",
    "out[t, c] = sum over i and tap of weight[c, i, tap] * padded[t + tap, "
    "c // width * width + i].",
    right=convolve,
    what="The output",
    problem="An output is not the sum over its window.",
    mistakes=Switches(convolve, MISTAKES, at_once=2),
    held=[
        "odd and even kernels, also wider than the sequence",
        "zeros beyond both ends",
        "one group and several",
    ],
    example=_example,
    shown=["x", "weight"],
    close=close,
    one_of=True,
)
def grouped_convolution(rng: Any) -> Any:
    """Convolve one sequence in groups, to the same length as the input."""
    shapes = [
        (1, 1, 1, 1),
        (3, 1, 3, 1),
        (3, 1, 2, 1),
        (4, 2, 2, 1),
        (4, 2, 3, 2),
        (5, 6, 4, 3),
        (2, 4, 6, 2),
        (7, 8, 5, 2),
        (6, 6, 4, 2),
    ]
    cases = []
    for seq_len, channels, kernel, groups in shapes:
        x = rng.integers(-9, 10, size=(seq_len, channels)).astype(float)
        size = (channels, channels // groups, kernel)
        weight = rng.integers(-9, 10, size=size).astype(float)
        cases.append(case(x, weight, groups=groups))
    return cases
