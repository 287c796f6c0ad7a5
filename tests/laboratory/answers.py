"""Answers to the exercises: a right one in another style each, and wrong ones."""

import numpy as np
from answer_sources import made, mistake


def gap_test(length, cut, filler):
    columns = np.arange(length + filler)
    hidden = (columns >= cut) & (columns < cut + filler)
    positions = columns[~hidden]
    allowed = columns[None, :] <= columns[:, None]
    allowed &= ~hidden[None, :] | np.eye(length + filler, dtype=bool)
    return positions, allowed


def first_solved(steps, accuracy):
    below = np.flatnonzero(np.array(accuracy) < 0.95)
    place = below[-1] + 1 if below.size else 0
    return steps[place] if place < len(steps) else -1


which_reason = [" crowd ", "distance", "both", "more than both", "crowd"]
missing_control = ["shift ", "most", "few"]

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


WRONG = {
    "laboratory.wrong_places": [
        ([2, 32], "one letter"),
        ([15 / 256, 255 / 256], "half of the first half"),
        ([31 / 256, 32], "1 of 2 is not right"),
        ([0.5, 0.5], "2 of 2 are not right"),
    ],
    "laboratory.gap_test": [
        (
            made(gap_test, ("columns[~hidden]", "np.arange(length)")),
            "keep their old positions",
        ),
        (
            made(gap_test, (" | np.eye(length + filler, dtype=bool)", "")),
            "Let it see itself",
        ),
        (
            made(gap_test, ("np.eye(length + filler, dtype=bool)", "hidden[:, None]")),
            "Filler columns see other filler",
        ),
        (
            made(
                gap_test,
                ("columns[~hidden]", "np.arange(length)"),
                ("~hidden[None, :] |", "(hidden[None, :] < 2) |"),
            ),
            "a crowd",
        ),
        (
            made(
                gap_test,
                (">= cut) & (columns <", "> cut) & (columns <="),
            ),
            "behind token number",
        ),
        (
            made(
                gap_test,
                (
                    "arange(length + filler)\n",
                    "arange(length + filler)\n    cut = max(cut - 1, 0)\n",
                ),
            ),
            "Tokens are counted from 0",
        ),
        (made(gap_test, ("columns[~hidden]", "columns")), "position for every column"),
        (
            mistake("laboratory.gap_test", 12),
            "The mask is not that of the gap test",
            "query at column 0 (real), key at column 0 (real): False, should be True",
        ),
        (made(gap_test, ("columns <", "columns <=")), "for the filler: 3, should be 2"),
        (made(gap_test, (">= cut", "> cut")), "for the filler: 1, should be 2"),
        (made(gap_test, ("return positions, ", "return ")), "a mask, got"),
        (made(gap_test, ("positions, allowed", "positions, allowed + 0")), "True or F"),
        (
            made(gap_test, ("positions, allowed", "positions, allowed[1:]")),
            "length +",
        ),
    ],
    "laboratory.first_solved": [
        (
            made(CURVE, ("first = -1\n        elif", "pass\n        elif")),
            "It may fall again",
        ),
        (made(CURVE, ("share < 0.95", "share <= 0.95")), "at least, not more than"),
        (curve_last_below, "-1 if there is none"),
        (curve_last_below_if_solved, "if no share is below"),
        (curve_mean, "mean of the rest"),
    ],
    "laboratory.which_reason": [
        (["crowd", "distance", "both", "more than both", "both"], "Half of 96"),
        (["crowd", "distance", "crowd", "more than both", "crowd"], "leave C less"),
        (["crowd"] * 5, "model B"),
        (["crowd", "distance", "either", "more than both", "crowd"], "must be one of"),
        (
            ["crowd", "distance", "both", "more than both", "more than both"],
            "leaves E 12",
        ),
        (["crowd"], "list of 5 words"),
    ],
    "laboratory.missing_control": [
        (["gap", "most", "few"], "moves the questions alone"),
        (["sharper", "few", "most"], "dilution from confusion"),
        (["shift", "few", "few"], "no place is new"),
        (["shift", "most", "most"], "another letter stands now"),
        (["shift", "few", "most"], "explanation 1"),
        (["most", "most", "few"], "Entry 1 must be one of"),
        ("shift", "list of 3 words"),
    ],
}
