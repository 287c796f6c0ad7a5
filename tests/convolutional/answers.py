"""Answers to the exercises on convolution: right in several styles, and wrong ones.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. Wrong ones are made from right ones by
replacing a piece of their code.
"""

import math

import numpy as np
import torch
from answer_sources import made

import posenc
from posenc.convolutional import gelu

# --- the convolution -----------------------------------------------------------------

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


def convolution_loops(x, weight, *, groups):
    seq_len, channels = x.shape
    width, kernel = weight.shape[1:]
    out = [[0.0] * channels for _ in range(seq_len)]
    for t in range(seq_len):
        for c in range(channels):
            for i in range(channels // groups):
                for r in range(-(kernel // 2), kernel - kernel // 2):
                    if 0 <= t + r < seq_len:
                        tap = weight[c, i, r + kernel // 2]
                        out[t][c] += tap * x[t + r, c // width * width + i]
    return out


def convolution_windows(x, weight, *, groups):
    channels, width, kernel = weight.shape
    left = kernel // 2
    padded = np.pad(x, ((left, kernel - 1 - left), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, kernel, axis=0)
    windows = windows.reshape(len(x), groups, width, kernel)
    taps = weight.reshape(groups, channels // groups, width, kernel)
    return np.einsum("tgik,goik->tgo", windows, taps).reshape(x.shape)


def convolution_torch(x, weight, *, groups):
    kernel = weight.shape[-1]
    out = torch.nn.functional.conv1d(
        x.T[None], weight, padding=kernel // 2, groups=groups
    )
    return out[0, :, : len(x)].T


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

# --- borders -------------------------------------------------------------------------

FRAMES = """
def frames(seq_len, kernel):
    before, after = kernel // 2, kernel - 1 - kernel // 2
    return [t for t in range(seq_len) if t < before or t >= seq_len - after]
"""


def frames_numpy(seq_len, kernel):
    t = np.arange(seq_len)
    first = t - kernel // 2
    return t[(first < 0) | (first + kernel > seq_len)]


def frames_torch(seq_len, kernel):
    ones = torch.ones(1, 1, seq_len)
    taps = torch.ones(1, 1, kernel)
    out = torch.nn.functional.conv1d(ones, taps, padding=kernel // 2)
    return torch.nonzero(out[0, 0, :seq_len] < kernel)[:, 0]


LAYERS = """
def layers(seq_len, kernel):
    return -(-seq_len // (kernel - 1))
"""


def layers_loop(seq_len, kernel):
    count, left, right = 0, 0, seq_len
    while left < right:
        left += kernel // 2
        right -= kernel - 1 - kernel // 2
        count += 1
    return count


def layers_ceil(seq_len, kernel):
    return math.ceil(seq_len / (kernel - 1))


# --- lengths -------------------------------------------------------------------------

LENGTHS = """
def lengths(direction, length):
    norm = np.sqrt((direction**2).sum(axis=(0, 1)))
    return direction * (length / norm)
"""


def lengths_loops(direction, length):
    weight = np.zeros_like(direction)
    for j in range(len(length)):
        norm = math.sqrt(sum(v * v for v in direction[:, :, j].ravel()))
        weight[:, :, j] = direction[:, :, j] / norm * length[j]
    return weight


def lengths_torch(direction, length):
    return direction / direction.norm(dim=(0, 1)) * length


# --- the encoding --------------------------------------------------------------------

REPAIRED = """
from posenc.convolutional import gelu


def conv1d(x, weight, *, padding, groups):
    x = np.pad(x, ((0, 0), (0, 0), (padding, padding)))
    windows = np.lib.stride_tricks.sliding_window_view(x, weight.shape[-1], axis=-1)
    parts = zip(np.split(windows, groups, axis=1), np.split(weight, groups))
    return np.concatenate([np.einsum("bitk,oik->bot", *p) for p in parts], axis=1)


def encoding(x, weight, bias, *, groups):
    kernel = weight.shape[-1]
    y = np.swapaxes(x, 1, 2)
    y = conv1d(y, weight, padding=kernel // 2, groups=groups)
    y = y[..., : x.shape[1]]
    y = gelu(y + bias[:, None])
    return x + np.swapaxes(y, 1, 2)
"""
SUSPICIOUS = [
    ("np.swapaxes(x, 1, 2)", "x"),
    ("np.swapaxes(y, 1, 2)", "y"),
    ("y, weight,", "y, weight[..., ::-1],"),
    ("y[..., : x.shape[1]]", "y[..., -y0.shape[-1] :]"),
    ("    y = conv1d", "    y0 = y\n    y = conv1d"),
]


def encoding_loops(x, weight, bias, *, groups):
    return np.stack(
        [
            one + gelu(np.asarray(convolution_loops(one, weight, groups=groups)) + bias)
            for one in x
        ]
    )


def encoding_torch(x, weight, bias, *, groups):
    out = torch.nn.functional.conv1d(
        x.transpose(1, 2), weight, bias, padding=weight.shape[-1] // 2, groups=groups
    )[..., : x.shape[1]]
    return x + torch.nn.functional.gelu(out).transpose(1, 2)


def encoding_posenc(x, weight, bias, *, groups):
    return x + posenc.convolutional.convolutional_encoding(
        x, weight, bias, groups=groups
    )


BY_HAND = [2100, 210, 3021, 1302, 130]
SETTINGS = [
    {"kernel": 10, "groups": 2, "channels": 4, "seq_len": 14},
    {"kernel": 6, "groups": 4, "channels": 8, "seq_len": 14},
    {"kernel": 12, "groups": 2, "channels": 4, "seq_len": 15},
]

RIGHT = {
    "convolutional.windows_by_hand": [
        BY_HAND,
        tuple(BY_HAND),
        np.asarray(BY_HAND, "int32"),
        torch.tensor(BY_HAND),
    ],
    "convolutional.grouped_convolution": [
        convolution_loops,
        made(CONVOLUTION),
        convolution_windows,
        convolution_torch,
    ],
    "convolutional.border_frames": [made(FRAMES), frames_numpy, frames_torch],
    "convolutional.normalized_weight": [
        lengths_loops,
        made(LENGTHS),
        lengths_torch,
        posenc.convolutional.normalized_weight,
    ],
    "convolutional.layers_to_middle": [made(LAYERS), layers_loop, layers_ceil],
    "convolutional.repair_encoding": [
        made(REPAIRED),
        encoding_loops,
        encoding_torch,
        encoding_posenc,
    ],
    "convolutional.find_settings": [
        SETTINGS,
        tuple(SETTINGS),
        [
            (10, 1, 2, 13),
            {"kernel": 1, "groups": 3, "channels": 6, "seq_len": 6},
            [12, 1, 1, 15],
        ],
    ],
}


def _with(number, **changes):
    settings = [dict(setting) for setting in SETTINGS]
    settings[number] |= changes
    return settings


WRONG = {
    "convolutional.windows_by_hand": [
        ([2100, 210, 3021, 1302], "must have shape (5,), got shape (4,)"),
        ([2100, 210, 3021, 1302, ...], "Some entries are still dots"),
        ([2100, 210, 3021, 1302, 131], "frame 4: not 131"),
    ],
    "convolutional.grouped_convolution": WRONG_CONVOLUTIONS,
    "convolutional.border_frames": [
        (
            made(FRAMES, ("kernel // 2, kernel - 1 - kernel // 2", "0, 0")),
            "should be",
        ),
        (lambda n, k: k - 1, "must be a list of frames"),
        (
            lambda n, k: [*range(k // 2), *range(n - (k - 1 - k // 2), n)],
            "the two parts overlap",
        ),
        (
            lambda n, k: [*range(k // 2), *range(n - k // 2, n)],
            "the two parts overlap",
        ),
        (made(FRAMES, ("t < before", "t <= before")), "On the left there is one too"),
    ],
    "convolutional.normalized_weight": [
        (made(LENGTHS, ("return direction", "return abs(direction)")), "directions"),
        (
            made(LENGTHS, ("axis=(0, 1)", "axis=2, keepdims=True")),
            "Each pair of an output and an input channel",
        ),
        (made(LENGTHS, ("return direction * (length", "return (length")), "shape"),
    ],
    "convolutional.layers_to_middle": [
        (lambda n, k: [n], "must have shape ()"),
        (lambda n, k: n / k, "must be whole numbers"),
        (lambda n, k: math.ceil(math.ceil(n / 2) / (k // 2)), "Both sides get"),
    ],
    "convolutional.repair_encoding": [
        (made(REPAIRED, *SUSPICIOUS), "3 mistakes at once"),
        (made(REPAIRED, ("y = gelu(y + bias[:, None])", "y = y")), "should be"),
        (made(REPAIRED, ("return x", "return None and x")), "not answered"),
        (made(REPAIRED, ("y[..., : x.shape[1]]", "y")), "It raises ValueError"),
    ],
    "convolutional.find_settings": [
        (_with(0, kernel=5), "first setting other frames answer"),
        (_with(0, kernel=9), "An odd kernel"),
        (_with(0, seq_len=12), "Frames count from 0"),
        (_with(1, groups=2), "Those are two groups"),
        (_with(2, kernel=11, seq_len=14), "here there are 14"),
        (_with(0, seq_len=10), "first setting other frames answer"),
        (_with(0, seq_len=6), "first setting other frames answer"),
        (_with(1, groups=2), "second setting other channels answer"),
        (_with(1, channels=4, groups=2), "there is no channel 5"),
        (_with(2, seq_len=16), "5 inner ones"),
        (_with(2, kernel=11, seq_len=14), "at least 15 frames"),
        (_with(0, groups=3), "3 groups do not divide 4 channels"),
        (_with(0, kernel=13), "whole number from 1 to 12"),
        ([SETTINGS[0], ..., SETTINGS[2]], "The second setting is still to be found"),
        (SETTINGS[:2], "a list of three settings"),
        (_with(2, extra=1), "must look like dict"),
    ],
}
