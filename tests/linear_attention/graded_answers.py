"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import numpy as np
import torch


def saving_loops(r, d):
    length = 0
    while 2 * length * d <= r * d + r:
        length += 1
    return length


def saving_floor(r, d):
    return int(np.floor((r * d + r) / (2 * d) + 1e-12)) + 1


def backward_loops(q, k, v, *, decay):
    out = []
    for i in range(len(q) - 1):
        keys = range(i + 1, len(q))
        weights = [decay ** (j - i) * float(q[i] @ k[j]) for j in keys]
        mixed = sum(w * v[j] for j, w in zip(keys, weights, strict=True))
        out.append(mixed / sum(weights))
    return [*out, 0 * v[-1]]


def backward_torch(q, k, v, *, decay):
    steps = torch.arange(len(q))[None, :] - torch.arange(len(q))[:, None]
    weights = (q @ k.T * decay ** steps.clamp(min=0)).triu(1)
    return weights @ v / weights.sum(dim=1, keepdim=True).clamp(min=1e-300)


RIGHT = {
    "linear_attention.saving_length": [saving_loops, saving_floor],
    "linear_attention.backward_attention": [backward_loops, backward_torch],
}
WRONG = {
    "linear_attention.saving_length": [(lambda r, d: d, "The length is wrong")],
    "linear_attention.backward_attention": [(lambda q, k, v, *, decay: v, "is wrong")],
}
