"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math

import numpy as np
import torch
from answer_sources import in_torch

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

WRONG = {
    "convolutional.windows_by_hand": [
        ([2100, 210, 3021, 1302, 131], "frame 4: not 131"),
    ],
    "convolutional.normalized_weight": [
        (lambda d, g: abs(d) * (g / np.sqrt((d**2).sum((0, 1)))), "directions"),
    ],
    "convolutional.find_settings": [
        (_with(0, kernel=9), "first setting other frames answer", "An odd kernel"),
        (_with(0, seq_len=12), "Frames count from 0"),
        (
            _with(1, groups=2),
            "Those are two groups",
            "second setting other channels answer",
        ),
        (_with(2, kernel=11, seq_len=14), "here there are 14", "at least 15 frames"),
        (_with(1, channels=4, groups=2), "there is no channel 5"),
        (_with(2, seq_len=16), "5 inner ones"),
        (_with(0, groups=3), "3 groups do not divide 4 channels"),
        (_with(0, kernel=13), "whole number from 1 to 12"),
        (SETTINGS[:2], "a list of three settings"),
        ([SETTINGS[0], ..., SETTINGS[2]], "The second setting is still to be found"),
        ([SETTINGS[0], {"kernel": 3}, SETTINGS[2]], "must look like dict"),
    ],
}
