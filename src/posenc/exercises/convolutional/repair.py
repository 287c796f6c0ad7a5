"""Exercise 6: an encoding that slides along the wrong axis, turned over and shifted."""

from typing import Any

import numpy as np

from .._attempt import Attempt, Shown, one_of
from .._registry import exercise
from .oracle import close, diagnose, encode

_KNOWN = ("untransposed", "crop_first", "flipped", "causal", "circular")


@exercise(
    "Try it on a sequence of 5 frames with 4 channels. Then read what conv1d wants: "
    "which axis is time?",
    "Put an impulse into frame 3 of a sequence of zeros, with a kernel of 4. Which "
    "frames should answer, and with which tap? Which do?",
    "Three lines: transpose before and after, do not turn the taps over, and keep the "
    "first seq_len outputs in place of the last.",
)
def repair_encoding(attempt: Attempt, rng: Any) -> None:
    """Repair an encoding that is added to its input, and is wrong in three ways."""
    # As many frames as channels at first: there code that slides along the wrong axis
    # does not fail, and what it gives can be recognized.
    shapes = [(1, 2, 2, 1, 1), (1, 4, 4, 3, 2), (1, 4, 4, 4, 2)]
    shapes += [(1, 5, 4, 4, 2), (2, 7, 6, 5, 3), (2, 3, 4, 6, 1)]
    received: list[tuple[tuple[Any, ...], Any]] = []
    for number, (batch, seq_len, channels, kernel, groups) in enumerate(shapes):
        x = np.round(rng.normal(size=(batch, seq_len, channels)), 2)
        weight = np.round(rng.normal(size=(channels, channels // groups, kernel)), 2)
        bias = np.round(rng.normal(size=channels), 2)
        args = (x.copy(), weight.copy(), bias.copy())
        if number:
            answer = attempt.ask(*args, groups=groups)
        else:
            answer = attempt.choose_style(("numpy", "torch"), *args, groups=groups)
        out = attempt.real_numbers(answer, x.shape, "The result")
        received.append(((x, weight, bias, groups), out))
        if seq_len == channels == kernel or seq_len != channels:
            _judge(attempt, received)
    attempt.held += [
        "time and channels in their places",
        "odd and even kernels",
        "the sum with the input",
    ]


def _judge(attempt: Attempt, received: list[tuple[tuple[Any, ...], Any]]) -> None:
    for case, out in received:
        right = encode(*case)
        if close(out, right):
            continue
        x, weight, _, groups = case
        b, t, c = np.unravel_index(np.argmax(~np.isclose(out, right)), out.shape)
        call = attempt.call_text(
            Shown("x"), Shown("weight"), Shown("bias"), groups=groups
        )
        named = _without_input(received) or diagnose(
            _KNOWN
            if all(c[0].shape[1] == c[0].shape[2] for c, _ in received)
            else _KNOWN[1:],
            lambda m: all(close(o, encode(*case, mistakes=m)) for case, o in received),
            most=3,
        )
        attempt.reject(
            "An entry is not that of x + GELU(convolution + bias).",
            f"{call}\nx of shape {x.shape}, weight of shape {weight.shape}\n"
            f"sequence {b}, frame {t}, channel {c}: gives {out[b, t, c]:.4g}, should "
            f"be {right[b, t, c]:.4g}",
            one_of(named),
        )


def _without_input(received: list[tuple[tuple[Any, ...], Any]]) -> tuple[str, ...]:
    if all(close(out + case[0], encode(*case)) for case, out in received):
        return ("The encoding alone comes back: it has to be added to the input.",)
    return ()
