"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import math

import torch


def encoding_loops(positions, d_model, *, base=10_000.0):
    pairs, out = d_model // 2, []
    for m in positions:
        row = []
        for i in range(pairs):
            angle = m / base ** (i / (pairs - 1))
            row += [math.cos(angle), math.sin(angle)]
        out.append(row)
    return out


def encoding_torch(positions, d_model, *, base=10_000.0):
    theta = torch.logspace(0, -1, d_model // 2, base=base, dtype=torch.float64)
    angles = positions[:, None] * theta
    return torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)


def turning_loops(num_tokens, d_model, base):
    count = 0
    for i in range(d_model // 2):
        count += num_tokens * base ** (-2 * i / d_model) >= 2 * math.pi
    return count


def turning_formula(num_tokens, d_model, base):
    turns = num_tokens / (2 * math.pi)
    if turns < 1:
        return 0
    last = math.floor(d_model / 2 * math.log(turns) / math.log(base))
    return min(last + 1, d_model // 2)


RIGHT = {
    "sinusoidal.cosine_first_encoding": [encoding_loops, encoding_torch],
    "sinusoidal.turning_pairs": [turning_loops, turning_formula],
}
WRONG = {
    "sinusoidal.cosine_first_encoding": [
        (lambda p, d, *, base: [[0.0] * d for _ in p], "another one")
    ],
    "sinusoidal.turning_pairs": [(lambda n, d, base: d, "Another number")],
}
