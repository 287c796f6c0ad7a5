"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import numpy as np
import torch


def unskew_loops(scores):
    length = len(scores)
    out = np.full((length, length), 7.0)  # anything, where there is no key
    for i in range(length):
        for j in range(i + 1):
            out[i, length - 1 + j - i] = scores[i, j]
    return out


def unskew_torch(scores):
    length = len(scores)
    rows = [row.roll(length - 1 - i) for i, row in enumerate(scores)]
    return torch.stack(rows)


def seen_loops(j, block, seq_len):
    return sum(j <= i and i // block - j // block < 2 for i in range(seq_len))


def seen_range(j, block, seq_len):
    return len(range(j, min(seq_len, j - j % block + 2 * block)))


RIGHT = {
    "music_transformer.unskew": [unskew_loops, unskew_torch],
    "music_transformer.queries_that_see": [seen_loops, seen_range],
}
WRONG = {
    "music_transformer.unskew": [(lambda s: 0 * s, "column of its offset")],
    "music_transformer.queries_that_see": [(lambda j, b, n: n, "Another number")],
}
