"""Right and wrong answers to the exercises for marks."""

import numpy as np
import torch


def window_loops(num_layers, period, window):
    found = [window] * num_layers
    for i in range(period - 1, num_layers, period):
        found[i] = 0
    return found


def window_numpy(num_layers, period, window):
    layer = np.arange(1, num_layers + 1)
    return np.where(layer % period == 0, 0, window)


def back_numpy(head_dim, rotary_dim):
    order = np.arange(head_dim)
    order[:rotary_dim] = np.arange(rotary_dim).reshape(2, -1).T.ravel()
    return order


def back_torch(head_dim, rotary_dim):
    turned = torch.arange(rotary_dim).reshape(2, -1).T.flatten()
    return torch.cat([turned, torch.arange(rotary_dim, head_dim)])


RIGHT = {
    "checkpoint.window_layers": [window_loops, window_numpy],
    "checkpoint.back_to_neighbors": [back_numpy, back_torch],
}
WRONG = {
    "checkpoint.window_layers": [(lambda n, p, w: [0] * n, "A layer has not")],
    "checkpoint.back_to_neighbors": [
        (lambda d, r: list(range(d))[::-1], "wrong place"),
    ],
}
