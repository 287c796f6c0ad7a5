"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math

import torch


def taylor_features(x):
    ones = torch.ones(len(x), 1, dtype=x.dtype)
    squares = (x[:, :, None] * x[:, None, :]).flatten(1) / 2**0.5
    return torch.cat([ones, x, squares], dim=1)


def crossover(r, d):
    return math.floor(2 * r * d / (r + d)) + 1


def repair_decoder(q, k, v, *, decay=1.0):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    z = torch.zeros(k.shape[1], dtype=v.dtype)
    rows = []
    for a, b, c in zip(q, k, v, strict=True):
        S, z = decay * S + torch.outer(b, c), decay * z + b
        rows.append(a @ S / (a @ z))
    return torch.stack(rows)


def causal_attention(q, k, v, *, decay=1.0, chunk=16):
    return repair_decoder(q, k, v, decay=decay)


def faded_by_division(q, k, v, *, decay=1.0, chunk=16):
    """Let the sums grow, and overflow, in place of fading the state."""
    growth = decay ** -torch.arange(len(q), dtype=q.dtype)[:, None]
    S = (growth[:, :, None] * k[:, :, None] * v[:, None]).cumsum(0)
    top, bottom = (q[:, None] @ S)[:, 0], (growth * k).cumsum(0)
    return top / (q * bottom).sum(1, keepdim=True)


def repair_rotation(q, k, angles):
    q, k = (torch.nn.functional.elu(x) + 1 for x in (q, k))
    factors = torch.polar(torch.ones_like(angles), angles)

    def turned(x):
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(pairs * factors).flatten(-2)

    return turned(q) @ turned(k).mT / (q @ k.sum(0))[:, None]


def crossing_angle(n):
    return math.pi / 2 + math.asin(1 / n)


def toeplitz_product(factors, u):
    size = 2 * len(factors)
    spectrum = torch.fft.rfft(factors.flip(0), n=size) * torch.fft.rfft(u, n=size)
    return torch.fft.irfft(spectrum, n=size)[len(u) - 1 : 2 * len(u) - 1]


WRONG = {
    "linear_attention.state_by_hand": [
        ([4, 8, 10, 7, 3, 4, 12, 2, 1.5], "the denominator: not 12"),
        ([4, 10, 8, 7, 3, 4, 11, 24 / 11, 2], "S, row 0, column 1: not 10"),
    ],
    "linear_attention.causal_attention": [(faded_by_division, "Let the state fade")],
    "linear_attention.three_numbers": [
        ([4096, 9, 4], "question 1: not 4096"),
        ([64, 18, 8], "question 3: not 8 (product of the lifted"),
    ],
}
