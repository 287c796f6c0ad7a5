"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math

import numpy as np
import torch
from answer_sources import mistake
from torch.nn import functional as F

BY_HAND = ["go", "o", "noon", "", 6, 5]


def move_positions(positions, mask, shift, scale, jitter):
    mean = (positions * mask).sum(-1, keepdim=True) / mask.sum(-1, keepdim=True)
    moved = scale.unsqueeze(-1) * (positions - mean + shift.unsqueeze(-1) + jitter)
    return moved.masked_fill(~mask, 0)


def swap_chance(step, max_jitter):
    ratio = torch.tensor(step / max_jitter, dtype=torch.float64)
    return (1 - ratio / 2).clamp(min=0).square() / 2


def ctc_probability(chances, target):
    log = torch.as_tensor(np.asarray(chances)).log()[:, None]
    lengths = torch.tensor([len(log)]), torch.tensor([len(target)])
    blank = log.shape[-1] - 1
    loss = F.ctc_loss(
        log, torch.tensor([target]), *lengths, blank=blank, reduction="sum"
    )
    return torch.exp(-loss)


def counting_layer(most):
    """Other numbers that do: the lines meet in the middles of neighbors 1/n."""
    weights, biases = [0.0], [0.0]
    for n in range(1, most):
        middle = (1 / n + 1 / (n + 1)) / 2
        weights.append(weights[-1] - 1)
        biases.append(biases[-1] + middle)
    return weights, biases


def repair_augmentation(
    positions, mask, unit_shift, unit_scale, unit_jitter, *, maxima
):
    scale = torch.exp(unit_scale * math.log(maxima[2]))
    return move_positions(
        positions, mask, maxima[0] * unit_shift, scale, maxima[1] * unit_jitter
    )


def setting(draw, tokens, shift, jitter, scale):
    return {
        "draw": draw,
        "tokens": tokens,
        "max_global_shift": shift,
        "max_local_shift": jitter,
        "max_scale": scale,
    }


SETTINGS = [
    setting(5, 12, 3.0, 1.0, 1.5),
    setting(11, 16, 0.0, 2.0, 1.0),
    setting(4, 4, 8.0, 0.5, 1.0),
]

collapse_by_hand = [" go ", '"o"', "noon", "", np.int64(6), 5.0]
find_settings = np.asarray([list(s.values()) for s in SETTINGS])


WRONG = {
    "cape.collapse_by_hand": [
        (
            ["go", "o", "noon", "", 5, 5],
            "the number of paths of o in 3 frames is not 5",
        ),
        (["go", "o", "noon", "–", 6, 5], "the reading of ––– is not '–'"),
        ([1, "o", "noon", "", 6, 5], "The first four are words"),
        ([*BY_HAND[:4], [], 5], "numbers of paths; got []"),
        (BY_HAND[:5], "four words and two numbers"),
    ],
    "cape.counting_layer": [
        (mistake("cape.counting_layer"), "should name n = "),
        (lambda most: np.ones(most), "must return weights and biases"),
        (lambda most: [np.full(most, np.nan)] * 2, "names no single number"),
    ],
    "cape.find_settings": [
        ([setting(5, 12, 3, 0.5, 1), *SETTINGS[1:]], "at least one whole step"),
        (
            [setting(5, 9, 3, 1, 1), *SETTINGS[1:]],
            "at least 10 tokens",
            "here there are 9",
        ),
        ([setting(1, 12, 3, 2, 1), *SETTINGS[1:]], "no pair may have changed"),
        (
            [SETTINGS[0], setting(11, 16, 0, 0.5, 1), SETTINGS[2]],
            "here 0 have",
            "no pair can change",
        ),
        ([*SETTINGS[:2], setting(0, 16, 0, 0, 1)], "Without a global shift"),
        ([*SETTINGS[:2], setting(0, 16, 8, 0, 1)], "on one side of 0"),
        ([*SETTINGS[:2], setting(0, 3, 8, 0, 1)], "from 4 to 16"),
        ([*SETTINGS[:2], setting(0, 4, 7, 0, 1)], "one of the widget's"),
        ([SETTINGS[0], ..., SETTINGS[2]], "second setting is still to be found"),
    ],
}
