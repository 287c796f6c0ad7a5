"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import torch


def stamps_loops(positions, mask, shift, scale, jitter):
    out = []
    for p, m, delta, factor, e in zip(
        positions, mask, shift, scale, jitter, strict=True
    ):
        first = next(x for x, real in zip(p, m, strict=True) if real)
        out.append(
            [
                float(factor * (x - first + noise) + delta) if real else 0.0
                for x, real, noise in zip(p, m, e, strict=True)
            ]
        )
    return out


def stamps_torch(positions, mask, shift, scale, jitter):
    first = mask.to(torch.int64).argmax(dim=1, keepdim=True)
    inside = positions - positions.gather(1, first) + jitter
    return (scale[:, None] * inside + shift[:, None]) * mask


def swap_by_cases(step, max_jitter):
    if step >= max_jitter:
        return 0.0
    return (1 - step / max_jitter) ** 2 / 2


def swap_by_strips(step, max_jitter):
    strips = 20_000
    lefts = ((n + 0.5) * max_jitter / strips for n in range(strips))
    return sum(max(left - step, 0) / max_jitter for left in lefts) / strips


RIGHT = {
    "cape.move_stamps": [stamps_loops, stamps_torch],
    "cape.one_sided_swap": [swap_by_cases, swap_by_strips],
}
WRONG = {
    "cape.move_stamps": [(lambda p, m, s, c, j: p, "another place")],
    "cape.one_sided_swap": [(lambda step, most: 0.5, "another one")],
}
