"""Answers to the exercises of the laboratory: right in several styles, and wrong ones.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold.
"""

import numpy as np
import torch
from answer_sources import made

GAP = """
def gap_test(length, cut, filler):
    columns = np.arange(length + filler)
    hidden = (columns >= cut) & (columns < cut + filler)
    positions = columns[~hidden]
    allowed = columns[None, :] <= columns[:, None]
    allowed &= ~hidden[None, :] | np.eye(length + filler, dtype=bool)
    return positions, allowed
"""


def gap_loops(length, cut, filler):
    total = length + filler
    real = [*range(cut), *range(cut + filler, total)]
    is_real = [False] * total
    for column in real:
        is_real[column] = True
    mask = [[False] * total for _ in range(total)]
    for query in range(total):
        for key in range(query + 1):
            mask[query][key] = is_real[key] or key == query
    return real, mask


def gap_torch(length, cut, filler):
    positions = torch.arange(length)
    positions[cut:] += filler
    mask = torch.ones(length + filler, length + filler, dtype=torch.bool).tril()
    mask[:, cut : cut + filler] = False
    mask.fill_diagonal_(True)
    return positions, mask


CURVE = """
def first_solved(steps, accuracy):
    first = -1
    for step, share in zip(steps, accuracy):
        if share < 0.95:
            first = -1
        elif first == -1:
            first = step
    return first
"""


def curve_numpy(steps, accuracy):
    below = np.flatnonzero(np.array(accuracy) < 0.95)
    place = below[-1] + 1 if below.size else 0
    return steps[place] if place < len(steps) else -1


def curve_last_below(steps, accuracy):
    last = -1
    for step, share in zip(steps, accuracy, strict=True):
        if share < 0.95:
            last = step
    return last


def curve_last_below_if_solved(steps, accuracy):
    return -1 if accuracy[-1] < 0.95 else curve_last_below(steps, accuracy)


def curve_mean(steps, accuracy):
    for place, step in enumerate(steps):
        if np.mean(accuracy[place:]) >= 0.95:
            return step
    return -1


def curve_backwards(steps, accuracy):
    first = -1
    for place in range(len(steps) - 1, -1, -1):
        if accuracy[place] < 0.95:
            return first
        first = steps[place]
    return first


RIGHT = {
    "laboratory.wrong_places": [
        [31 / 256, 511 / 256],
        [0.1, 2],
        np.array([32, 512]) / 256,
    ],
    "laboratory.gap_test": [made(GAP), gap_loops, gap_torch],
    "laboratory.first_solved": [made(CURVE), curve_numpy, curve_backwards],
    "laboratory.which_reason": [
        ["crowd", "distance", "either", "more than both", "crowd"],
        ("Crowd", "Distance", "Either", "More than both", "Crowd"),
        [" crowd ", "distance", "either", "more than both", "crowd"],
    ],
    "laboratory.missing_control": [
        ["shift", "most", "few"],
        ("Shift", "Most", "Few"),
        ["shift ", "most", "few"],
    ],
}

WRONG = {
    "laboratory.wrong_places": [
        ([2, 32], "one letter"),
        ([31 / 256, 32], "1 of 2 is not right"),
        ([15 / 256, 255 / 256], "half of the first half"),
        ([0.06, 1], "half of the first half"),
        ([0.5, 0.5], "2 of 2 are not right"),
        ([31 / 256, ...], "still dots"),
    ],
    "laboratory.gap_test": [
        (made(GAP, ("columns[~hidden]", "columns")), "position for every column"),
        (
            made(GAP, ("columns[~hidden]", "np.arange(length)")),
            "keep their old positions",
        ),
        (
            made(GAP, (" | np.eye(length + filler, dtype=bool)", "")),
            "Let it see itself",
        ),
        (
            made(GAP, ("np.eye(length + filler, dtype=bool)", "hidden[:, None]")),
            "Filler columns see other filler",
        ),
        (
            made(GAP, ("~hidden[None, :] |", "~hidden[:, None] |")),
            "The mask is not that of the gap test",
        ),
        (
            made(GAP, ("<= columns[:", "< columns[:")),
            "query at column 0 (real), key at column 0 (real): False, should be True",
        ),
        (
            made(
                GAP,
                ("columns[~hidden]", "np.arange(length)"),
                ("~hidden[None, :] |", "(hidden[None, :] < 2) |"),
            ),
            "a crowd",
        ),
        (
            made(
                GAP,
                (">= cut) & (columns <", "> cut) & (columns <="),
            ),
            "behind token number",
        ),
        (
            made(
                GAP,
                (
                    "arange(length + filler)\n",
                    "arange(length + filler)\n    cut = max(cut - 1, 0)\n",
                ),
            ),
            "Tokens are counted from 0",
        ),
        (made(GAP, ("columns <", "columns <=")), "for the filler: 3, should be 2"),
        (made(GAP, (">= cut", "> cut")), "for the filler: 1, should be 2"),
        (made(GAP, ("return positions, allowed", "return allowed")), "a mask, got"),
        (
            made(GAP, ("return positions, allowed", "return positions, allowed + 0")),
            "True or False",
        ),
        (
            made(GAP, ("return positions, allowed", "return positions, allowed[1:]")),
            "length + filler",
        ),
    ],
    "laboratory.first_solved": [
        (
            made(CURVE, ("first = -1\n        elif", "pass\n        elif")),
            "It may fall again",
        ),
        (made(CURVE, ("share < 0.95", "share <= 0.95")), "at least, not more than"),
        (made(CURVE, ("share < 0.95", "share < 0.9")), "stays solved"),
        (curve_last_below, "-1 if there is none"),
        (curve_last_below_if_solved, "if no share is below"),
        (curve_mean, "mean of the rest"),
        (lambda steps, accuracy: None, "not answered yet"),
    ],
    "laboratory.which_reason": [
        (["crowd"] * 5, "model B"),
        (["crowd", "distance", "either", "more than both", "either"], "Half of 96"),
        (["crowd", "distance", "crowd", "more than both", "crowd"], "leave C less"),
        (["crowd", "distance", "distance", "more than both", "crowd"], "leave C less"),
        (["crowd", "distance", "both", "more than both", "crowd"], "must be one of"),
        (["crowd"], "list of 5 words"),
        (["crowd", "distance", "either", ..., "crowd"], "still dots"),
    ],
    "laboratory.missing_control": [
        (["gap", "most", "few"], "moves the questions alone"),
        (["sharper", "few", "most"], "dilution from confusion"),
        (["shift", "few", "most"], "explanation 1"),
        (["shift", "few", "few"], "no place is new"),
        (["shift", "most", "most"], "another letter stands now"),
        (["most", "most", "few"], "Entry 1 must be one of"),
        ("shift", "list of 3 words"),
    ],
}
