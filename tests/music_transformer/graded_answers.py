"""A right answer to each exercise for marks, in another style than its solution."""

import torch


def unskew(scores):
    length = len(scores)
    rows = [row.roll(length - 1 - i) for i, row in enumerate(scores)]
    return torch.stack(rows)


def queries_that_see(j, block, seq_len):
    return sum(j <= i and i // block - j // block < 2 for i in range(seq_len))
