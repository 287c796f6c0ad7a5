"""A right answer to each exercise for marks, in another style than its solution."""

import numpy as np
import torch


def window_layers(num_layers, period, window):
    layer = np.arange(1, num_layers + 1)
    return np.where(layer % period == 0, 0, window)


def back_to_neighbors(head_dim, rotary_dim):
    turned = torch.arange(rotary_dim).reshape(2, -1).T.flatten()
    return torch.cat([turned, torch.arange(rotary_dim, head_dim)])
