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


WRONG = {
    "laboratory.wrong_places": [
        ([31 / 256, 32], "1 of 2 is not right"),
        ([0.5, 0.5], "2 of 2 are not right"),
    ],
    "laboratory.gap_test": [
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
    "laboratory.which_reason": [
        (["crowd"] * 5, "model B"),
        (["crowd", "distance", "either", "more than both", "crowd"], "must be one of"),
        (["crowd"], "list of 5 words"),
    ],
    "laboratory.missing_control": [
        (["shift", "few", "most"], "explanation 1"),
        (["most", "most", "few"], "Entry 1 must be one of"),
        ("shift", "list of 3 words"),
    ],
}
