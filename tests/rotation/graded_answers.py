"""A right answer to each exercise for marks, in another style than its solution."""

import torch


def cosine_first_operator(offset, d_model, *, base=10_000.0):
    theta = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    c, s = (offset * theta).cos(), (offset * theta).sin()
    blocks = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)
    return torch.block_diag(*blocks)


def find_position(encoding, *, base=10_000.0):
    d = len(encoding)
    return torch.atan2(encoding[-2], encoding[-1]) * base ** (1 - 2 / d)
