"""A right answer to each exercise for marks, in another style than its solution."""

import math

import torch


def cosine_first_encoding(positions, d_model, *, base=10_000.0):
    theta = torch.logspace(0, -1, d_model // 2, base=base, dtype=torch.float64)
    angles = positions[:, None] * theta
    return torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)


def turning_pairs(num_tokens, d_model, base):
    count = 0
    for i in range(d_model // 2):
        count += num_tokens * base ** (-2 * i / d_model) >= 2 * math.pi
    return count
