"""Answers to the exercises on CAPE: right in several styles, and wrong in known ways.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. Wrong ones are made from right ones by
replacing a piece of their code.
"""

import math

import numpy as np
import torch
from answer_sources import made
from torch.nn import functional as F

# --- by hand -------------------------------------------------------------------------

BY_HAND = ["go", "o", "noon", "", 6, 5]

# --- moving --------------------------------------------------------------------------

MOVE = """
def move(positions, mask, shift, scale, jitter):
    total = (positions * mask).sum(-1, keepdims=True)
    mean = total / mask.sum(-1, keepdims=True)
    moved = scale[:, None] * (positions - mean + shift[:, None] + jitter)
    return np.where(mask, moved, 0)
"""


def move_loops(positions, mask, shift, scale, jitter):
    out = []
    for b in range(len(positions)):
        own = [p for p, token in zip(positions[b], mask[b], strict=True) if token]
        mean = sum(own) / len(own)
        out.append(
            [
                scale[b] * (p - mean + shift[b] + e) if token else 0.0
                for p, token, e in zip(positions[b], mask[b], jitter[b], strict=True)
            ]
        )
    return out


def move_torch(positions, mask, shift, scale, jitter):
    mean = (positions * mask).sum(-1, keepdim=True) / mask.sum(-1, keepdim=True)
    moved = scale.unsqueeze(-1) * (positions - mean + shift.unsqueeze(-1) + jitter)
    return moved.masked_fill(~mask, 0)


CHANCE = """
def chance(step, max_jitter):
    legs = max(0.0, 2 * max_jitter - step)
    return legs**2 / 2 / (2 * max_jitter) ** 2
"""


def chance_numpy(step, max_jitter):
    return np.maximum(0, 1 - step / (2 * max_jitter)) ** 2 / 2


def chance_torch(step, max_jitter):
    ratio = torch.tensor(step / max_jitter, dtype=torch.float64)
    return (1 - ratio / 2).clamp(min=0).square() / 2


# --- CTC -----------------------------------------------------------------------------

CTC = """
def ctc(chances, target):
    blank = chances.shape[1] - 1
    states = [blank]
    for symbol in target:
        states += [symbol, blank]
    reached = [1.0] + [0.0] * len(states)
    for row in chances:
        before = reached
        reached = [0.0] * len(before)
        for s, symbol in enumerate(states):
            total = before[s] + (before[s - 1] if s > 0 else 0)
            if s > 1 and symbol != blank and symbol != states[s - 2]:
                total += before[s - 2]
            reached[s] = total * row[symbol]
    return reached[len(states) - 1] + reached[len(states) - 2]
"""


def ctc_matrix(chances, target):
    """One step of all states is a product with a matrix."""
    chances = np.asarray(chances)
    blank = chances.shape[1] - 1
    states = np.full(2 * len(target) + 1, blank)
    states[1::2] = target
    move = np.eye(len(states)) + np.eye(len(states), k=1)
    for s in range(2, len(states)):
        move[s - 2, s] = states[s] != blank and states[s] != states[s - 2]
    reached = np.eye(len(states))[0]
    for row in chances:
        reached = reached @ move * row[states]
    return reached[-2:].sum()


def ctc_torch(chances, target):
    log = torch.as_tensor(np.asarray(chances)).log()[:, None]
    lengths = torch.tensor([len(log)]), torch.tensor([len(target)])
    blank = log.shape[-1] - 1
    loss = F.ctc_loss(
        log, torch.tensor([target]), *lengths, blank=blank, reduction="sum"
    )
    return torch.exp(-loss)


# --- counting ------------------------------------------------------------------------

LAYER = """
def layer(most):
    n = np.arange(1, most + 1)
    return 2 / n, -1 / n**2
"""


def layer_loops(most):
    return [
        [2 / n for n in range(1, most + 1)],
        [-1 / n**2 for n in range(1, most + 1)],
    ]


def layer_middles(most):
    """Other numbers that do: the lines meet in the middles of neighbors 1/n."""
    weights, biases = [0.0], [0.0]
    for n in range(1, most):
        middle = (1 / n + 1 / (n + 1)) / 2
        weights.append(weights[-1] - 1)
        biases.append(biases[-1] + middle)
    return weights, biases


def layer_torch(most):
    n = torch.arange(1, most + 1, dtype=torch.float64)
    return torch.stack([2 / n, -1 / n.square()])


# --- repairs -------------------------------------------------------------------------

STUB = """
def augment(positions, mask, unit_shift, unit_scale, unit_jitter, *, maxima):
    max_shift, max_jitter, max_scale = maxima
    shift = max_shift * unit_shift[:, None]
    scale = 1 + (max_scale - 1) * unit_scale[:, None]
    moved = positions + shift + max_jitter * unit_jitter
    total = (moved * mask).sum(axis=-1, keepdims=True)
    mean = total / mask.sum(axis=-1, keepdims=True)
    return scale * (moved - mean) * mask
"""
MEAN = ("(moved * mask)", "(positions * mask)")
SCALE = (
    "1 + (max_scale - 1) * unit_scale[:, None]",
    "max_scale ** unit_scale[:, None]",
)
EVEN_SCALE = (
    SCALE[0],
    "1 / max_scale + (max_scale - 1 / max_scale) * (unit_scale[:, None] + 1) / 2",
)
MEAN_WITH_JITTERS = (
    SCALE,
    ("positions + shift + ", "positions + "),
    ("(moved - mean)", "(moved - mean + shift)"),
)


def augment_loops(positions, mask, unit_shift, unit_scale, unit_jitter, *, maxima):
    return move_loops(
        positions,
        mask,
        maxima[0] * unit_shift,
        np.exp(unit_scale * math.log(maxima[2])),
        maxima[1] * unit_jitter,
    )


def augment_torch(positions, mask, unit_shift, unit_scale, unit_jitter, *, maxima):
    scale = torch.exp(unit_scale * math.log(maxima[2]))
    return move_torch(
        positions, mask, maxima[0] * unit_shift, scale, maxima[1] * unit_jitter
    )


# --- the widget ----------------------------------------------------------------------


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

RIGHT = {
    "cape.collapse_by_hand": [
        BY_HAND,
        tuple(BY_HAND),
        [" go ", '"o"', "noon", "", np.int64(6), 5.0],
    ],
    "cape.move_positions": [move_loops, made(MOVE), move_torch],
    "cape.swap_chance": [made(CHANCE), chance_numpy, chance_torch],
    "cape.ctc_probability": [made(CTC), ctc_matrix, ctc_torch],
    "cape.counting_layer": [layer_loops, made(LAYER), layer_torch, layer_middles],
    "cape.repair_augmentation": [
        augment_loops,
        made(STUB, MEAN, SCALE),
        augment_torch,
    ],
    "cape.find_settings": [
        SETTINGS,
        tuple(SETTINGS),
        np.asarray([list(s.values()) for s in SETTINGS]),
    ],
}

WRONG = {
    "cape.collapse_by_hand": [
        (
            ["go", "o", "noon", "", 5, 5],
            "the number of paths of o in 3 frames is not 5",
        ),
        (["go", "o", "noon", "–", 6, 5], "the reading of ––– is not '–'"),
        (["ggoo", "o", "non", "", 6, 5], "a blank keeps two equal symbols apart"),
        (["ggoo", "o", "non", "", 6, 5], "the reading of gg–oo– is not 'ggoo'"),
        ([1, "o", "noon", "", 6, 5], "The first four are words"),
        ([*BY_HAND[:4], [], 5], "numbers of paths; got []"),
        (BY_HAND[:5], "four words and two numbers"),
        ([*BY_HAND[:5], ...], "still dots"),
    ],
    "cape.move_positions": [
        (made(MOVE, ("- mean", "+ mean")), "A position is not the right one"),
        (
            made(MOVE, ("return np", "positions *= 2\n    return np")),
            "changes its input",
        ),
    ],
    "cape.swap_chance": [
        (made(CHANCE, ("legs**2", "legs")), "not the chance of a swap"),
    ],
    "cape.ctc_probability": [
        (made(CTC, ("before[s] + (", "0 + (")), "not the sum over all paths"),
        (made(CTC, ("return ", "return ''.join('x') and [0.0, 1.0] or ")), "shape"),
    ],
    "cape.counting_layer": [
        (made(LAYER, ("n**2", "n")), "should name n = "),
        (lambda most: np.ones(most), "must return weights and biases"),
        (made(LAYER, ("most + 1", "most")), "must have shape"),
        (lambda most: [np.full(most, np.nan)] * 2, "names no single number"),
    ],
    "cape.repair_augmentation": [
        (made(STUB), "2 mistakes at once"),
        (made(STUB, SCALE), "centering takes the shift out again"),
        (made(STUB, MEAN), "all tokens fall together"),
        (made(STUB, *MEAN_WITH_JITTERS), "mean still contains the jitters"),
        (made(STUB, MEAN, EVEN_SCALE), "more often than it shrinks"),
        (made(STUB, MEAN, SCALE, ("+ shift", "- shift")), "not the right one"),
    ],
    "cape.find_settings": [
        ([setting(5, 12, 3, 0.5, 1), *SETTINGS[1:]], "at least one whole step"),
        ([setting(5, 9, 3, 1, 1), *SETTINGS[1:]], "at least 10 tokens"),
        ([setting(5, 9, 3, 1, 1), *SETTINGS[1:]], "here there are 9"),
        ([setting(1, 12, 3, 2, 1), *SETTINGS[1:]], "no pair may have changed"),
        ([SETTINGS[0], setting(11, 16, 0, 0.5, 1), SETTINGS[2]], "here 0 have"),
        ([SETTINGS[0], setting(11, 16, 0, 0.5, 1), SETTINGS[2]], "no pair can change"),
        ([*SETTINGS[:2], setting(0, 16, 0, 0, 1)], "Without a global shift"),
        ([*SETTINGS[:2], setting(0, 16, 8, 0, 1)], "on one side of 0"),
        ([*SETTINGS[:2], setting(0, 3, 8, 0, 1)], "from 4 to 16"),
        ([*SETTINGS[:2], setting(0, 4, 7, 0, 1)], "one of the widget's"),
        ([SETTINGS[0], ..., SETTINGS[2]], "second setting is still to be found"),
        (SETTINGS[:2], "a list of three settings"),
    ],
}
