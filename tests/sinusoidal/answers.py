"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math

import numpy as np
import torch
from answer_sources import made

BY_HAND = [1, 1, 0, 1, -1.0, 0.0, 0.11, 0.99]


def dials_needed(num_steps):
    return torch.sum(2 ** torch.arange(62) < num_steps)


def sinusoidal_encoding(positions, d_model, *, base=10_000.0, layout="interleaved"):
    theta = base ** (-np.arange(0, d_model, 2) / d_model)
    angles = positions[..., None] * theta
    sin, cos = np.sin(angles), np.cos(angles)
    if layout == "half":
        return np.concatenate([sin, cos], axis=-1)
    return np.stack([sin, cos], axis=-1).reshape(*positions.shape, d_model)


FLOAT32 = (
    ("theta =", "positions = positions.astype(np.float32)\n    theta ="),
    (" / d_model)\n", " / d_model).astype(np.float32)\n"),
)


AVERAGED = (("[..., None] * theta", "[..., None] * theta * (3 - positions.ndim) / 2"),)


def repair_encoding(positions, d_model, *, base=10_000.0, layout="interleaved"):
    i = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = positions.double().unsqueeze(-1) * torch.exp(-math.log(base) * i / d_model)
    pairs = torch.stack([angles.sin(), angles.cos()], dim=-1)
    if layout == "half":
        pairs = pairs.transpose(-1, -2)
    return pairs.flatten(-2)


def slowest_wavelength(d_model, base):
    exponent = torch.tensor((d_model - 2) / d_model, dtype=torch.float64)
    return 2 * torch.pi * torch.tensor(base, dtype=torch.float64) ** exponent


def first_repeat(period, with_cosine):
    n = torch.arange(1, period + 1)
    sums = n[:, None] + torch.arange(period)
    before = torch.arange(period) < n[:, None]
    mirrored = (2 * sums % (2 * period) == period) & before & (not with_cosine)
    again = mirrored.any(dim=1) | (n == period)
    return n[again][0]


def repair_adding(x, table):
    positions = torch.arange(x.size(1))
    return x + torch.nn.functional.embedding(positions, table)


FOUND = [{"d_model": 8, "base": 100}, 44]

by_hand = [*BY_HAND[:4], *np.asarray(BY_HAND[4:])]
find_turns = [(8, 100), np.asarray(44)]

WRONG = {
    "sinusoidal.by_hand": [
        ([1, 0, 1, 1, *BY_HAND[4:]], "highest first"),
        ([1, 1, 1, 0, *BY_HAND[4:]], "stands for 7, not for 11"),
        ([1, 1, 0, 1, -1.0, 0.0, 0.11, 0.5], "feature 3 is not 0.5"),
        ([1, 1, 0, 1, -1.0, 0.0, 0.11, ...], "still dots"),
        ([1, 1, 0, 1], "Eight numbers are wanted (4 digits, 4 features), got 4"),
        ([1.5, 1, 0, 1, -1.0, 0.0, 0.11, 0.99], "must be whole numbers"),
    ],
    "sinusoidal.sinusoidal_encoding": [
        (made(sinusoidal_encoding, ("np.sin(angles),", "angles,")), "should be"),
        (made(sinusoidal_encoding, ("[..., None]", "[:, None]")), "several axes"),
        (made(sinusoidal_encoding, *AVERAGED), "if positions have two axes"),
    ],
    "sinusoidal.repair_encoding": [
        (
            made(sinusoidal_encoding, *FLOAT32),
            "The angles have 32 bits",
            "position 1048579, feature",
        ),
    ],
    "sinusoidal.find_turns": [
        ([{"d_model": 64, "base": 10_000}, 44], "turns once in 4.712e+04 tokens"),
        ([FOUND[0], 22], "other end of its dial"),
        ([FOUND[0], 360], "a turn in degrees"),
        ([{"d_model": 2, "base": 100}, 44], "79.6 times"),
        ([{"d_model": 4, "base": 40_000}, 44], "That counts radians"),
        ([FOUND[0], 6], "look farther on", "is not back at that position"),
        ([FOUND[0], 710], "an earlier one, too", "not the first time"),
        ([FOUND[0], 0], "where the hand starts"),
        ([..., 44], "setting is still to be found"),
        ([{"d_model": 7, "base": 100}, 44], "must be even"),
        ([{"d_model": 8, "base": 1}, 44], "base must be more than 1"),
        ([FOUND[0]], "a setting and a position"),
    ],
}
