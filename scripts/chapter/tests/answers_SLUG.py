"""Answers to the exercises of SLUG: right in several styles, wrong in known ways.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. Wrong ones are made from right ones by
replacing a piece of their code.
"""

import numpy as np
import torch
from answer_sources import made

SCALED = """
def scaled(positions, scale):
    return positions * scale
"""


def scaled_loops(positions, scale):
    return [scale * p for p in positions]


def scaled_torch(positions, scale):
    return torch.as_tensor(positions) * scale


def scaled_outer(positions, scale):
    return np.outer(positions, [scale])[:, 0]


RIGHT = {
    "SLUG.scaled_position": [made(SCALED), scaled_loops, scaled_torch, scaled_outer],
}
WRONG = {
    "SLUG.scaled_position": [
        (made(SCALED, ("* scale", "/ scale")), "divides"),
        (made(SCALED, ("* scale", "+ scale")), "added"),
        (made(SCALED, (" * scale", "")), "ignored"),
    ],
}
