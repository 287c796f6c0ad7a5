"""Answers to the exercises: a right one in another style each, and wrong ones."""

import numpy as np
import torch

import posenc

BY_HAND = [[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 0, 1], [0, 0, -1, 0]]


def shift_operator(offset, d_model, *, base=10_000.0):
    angle = offset * base ** (-torch.arange(0, d_model, 2) / d_model)  # float32
    cos, sin = angle.cos(), angle.sin()
    rows = [torch.stack([cos, sin], -1), torch.stack([-sin, cos], -1)]
    return torch.block_diag(*torch.stack(rows, -2))


def half_shift_operator(offset, d_model, *, base=10_000.0):
    matrix = posenc.rotation.shift_operator(offset, d_model, base=base, xp=torch)
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    return matrix[order][:, order]


def find_offset(first, second, *, base=10_000.0):
    theta = base ** (2 / first.shape[0] - 1)
    hands = torch.stack([first, second]).unflatten(-1, (-1, 2))[:, -1]
    angles = torch.atan2(hands[:, 0], hands[:, 1])
    turn = torch.remainder(angles[1] - angles[0] + torch.pi, 2 * torch.pi) - torch.pi
    return turn / theta


def repair_shift(table, offset, *, base=10_000.0):
    pairs = torch.view_as_complex(table.flip(-1).unflatten(-1, (-1, 2)).contiguous())
    d = table.shape[-1]
    angle = offset * base ** (-torch.arange(d - 2, -1, -2, dtype=torch.float64) / d)
    turned = pairs * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2).flip(-1)


def first_rise(d_model, *, base=10_000.0):
    n = torch.arange(5000, dtype=torch.float64)
    s = posenc.rotation.position_similarity(n, d_model, base=base)
    return (s.diff() > 0).nonzero()[0, 0] + 1


def commuting_part(matrix):
    d = matrix.shape[0]
    blocks = [matrix[i : i + 2, i : i + 2] for i in range(0, d, 2)]
    adjugates = [torch.stack([b[1].flip(0), b[0].flip(0)]) for b in blocks]
    signs = torch.tensor([[1.0, -1.0], [-1.0, 1.0]], dtype=matrix.dtype)
    halves = zip(blocks, adjugates, strict=True)
    return torch.block_diag(*((b + signs * a) / 2 for b, a in halves))


ALIKE = {"d_model": 4, "base": 10_000, "distance": 19}

find_distances = [*np.asarray([(8, 19)]).tolist(), {**ALIKE, "distance": 12}]

WRONG = {
    "rotation.quarter_turn": [
        ([*BY_HAND[:3], [0, 0, -1, 1]], "row 3, column 3: 1 is not right"),
    ],
    "rotation.shift_operator": [
        (
            lambda offset, d, base=10_000.0: shift_operator(int(offset), d, base=base),
            "does not turn PE(3) into PE(5.5)",
        ),
    ],
    "rotation.find_distances": [
        ([(8, 15), ALIKE], "twice 8 is 16", "at least twice the near one"),
        ([(7, 16), ALIKE], "must be the more similar one"),
        ([(19, 8), ALIKE], "comes first"),
        ([(3, 6), ALIKE], "from 7 to 40"),
        ([(8, 19), ...], "still to be found"),
        ([8, ALIKE], "must look like (near, far)"),
        ([(8, 19)], "a list of two things"),
        ([(8, 19), {**ALIKE, "distance": 6}], "more than 10 tokens"),
        (
            [(8, 19), {**ALIKE, "distance": 15}],
            "must be above 0.9",
            "until the fast clock completes",
        ),
        ([(8, 19), {**ALIKE, "d_model": 8}], "Fewer clocks are easier to fool"),
        ([(8, 19), {**ALIKE, "d_model": 6}], "d_model must be one of 4, 8"),
    ],
}
