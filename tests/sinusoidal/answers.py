"""Answers to the exercises on sinusoids: right in several styles, and wrong ones.

``RIGHT`` and ``WRONG`` are as in ``answers_t5``.
"""

import math

import numpy as np
import torch
from answer_sources import made

import posenc

# --- by hand -------------------------------------------------------------------------

BY_HAND = [1, 1, 0, 1, -1.0, 0.0, 0.11, 0.99]


def dials_loops(num_steps):
    dials = 0
    while 2**dials < num_steps:
        dials += 1
    return dials


def dials_numpy(num_steps):
    return np.searchsorted(2 ** np.arange(62), num_steps)


def dials_torch(num_steps):
    return torch.sum(2 ** torch.arange(62) < num_steps)


# --- the encoding --------------------------------------------------------------------

LOOPS = """
def encode(positions, d_model, *, base=10_000.0, layout="interleaved"):
    out = np.zeros((*positions.shape, d_model))
    for place in np.ndindex(positions.shape):
        for i in range(d_model // 2):
            angle = float(positions[place]) / base ** (2 * i / d_model)
            where = (2 * i, 2 * i + 1)
            if layout == "half":
                where = (i, i + d_model // 2)
            out[place + (where[0],)] = math.sin(angle)
            out[place + (where[1],)] = math.cos(angle)
    return out
"""

NUMPY = """
def encode(positions, d_model, *, base=10_000.0, layout="interleaved"):
    theta = base ** (-np.arange(0, d_model, 2) / d_model)
    angles = positions[..., None] * theta
    sin, cos = np.sin(angles), np.cos(angles)
    if layout == "half":
        return np.concatenate([sin, cos], axis=-1)
    return np.stack([sin, cos], axis=-1).reshape(*positions.shape, d_model)
"""


def encode_torch(positions, d_model, *, base=10_000.0, layout="interleaved"):
    i = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = positions.double().unsqueeze(-1) * torch.exp(-math.log(base) * i / d_model)
    pairs = torch.stack([angles.sin(), angles.cos()], dim=-1)
    if layout == "half":
        pairs = pairs.transpose(-1, -2)
    return pairs.flatten(-2)


DOUBLED = (("np.arange(0, d_model, 2) / d", "2 * np.arange(0, d_model, 2) / d"),)
FLOAT32 = (
    ("theta =", "positions = positions.astype(np.float32)\n    theta ="),
    (" / d_model)\n", " / d_model).astype(np.float32)\n"),
)
OUTER = (
    ("positions[..., None] * theta", "np.outer(positions, theta)"),
    ("(*positions.shape, d_model)", "(-1, d_model)"),
)
INTERLEAVED = (('if layout == "half"', "if False"),)
APART = (("np.cos(angles)", "np.cos(angles / base ** (1 / d_model))"),)
AVERAGED = (("[..., None] * theta", "[..., None] * theta * (3 - positions.ndim) / 2"),)
# --- the slowest wave ----------------------------------------------------------------


def slowest_loops(d_model, base):
    wavelength = 2 * math.pi
    for _ in range(d_model // 2 - 1):
        wavelength *= base ** (2 / d_model)
    return wavelength


def slowest_numpy(d_model, base):
    theta = base ** (-np.arange(0, d_model, 2) / d_model)
    return np.max(2 * np.pi / theta)


def slowest_torch(d_model, base):
    exponent = torch.tensor((d_model - 2) / d_model, dtype=torch.float64)
    return 2 * torch.pi * torch.tensor(base, dtype=torch.float64) ** exponent


# --- coming back ---------------------------------------------------------------------


def repeat_loops(period, with_cosine):
    if with_cosine or period % 2:
        return period
    n = 1
    while 4 * n <= period:
        n += 1
    return n


def repeat_numpy(period, with_cosine):
    angles = 2 * np.pi * np.arange(period + 1) / period
    rows = np.stack([np.sin(angles), np.cos(angles) * with_cosine], axis=-1)
    for n in range(1, period + 1):
        if (np.abs(rows[:n] - rows[n]).max(axis=1) < 1e-9).any():
            return n
    return None


def repeat_torch(period, with_cosine):
    n = torch.arange(1, period + 1)
    sums = n[:, None] + torch.arange(period)
    before = torch.arange(period) < n[:, None]
    mirrored = (2 * sums % (2 * period) == period) & before & (not with_cosine)
    again = mirrored.any(dim=1) | (n == period)
    return n[again][0]


# --- adding --------------------------------------------------------------------------


def add_loops(x, table):
    out = x + 0
    for sentence in range(x.shape[0]):
        for token in range(x.shape[1]):
            out[sentence, token] += table[token]
    return out


ADDING = """
def add(x, table):
    return x + table[: x.shape[1]]
"""


def add_torch(x, table):
    positions = torch.arange(x.size(1))
    return x + torch.nn.functional.embedding(positions, table)


FOUND = [{"d_model": 8, "base": 100}, 44]

RIGHT = {
    "sinusoidal.by_hand": [
        BY_HAND,
        tuple(BY_HAND),
        [1, 1, 0, 1, *posenc.sinusoidal.sinusoidal_encoding(np.asarray(11.0), 4)],
        torch.tensor([1, 1, 0, 1]).tolist() + BY_HAND[4:],
    ],
    "sinusoidal.dials_needed": [
        dials_loops,
        dials_numpy,
        dials_torch,
        lambda num_steps: (num_steps - 1).bit_length(),
    ],
    "sinusoidal.sinusoidal_encoding": [
        made(LOOPS),
        made(NUMPY),
        encode_torch,
        posenc.sinusoidal.sinusoidal_encoding,
    ],
    "sinusoidal.repair_encoding": [made(LOOPS), made(NUMPY), encode_torch],
    "sinusoidal.slowest_wavelength": [slowest_loops, slowest_numpy, slowest_torch],
    "sinusoidal.first_repeat": [repeat_loops, repeat_numpy, repeat_torch],
    "sinusoidal.repair_adding": [add_loops, made(ADDING), add_torch],
    "sinusoidal.find_turns": [
        FOUND,
        ((4, 1000), 44),
        [(8, 100), np.asarray(44)],
    ],
}

WRONG = {
    "sinusoidal.by_hand": [
        ([1, 0, 1, 1, *BY_HAND[4:]], "highest first"),
        ([1, 1, 1, 0, *BY_HAND[4:]], "stands for 7, not for 11"),
        ([1, 1, 0, 1, -1.0, 0.0, 0.11, 0.5], "feature 3 is not 0.5"),
        ([1, 1, 0, 1, -1.0, 0.0, 0.11, ...], "still dots"),
        ([1, 1, 0, 1], "Eight numbers are wanted (4 digits, 4 features), got 4"),
        ([1.5, 1, 0, 1, -1.0, 0.0, 0.11, 0.99], "must be whole numbers"),
        ("1101", "Eight numbers are wanted"),
    ],
    "sinusoidal.dials_needed": [
        (lambda n: math.log2(n), "must be whole numbers"),
    ],
    "sinusoidal.sinusoidal_encoding": [
        (made(NUMPY, ("np.sin(angles),", "angles,")), "should be"),
        (made(NUMPY, ("(*positions.shape, d_model)", "(-1, d_model)")), "shape"),
        (made(NUMPY, ("theta =", "positions += 1\n    theta =")), "changes its input"),
        (made(NUMPY, ("[..., None]", "[:, None]")), "Positions may have several axes"),
        (made(NUMPY, *APART), "pair have different frequencies"),
        (made(NUMPY, *OUTER), "Positions may have several axes"),
        (made(NUMPY, *AVERAGED), "if positions have two axes"),
        (made(NUMPY, *DOUBLED, *INTERLEAVED), "exponent counts twice"),
        (made(NUMPY, *DOUBLED, *INTERLEAVED), "always interleaved"),
    ],
    "sinusoidal.repair_encoding": [
        (made(NUMPY, *DOUBLED, *FLOAT32), "exponent counts twice"),
        (made(NUMPY, *FLOAT32), "The angles have 32 bits"),
        (made(NUMPY, *FLOAT32), "position 1048579, feature"),
    ],
    "sinusoidal.slowest_wavelength": [
        (lambda d, b: "long", "must be real numbers"),
    ],
    "sinusoidal.first_repeat": [
        (lambda period, with_cosine: period / 2, "must be whole numbers"),
        (lambda period, with_cosine: period + 1, "should be"),
    ],
    "sinusoidal.repair_adding": [
        (made(ADDING, ("return x +", "x += 1\n    return x +")), "changes its input x"),
        (made(ADDING, ("x.shape[1]", "x.shape[0]")), "It raises ValueError"),
    ],
    "sinusoidal.find_turns": [
        ([{"d_model": 64, "base": 10_000}, 44], "turns once in 4.712e+04 tokens"),
        ([FOUND[0], 22], "other end of its dial"),
        ([FOUND[0], 360], "a turn in degrees"),
        ([{"d_model": 2, "base": 100}, 44], "79.6 times"),
        ([{"d_model": 4, "base": 40_000}, 44], "That counts radians"),
        ([FOUND[0], 6], "look farther on"),
        ([FOUND[0], 710], "an earlier one, too"),
        ([FOUND[0], 6], "is not back at that position"),
        ([FOUND[0], 0], "where the hand starts"),
        ([FOUND[0], 710], "not the first time"),
        ([FOUND[0], ...], "still to be found"),
        ([..., 44], "setting is still to be found"),
        ([{"d_model": 7, "base": 100}, 44], "must be even"),
        ([{"d_model": 8, "base": 1}, 44], "base must be more than 1"),
        ([{"d_model": 8}, 44], "must look like"),
        ([FOUND[0]], "a setting and a position"),
    ],
}
