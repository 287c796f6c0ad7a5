"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import cmath
import math

import numpy as np
import torch


def operator_loops(offset, d_model, *, base=10_000.0):
    rows = [[0.0] * d_model for _ in range(d_model)]
    for i in range(0, d_model, 2):
        angle = offset / base ** (i / d_model)
        rows[i][i] = rows[i + 1][i + 1] = math.cos(angle)
        rows[i][i + 1], rows[i + 1][i] = -math.sin(angle), math.sin(angle)
    return rows


def operator_torch(offset, d_model, *, base=10_000.0):
    theta = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    c, s = (offset * theta).cos(), (offset * theta).sin()
    blocks = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)
    return torch.block_diag(*blocks)


def position_phase(encoding, *, base=10_000.0):
    sine, cosine = encoding[-2:]
    return cmath.phase(complex(cosine, sine)) / base ** (2 / len(encoding) - 1)


def position_torch(encoding, *, base=10_000.0):
    d = len(encoding)
    return torch.atan2(encoding[-2], encoding[-1]) * base ** (1 - 2 / d)


RIGHT = {
    "rotation.cosine_first_operator": [operator_loops, operator_torch],
    "rotation.find_position": [position_phase, position_torch],
}
WRONG = {
    "rotation.cosine_first_operator": [(lambda k, d, *, base: np.eye(d), "entry")],
    "rotation.find_position": [(lambda row, *, base: 0.0, "another one")],
}
