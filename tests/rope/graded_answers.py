"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import cmath

import numpy as np
import torch


def partial_loops(x, positions, *, rotary_dim, base=10_000.0):
    out = np.array(x, dtype=float)
    for row, m in enumerate(positions):
        for i in range(rotary_dim // 2):
            z = complex(x[row, 2 * i], x[row, 2 * i + 1])
            z *= cmath.exp(1j * float(m) * base ** (-2 * i / rotary_dim))
            out[row, 2 * i], out[row, 2 * i + 1] = z.real, z.imag
    return out


def turned(x, positions, base):
    d = x.shape[1]
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = positions[:, None] * theta
    a, b = x[:, 0::2], x[:, 1::2]
    pairs = [a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()]
    return torch.stack(pairs, dim=-1).reshape(x.shape)


def partial_torch(x, positions, *, rotary_dim, base=10_000.0):
    first = turned(x[:, :rotary_dim], positions, base)
    return torch.cat([first, x[:, rotary_dim:]], dim=1)


def axial_loops(x, rows, columns, *, base=10_000.0):
    h = x.shape[1] // 2
    first = partial_loops(x[:, :h], rows, rotary_dim=h, base=base)
    second = partial_loops(x[:, h:], columns, rotary_dim=h, base=base)
    return np.hstack([first, second])


def axial_torch(x, rows, columns, *, base=10_000.0):
    first, second = x.chunk(2, dim=1)
    return torch.cat([turned(first, rows, base), turned(second, columns, base)], dim=1)


RIGHT = {
    "rope.partial_rotary": [partial_loops, partial_torch],
    "rope.axial_rotary": [axial_loops, axial_torch],
}
WRONG = {
    "rope.partial_rotary": [(lambda x, p, *, rotary_dim, base: x, "not turned")],
    "rope.axial_rotary": [(lambda x, r, c, *, base: x, "not turned")],
}
