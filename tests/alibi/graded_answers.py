"""A right answer to each exercise for marks, in another style than its solution."""

import torch


def lopsided_bias(slopes, q_len, k_len, *, q_offset=0):
    distance = q_offset + torch.arange(q_len)[:, None] - torch.arange(k_len)
    cost = distance.clamp(min=0) + 2 * (-distance).clamp(min=0)
    return -slopes[:, None, None] * cost


def slopes_down_to(num_heads, exponent):
    heads = torch.arange(1, num_heads + 1, dtype=torch.float64)
    return torch.exp2(-exponent * heads / num_heads)
