"""The grouped convolution in plain loops, right or with known mistakes.

This judges answers to the exercises, and our own code: it shares nothing with
`posenc.convolutional`. Each mistake is a switch; the diagnosis is the smallest set of
switches that turns the judge's numbers into the learner's.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

#: Sentences for a learner whose results show the switch.
MISTAKES = {
    "flipped": "The taps are turned over. Convolution layers multiply the first tap by "
    "the earliest frame; nothing is reversed.",
    "crop_first": "For an even kernel the window lies one frame too far to the "
    "right. kernel // 2 zeros belong on the left, and the last output is dropped.",
    "causal": "All zeros are on the left, so no frame sees what comes after it. Half "
    "of the window lies after the frame.",
    "circular": "The window goes on at the other end of the sequence. Beyond the ends "
    "there are zeros.",
    "interleaved": "The groups are dealt out like cards: channel c is put into group "
    "c % groups. A group is a block of neighboring channels.",
    "in_turn": "The outputs take the groups in turn: output c reads group c % groups. "
    "A group is a block of neighboring channels, so output c belongs to c // width.",
    "first_group": "All outputs read the channels of the first group. Outputs of a "
    "group read the channels of that group.",
    "transposed": "Input and output channels are exchanged within the group: the first "
    "axis of the weight is the output channel.",
}
UNTRANSPOSED = (
    "The convolution slides along the channels, not along time: it wants (batch, "
    "channels, time), and x is (batch, time, channels)."
)


def convolve(x: Any, weight: Any, groups: int, mistakes: Iterable[str] = ()) -> Any:
    """Convolve (seq_len, channels) in groups, one product after another."""
    mistakes = frozenset(mistakes)
    seq_len, channels = x.shape
    width, kernel = weight.shape[1:]
    before = kernel // 2
    if "crop_first" in mistakes and kernel % 2 == 0:
        before -= 1
    if "causal" in mistakes:
        before = kernel - 1
    out = np.zeros((seq_len, channels))
    for t in range(seq_len):
        for c in range(channels):
            for i in range(width):
                for tap in range(kernel):
                    place = kernel - 1 - tap if "flipped" in mistakes else tap
                    frame = t - before + tap
                    if "circular" in mistakes:
                        frame %= seq_len
                    if 0 <= frame < seq_len:
                        out[t, c] += (
                            _tap(weight, c, i, place, mistakes)
                            * x[frame, _source(c, i, width, groups, mistakes)]
                        )
    return out


def _source(c: int, i: int, width: int, groups: int, mistakes: frozenset[str]) -> int:
    """Return the channel of input i of output channel c."""
    if "interleaved" in mistakes:
        return i * groups + c % groups
    if "in_turn" in mistakes:
        return c % groups * width + i
    return i if "first_group" in mistakes else c // width * width + i


def _tap(weight: Any, c: int, i: int, place: int, mistakes: frozenset[str]) -> Any:
    if "transposed" not in mistakes:
        return weight[c, i, place]
    width = weight.shape[1]
    return weight[c // width * width + i, c % width, place]


def gelu(values: Any) -> Any:
    """Return the product of x and the share of a normal distribution below x."""
    return np.asarray(
        [v * (1 + math.erf(v / math.sqrt(2))) / 2 for v in np.ravel(values)]
    ).reshape(values.shape)


def encoding(
    x: Any, weight: Any, bias: Any, groups: int, mistakes: Iterable[str] = ()
) -> Any:
    """Return GELU(convolution + bias) as in wav2vec 2.0, of (batch, seq_len, channels).

    The mistake "untransposed" needs as many frames as channels; else all is NaN.
    """
    mistakes = frozenset(mistakes)
    turned = "untransposed" in mistakes
    out = np.full(x.shape, np.nan)
    if turned and x.shape[1] != x.shape[2]:
        return out
    for b, frames in enumerate(x):
        given = frames.T if turned else frames
        y = gelu(convolve(given, weight, groups, mistakes) + bias)
        out[b] = y.T if turned else y
    return out


def encode(
    x: Any, weight: Any, bias: Any, groups: int, mistakes: Iterable[str] = ()
) -> Any:
    """Return the sum of x and its encoding."""
    return x + encoding(x, weight, bias, groups, mistakes)


def close(received: Any, right: Any) -> Any:
    """Return True for entries that agree to the precision of float32."""
    return np.isclose(received, right, rtol=1e-4, atol=1e-4)


def sides(kernel: int) -> tuple[int, int]:
    """Return the frames of a window before and after its own."""
    before = kernel // 2
    return before, kernel - 1 - before


def touched(seq_len: int, kernel: int, layers: int = 1) -> list[int]:
    """Return the frames that the zeros have reached, one layer at a time."""
    before, after = sides(kernel)
    known: set[int] = set()
    for _ in range(layers):
        known = {
            t
            for t in range(seq_len)
            if any(
                not 0 <= f < seq_len or f in known
                for f in range(t - before, t + after + 1)
            )
        }
    return sorted(known)
