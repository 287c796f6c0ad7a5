"""Answers to the exercises of SLUG: right in several styles, and wrong ones.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. The mistakes that the judge knows are
tried as answers without being listed here.
"""

import numpy as np
import torch


def scaled(positions, scale):
    return positions * scale


def scaled_loops(positions, scale):
    return [scale * p for p in positions]


def scaled_torch(positions, scale):
    return torch.as_tensor(positions) * scale


def scaled_outer(positions, scale):
    return np.outer(positions, [scale])


RIGHT = {"SLUG.scaled_position": [scaled, scaled_loops, scaled_torch]}
WRONG = {"SLUG.scaled_position": [(scaled_outer, "must have shape")]}
