"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import numpy as np
import torch


def lopsided_loops(slopes, q_len, k_len, *, q_offset=0):
    out = np.zeros((len(slopes), q_len, k_len))
    for h, slope in enumerate(slopes):
        for i in range(q_len):
            for j in range(k_len):
                distance = q_offset + i - j
                out[h, i, j] = -slope * (distance if distance >= 0 else -2 * distance)
    return out


def lopsided_torch(slopes, q_len, k_len, *, q_offset=0):
    distance = q_offset + torch.arange(q_len)[:, None] - torch.arange(k_len)
    cost = distance.clamp(min=0) + 2 * (-distance).clamp(min=0)
    return -slopes[:, None, None] * cost


def down_loops(num_heads, exponent):
    ratio = 0.5 ** (exponent / num_heads)
    slopes = [ratio]
    while len(slopes) < num_heads:
        slopes.append(slopes[-1] * ratio)
    return slopes


def down_torch(num_heads, exponent):
    heads = torch.arange(1, num_heads + 1, dtype=torch.float64)
    return torch.exp2(-exponent * heads / num_heads)


RIGHT = {
    "alibi.lopsided_bias": [lopsided_loops, lopsided_torch],
    "alibi.slopes_down_to": [down_loops, down_torch],
}
WRONG = {
    "alibi.lopsided_bias": [
        (lambda s, q, k, q_offset=0: np.zeros((len(s), q, k)), "value of the bias")
    ],
    "alibi.slopes_down_to": [(lambda n, e: [2.0**-h for h in range(n)], "slope")],
}
