"""Exercises 1 and 2: windows by hand, and the grouped convolution."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Shown, is_blank, one_of
from .._registry import exercise
from .oracle import MISTAKES, close, convolve, diagnose

#: One channel, kernel 4: each output shows its window, digit by digit.
FRAMES = [1, 2, 0, 3, 1]
TAPS = [1, 10, 100, 1000]


@exercise(
    "A kernel of 4 has 4 // 2 = 2 frames before the frame itself, and 1 after it. "
    "Write the sequence with zeros around it: 0 0 1 2 0 3 1 0.",
    "The window of frame 0 is 0 0 1 2. Multiply it by the taps 1, 10, 100, 1000 and "
    "add: 100 + 2000.",
    "Since the taps are powers of ten, an output is its window read backward: the last "
    "frame of the window gives the thousands.",
    asks_for="value",
)
def windows_by_hand(attempt: Attempt, rng: Any) -> None:
    """Five outputs of a convolution with an even kernel, by hand."""
    answer = attempt.ask_for_list()
    if isinstance(answer, list) and any(map(is_blank, answer)):
        attempt.reject("Some entries are still dots: replace each by an output.")
    numbers = attempt.whole_numbers(answer, (len(FRAMES),), "The list of outputs")
    x, weight = np.asarray(FRAMES)[:, None], np.asarray(TAPS)[None, None]
    right = convolve(x, weight, 1)[:, 0]
    if not np.array_equal(numbers, right):
        wrong = np.flatnonzero(numbers != right)
        lines = [f"frame {t}: not {numbers[t]}" for t in wrong]
        named = diagnose(
            ("flipped", "crop_first", "causal", "circular"),
            lambda m: np.array_equal(numbers, convolve(x, weight, 1, m)[:, 0]),
        )
        attempt.reject(
            f"{len(wrong)} of {len(FRAMES)} are not right.", "\n".join(lines), named
        )
    attempt.held.append("all five outputs")


@exercise(
    "Begin with one group and one channel. Put kernel // 2 zeros before the sequence "
    "and kernel - 1 - kernel // 2 after it; output t is then a sum over padded frames "
    "t to t + kernel - 1.",
    "Output channel c belongs to group c // width, where width = channels // groups. "
    "That group's input channels begin at c // width * width.",
    "out[t, c] = sum over i and tap of weight[c, i, tap] * padded[t + tap, "
    "c // width * width + i].",
)
def grouped_convolution(attempt: Attempt, rng: Any) -> None:
    """Grouped convolution of one sequence, of the same length as the input."""
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
    received: list[tuple[tuple[Any, Any, int], Any]] = []
    for number, (seq_len, channels, kernel, groups) in enumerate(shapes):
        x = rng.integers(-9, 10, size=(seq_len, channels)).astype(float)
        size = (channels, channels // groups, kernel)
        weight = rng.integers(-9, 10, size=size).astype(float)
        args = (x.copy(), weight.copy())
        if number:
            answer = attempt.ask(*args, groups=groups)
        else:
            answer = attempt.choose_style(("numpy", "torch"), *args, groups=groups)
        out = attempt.real_numbers(answer, x.shape, "The output")
        received.append(((x, weight, groups), out))
    for (x, weight, groups), out in received:
        right = convolve(x, weight, groups)
        if close(out, right):
            continue
        t, c = np.unravel_index(np.argmax(~np.isclose(out, right)), out.shape)
        call = attempt.call_text(Shown("x"), Shown("weight"), groups=groups)
        named = diagnose(
            tuple(MISTAKES),
            lambda m: all(close(o, convolve(*case, m)) for case, o in received),
        )
        attempt.reject(
            "An output is not the sum over its window.",
            f"{call}\nx of shape {x.shape}, weight of shape {weight.shape}\n"
            f"frame {t}, channel {c}: gives {out[t, c]:.4g}, should be "
            f"{right[t, c]:.4g}",
            one_of(named),
        )
    attempt.held += [
        "odd and even kernels, also wider than the sequence",
        "zeros beyond both ends",
        "one group and several",
    ]
