"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import torch


def index_loops(q_len, k_len, before, after, *, q_offset=0):
    def place(r):
        return max(-before, min(r, after)) + before

    return [[place(j - q_offset - i) for j in range(k_len)] for i in range(q_len)]


def index_torch(q_len, k_len, before, after, *, q_offset=0):
    query = q_offset + torch.arange(q_len)[:, None]
    return (torch.arange(k_len) - query).clamp(-before, after) + before


def index_clipped_late(q_len, k_len, before, after, *, q_offset=0):
    query = q_offset + torch.arange(q_len)[:, None]
    return (torch.arange(k_len) - query + before).clamp(-before, after)


def inner_by_diagonals(seq_len, max_distance):
    k = min(max_distance, seq_len - 1)
    return seq_len + 2 * (k * seq_len - k * (k + 1) // 2)


def inner_by_corners(seq_len, max_distance):
    rest = seq_len - 1 - max_distance
    return seq_len**2 - (rest * (rest + 1) if rest > 0 else 0)


RIGHT = {
    "shaw.lopsided_index": [index_loops, index_torch],
    "shaw.inner_pairs": [inner_by_diagonals, inner_by_corners],
}
WRONG = {
    "shaw.lopsided_index": [
        (lambda q, k, b, a, q_offset=0: [[b] * k for _ in range(q)], "another row"),
        (index_clipped_late, "added before clipping"),
    ],
    "shaw.inner_pairs": [(lambda n, k: n, "another one")],
}
