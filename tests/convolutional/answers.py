"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math

import numpy as np
import torch
from answer_sources import in_torch, made

import posenc


def grouped_convolution(x, weight, *, groups):
    kernel = weight.shape[-1]
    out = torch.nn.functional.conv1d(
        x.T[None], weight, padding=kernel // 2, groups=groups
    )
    return out[0, :, : len(x)].T


def border_frames(seq_len, kernel):
    ones = torch.ones(1, 1, seq_len)
    taps = torch.ones(1, 1, kernel)
    out = torch.nn.functional.conv1d(ones, taps, padding=kernel // 2)
    return torch.nonzero(out[0, 0, :seq_len] < kernel)[:, 0]


def layers_to_middle(seq_len, kernel):
    return math.ceil(seq_len / (kernel - 1))


def repair_encoding(x, weight, bias, *, groups):
    out = torch.nn.functional.conv1d(
        x.transpose(1, 2), weight, bias, padding=weight.shape[-1] // 2, groups=groups
    )[..., : x.shape[1]]
    return x + torch.nn.functional.gelu(out).transpose(1, 2)


SETTINGS = [
    {"kernel": 10, "groups": 2, "channels": 4, "seq_len": 14},
    {"kernel": 6, "groups": 4, "channels": 8, "seq_len": 14},
    {"kernel": 12, "groups": 2, "channels": 4, "seq_len": 15},
]


def _with(number, **changes):
    settings = [dict(setting) for setting in SETTINGS]
    settings[number] |= changes
    return settings


normalized_weight = in_torch(posenc.convolutional.normalized_weight)
find_settings = [
    (10, 1, 2, 13),
    {"kernel": 1, "groups": 3, "channels": 6, "seq_len": 6},
    [12, 1, 1, 15],
]

CONVOLUTION = """
def convolution(x, weight, *, groups):
    channels, width, kernel = weight.shape
    left = kernel // 2
    padded = np.pad(x, ((left, kernel - 1 - left), (0, 0)))
    out = np.zeros(x.shape)
    for c in range(channels):
        first = c // width * width
        for tap in range(kernel):
            frames = padded[tap : tap + len(x), first : first + width]
            out[:, c] += frames @ weight[c, :, tap]
    return out
"""

WRONG_CONVOLUTIONS = [
    (made(CONVOLUTION, *replacements), word)
    for word, *replacements in [
        ("turned over", ("weight[c, :, tap]", "weight[c, :, kernel - 1 - tap]")),
        ("one frame too far", ("left = kernel // 2", "left = (kernel - 1) // 2")),
        ("All zeros are on the left", ("left = kernel // 2", "left = kernel - 1")),
        (
            "other end of the sequence",
            ("(0, 0)))", "(0, 0)), mode='wrap')"),
        ),
        (
            "dealt out like cards",
            (
                "first : first + width]",
                "c % groups :: groups]",
            ),
        ),
        (
            "take the groups in turn",
            ("c // width * width", "c % groups * width"),
        ),
        ("the channels of the first group", ("c // width * width", "0")),
        (
            "Input and output channels are exchanged",
            ("weight[c, :, tap]", "weight[first : first + width, c % width, tap]"),
        ),
        (
            "2 mistakes at once",
            ("c // width * width", "0"),
            ("weight[c, :, tap]", "weight[c, :, kernel - 1 - tap]"),
        ),
        ("must have shape", ("return out", "return out.T[:, :, None]")),
        ("changes its input x", ("return out", "x += 1\n    return out")),
        ("should be", ("return out", "return out + 1")),
    ]
]

FRAMES = """
def frames(seq_len, kernel):
    before, after = kernel // 2, kernel - 1 - kernel // 2
    return [t for t in range(seq_len) if t < before or t >= seq_len - after]
"""

LENGTHS = """
def lengths(direction, length):
    norm = np.sqrt((direction**2).sum(axis=(0, 1)))
    return direction * (length / norm)
"""

WRONG = {
    "convolutional.windows_by_hand": [
        ([2100, 210, 3021, 1302, 131], "frame 4: not 131"),
    ],
    "convolutional.grouped_convolution": [
        *WRONG_CONVOLUTIONS,
    ],
    "convolutional.border_frames": [
        (
            lambda n, k: [*range(k // 2), *range(n - (k - 1 - k // 2), n)],
            "the two parts overlap",
        ),
        (made(FRAMES, ("t < before", "t <= before")), "On the left there is one too"),
        (lambda n, k: k - 1, "must be a list of frames"),
    ],
    "convolutional.normalized_weight": [
        (
            made(LENGTHS, ("axis=(0, 1)", "axis=2, keepdims=True")),
            "Each pair of an output and an input channel",
        ),
        (lambda d, g: abs(d) * (g / np.sqrt((d**2).sum((0, 1)))), "directions"),
    ],
    "convolutional.layers_to_middle": [
        (lambda n, k: math.ceil(math.ceil(n / 2) / (k // 2)), "Both sides get"),
    ],
    "convolutional.find_settings": [
        (_with(0, kernel=5), "first setting other frames answer"),
        (_with(0, kernel=9), "An odd kernel"),
        (_with(0, seq_len=12), "Frames count from 0"),
        (
            _with(1, groups=2),
            "Those are two groups",
            "second setting other channels answer",
        ),
        (_with(2, kernel=11, seq_len=14), "here there are 14", "at least 15 frames"),
        (_with(0, seq_len=6), "first setting other frames answer"),
        (_with(1, channels=4, groups=2), "there is no channel 5"),
        (_with(2, seq_len=16), "5 inner ones"),
        (_with(0, groups=3), "3 groups do not divide 4 channels"),
        (_with(0, kernel=13), "whole number from 1 to 12"),
        (SETTINGS[:2], "a list of three settings"),
        ([SETTINGS[0], ..., SETTINGS[2]], "The second setting is still to be found"),
        ([SETTINGS[0], {"kernel": 3}, SETTINGS[2]], "must look like dict"),
    ],
}
