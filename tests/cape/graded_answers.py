"""A right answer to each exercise for marks, in another style than its solution."""

import torch


def move_stamps(positions, mask, shift, scale, jitter):
    first = mask.to(torch.int64).argmax(dim=1, keepdim=True)
    inside = positions - positions.gather(1, first) + jitter
    return (scale[:, None] * inside + shift[:, None]) * mask


def one_sided_swap(step, max_jitter):
    if step >= max_jitter:
        return 0.0
    return (1 - step / max_jitter) ** 2 / 2
