"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import itertools
import math

import torch


def window_loops(q, k, v, *, window):
    out = []
    for i in range(len(q)):
        seen = range(max(i - window + 1, 0), i + 1)
        e = [math.exp(q[i] @ k[j] / math.sqrt(q.shape[1])) for j in seen]
        out.append(sum(x / sum(e) * v[j] for x, j in zip(e, seen, strict=True)))
    return out


def window_torch(q, k, v, *, window):
    ones = torch.ones(len(q), len(q), dtype=torch.bool)
    mask = ones.tril() & ones.triu(1 - window)
    scores = (q @ k.T / q.shape[1] ** 0.5).masked_fill(~mask, -torch.inf)
    return scores.softmax(dim=-1) @ v


def same_by_trying(words):
    if len(words) < 9:
        return len(set(itertools.permutations(words[:-1])))
    return same_by_choosing(words)


def same_by_choosing(words):
    left, number = len(words) - 1, 1
    for word in set(words[:-1]):
        count = words[:-1].count(word)
        number *= math.comb(left, count)
        left -= count
    return number


RIGHT = {
    "attention.windowed_attention": [window_loops, window_torch],
    "attention.same_last_output": [same_by_trying, same_by_choosing],
}
WRONG = {
    "attention.windowed_attention": [(lambda q, k, v, *, window: v, "another one")],
    "attention.same_last_output": [(lambda words: len(words), "another one")],
}
