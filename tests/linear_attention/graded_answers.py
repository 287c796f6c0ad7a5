"""A right answer to each exercise for marks, in another style than its solution."""

import numpy as np
import torch


def saving_length(r, d):
    return int(np.floor((r * d + r) / (2 * d) + 1e-12)) + 1


def backward_attention(q, k, v, *, decay):
    steps = torch.arange(len(q))[None, :] - torch.arange(len(q))[:, None]
    weights = (q @ k.T * decay ** steps.clamp(min=0)).triu(1)
    return weights @ v / weights.sum(dim=1, keepdim=True).clamp(min=1e-300)
