"""Exercise 6: an encoding that slides along the wrong axis, turned over and shifted."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Mistakes, Switches, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import MISTAKES, UNTRANSPOSED, close, encode, encoding

_KNOWN = {
    "untransposed": UNTRANSPOSED,
    **{
        name: MISTAKES[name] for name in ("crop_first", "flipped", "causal", "circular")
    },
}
_MISTAKES: Mistakes = [
    (
        "The encoding alone comes back: it has to be added to the input.",
        encoding,
    ),
    *Switches(encode, _KNOWN),
]


def _example(failure: Failure) -> str:
    x, weight, _ = failure.args
    b, t, c = failure.entry
    got, right = failure.received[b, t, c], failure.right[b, t, c]
    return (
        f"{failure.call}\nx of shape {x.shape}, weight of shape {weight.shape}\n"
        f"sequence {b}, frame {t}, channel {c}: gives {got:.4g}, should be {right:.4g}"
    )


def _case(
    rng: Any, batch: int, seq_len: int, channels: int, kernel: int, groups: int
) -> Case:
    x = np.round(rng.normal(size=(batch, seq_len, channels)), 2)
    weight = np.round(rng.normal(size=(channels, channels // groups, kernel)), 2)
    bias = np.round(rng.normal(size=channels), 2)
    return case(x, weight, bias, groups=groups)


@ask_for_function(
    "Try it on a sequence of 5 frames with 4 channels. Then read what conv1d wants: "
    "which axis is time?",
    "Put an impulse into frame 3 of a sequence of zeros, with a kernel of 4. Which "
    "frames should answer, and with which tap? Which do?",
    "Three mistakes: transpose before and after, do not turn the taps over, and keep "
    "the first seq_len outputs in place of the last.",
    right=encode,
    what="The result",
    problem="An entry is not that of x + GELU(convolution + bias).",
    mistakes=_MISTAKES,
    held=["the sum with the input"],
    example=_example,
    shown=["x", "weight", "bias"],
    close=close,
    stepwise=True,
    one_of=True,
    uses=("convolutional.gelu",),
)
def repair_encoding(rng: Any) -> Any:
    """Repair an encoding that is added to its input, and is wrong in three ways."""
    # As many frames as channels at first: there code that slides along the wrong axis
    # does not fail, and what it gives can be recognized.
    square = [(1, 2, 2, 1, 1), (1, 4, 4, 3, 2), (1, 4, 4, 4, 2)]
    others = [(1, 5, 4, 4, 2), (2, 7, 6, 5, 3), (2, 3, 4, 6, 1)]
    return {
        "odd and even kernels": [_case(rng, *sizes) for sizes in square],
        "time and channels in their places": [_case(rng, *sizes) for sizes in others],
    }
