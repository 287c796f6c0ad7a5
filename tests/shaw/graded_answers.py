"""A right answer to each exercise for marks, in another style than its solution."""

import torch


def lopsided_index(q_len, k_len, before, after, *, q_offset=0):
    query = q_offset + torch.arange(q_len)[:, None]
    return (torch.arange(k_len) - query).clamp(-before, after) + before


def inner_pairs(seq_len, max_distance):
    k = min(max_distance, seq_len - 1)
    return seq_len + 2 * (k * seq_len - k * (k + 1) // 2)
