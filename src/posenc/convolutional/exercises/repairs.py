"""Exercises 6 and 7: an encoding to mend, and settings to find."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Case, Mistakes, Switches, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function
from posenc.kit.exercises.widget_answers import check_ranges, read_setting

from .oracle import MISTAKES, UNTRANSPOSED, close, encode, encoding, sides, touched

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
    # With as many frames as channels, code that slides along the wrong axis does not
    # fail, and its result can be recognized.
    square = [(1, 2, 2, 1, 1), (1, 4, 4, 3, 2), (1, 4, 4, 4, 2)]
    others = [(1, 5, 4, 4, 2), (2, 7, 6, 5, 3), (2, 3, 4, 6, 1)]
    return {
        "odd and even kernels": [_case(rng, *sizes) for sizes in square],
        "time and channels in their places": [_case(rng, *sizes) for sizes in others],
    }


_NAMES = ("kernel", "groups", "channels", "seq_len")
_RANGES = {"kernel": (1, 12), "groups": (1, 8), "channels": (1, 8), "seq_len": (6, 24)}


@exercise(
    "First part: choose one impulse at frame 7, and move the kernel. The frames that "
    "answer lie on both sides of it.",
    "Second part: an impulse is heard by the channels of its own group. How wide is a "
    "group if channels 4 and 5 alone answer?",
    'Third part: choose "ones everywhere". A kernel of k leaves kernel - 1 frames that '
    "see zeros, if there are as many.",
    asks_for="value",
)
def find_settings(attempt: Attempt, rng: Any) -> None:
    """Three settings with a given property, found with the widget."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 3:
        attempt.reject(f"The answer is a list of three settings, got {attempt.kind}.")
    order = ("first", "second", "third")
    settings = [
        _read(attempt, which, value) for which, value in zip(order, answer, strict=True)
    ]
    first, second, third = settings
    before, after = sides(first["kernel"])
    frames = range(max(7 - after, 0), min(7 + before, first["seq_len"] - 1) + 1)
    if first["seq_len"] < 13 or list(frames) != list(range(3, 13)):
        attempt.reject(
            "With your first setting other frames answer an impulse in frame 7.",
            f"kernel {first['kernel']}, {first['seq_len']} frames: "
            + (f"{frames[0]} … {frames[-1]}" if first["seq_len"] > 7 else "none")
            + ", not 3 … 12",
            _first_mistakes(first),
        )
    attempt.held.append("an impulse in frame 7 is answered by frames 3 … 12")
    width = second["channels"] // second["groups"]
    heard = [c for c in range(second["channels"]) if c // width == 5 // width]
    if second["channels"] <= 5 or heard != [4, 5]:
        attempt.reject(
            "With your second setting other channels answer an impulse in channel 5.",
            f"{second['channels']} channels, {second['groups']} groups: "
            f"{heard if second['channels'] > 5 else 'there is no channel 5'}",
            ("Those are two groups, not two channels in a group.",)
            if second["groups"] == 2
            else (),
        )
    attempt.held.append("an impulse in channel 5 is answered by channels 4 and 5")
    inner = third["seq_len"] - len(touched(third["seq_len"], third["kernel"]))
    if third["seq_len"] < 15:
        attempt.reject(
            "In your third setting there must be at least 15 frames.",
            f"here there are {third['seq_len']}",
        )
    if inner != 4:
        attempt.reject(
            "In your third setting there must be exactly four inner frames.",
            f"kernel {third['kernel']}, {third['seq_len']} frames: {inner} inner ones",
        )
    attempt.held.append("four frames of fifteen or more have equal outputs")


def _first_mistakes(setting: dict[str, Any]) -> tuple[str, ...]:
    if setting["seq_len"] <= 12:
        return ("Frames count from 0: frame 12 is the thirteenth.",)
    if setting["kernel"] % 2:
        return ("An odd kernel reaches as far to the left as to the right.",)
    return ()


def _read(attempt: Attempt, which: str, value: Any) -> dict[str, Any]:
    what = f"The {which} setting"
    setting = read_setting(attempt, what, value, _NAMES)
    check_ranges(attempt, what, setting, _RANGES)
    if setting["channels"] % setting["groups"]:
        attempt.reject(
            f"{what} is impossible: {setting['groups']} groups do not divide "
            f"{setting['channels']} channels."
        )
    return setting
