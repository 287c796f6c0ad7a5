"""A right answer to each exercise for marks, in another style than its solution."""

import math

import torch


def windowed_attention(q, k, v, *, window):
    ones = torch.ones(len(q), len(q), dtype=torch.bool)
    mask = ones.tril() & ones.triu(1 - window)
    scores = (q @ k.T / q.shape[1] ** 0.5).masked_fill(~mask, -torch.inf)
    return scores.softmax(dim=-1) @ v


def same_last_output(words):
    left, number = len(words) - 1, 1
    for word in set(words[:-1]):
        count = words[:-1].count(word)
        number *= math.comb(left, count)
        left -= count
    return number
