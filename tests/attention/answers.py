"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math
from itertools import permutations

import numpy as np
import torch
from answer_sources import solutions

OUTPUTS = [[90, 105], [96, 48], [80, 80]]

TURNED = OUTPUTS[::-1]


def attention_with_mask(q, k, v, mask=None):
    return torch.nn.functional.scaled_dot_product_attention(
        q[None, None], k[None, None], v[None, None], attn_mask=mask
    )[0, 0]


ONE, ONE_HIDDEN = [[1.0, 0, 0, 0]], [[True, False]]

TWO_KEYS, VALUES = [[2 * math.log(3), 0, 0, 0], [0.0] * 4], [[1.0, 0], [0, 1]]

AXIS = [ONE, [[0.0] * 4] * 2, VALUES, None, [[0.5, 0.5]]]

SCALE = [ONE, TWO_KEYS, VALUES, None, [[0.75, 0.25]]]

EMPTY = [ONE, TWO_KEYS, VALUES, [[False, False]], [[0, 0]]]

KINDS = solutions("attention")["attention.symmetries"]


def changed(number, kind):
    return [*KINDS[: number - 1], kind, *KINDS[number:]]


def repair_equivariance_test(before, after, order):
    return torch.allclose(after, before[order], atol=1e-6)


def align_values(values, key_order, value_order):
    return values[torch.argsort(value_order)[key_order]]


def look_alikes(words):
    ids = torch.tensor([sorted(set(words)).index(word) for word in words])
    total = math.factorial(len(words))
    for count in torch.bincount(ids).tolist():
        total //= math.factorial(count)
    return total


TWO, FIRST = [3, 2, 1, 0, 4], [0, 4, 2, 1, 3]

LAST = [[*order, 4] for order in permutations(range(4))]

catch_mistakes = [
    tuple(map(torch.tensor, [*SCALE[:3], ONE_HIDDEN, [[1, 0]]])),
    EMPTY,
    AXIS,
]
symmetries = [kind.upper() for kind in KINDS]
RIGHT = {
    "attention.find_shuffles": [
        [[3, 4, 2, 0, 1], np.asarray(LAST[::-1]), (0, 2, 4, 3, 1)],
        *([TWO, LAST, [3, 0, *rest]] for rest in ([1, 4, 2], [4, 1, 2], [4, 2, 1])),
    ]
}

WRONG = {
    "attention.outputs_by_hand": [
        (
            [[[90, 105], [96, 48], [80, 81]], TURNED],
            "as they stand, row 2 (c), column 1: not 81",
        ),
        ([OUTPUTS, [TURNED[0], TURNED[1], [90, 15]]], "turned around, row 2 (a)"),
    ],
    "attention.catch_mistakes": [
        ([AXIS, SCALE, ...], "Test 3 is still to be written"),
        ([AXIS, SCALE], "a list of three tests"),
        ([AXIS, SCALE, EMPTY[:4]], "Test 3 must have five parts"),
        ([AXIS, [..., *SCALE[1:]], EMPTY], "Test 2 still has dots"),
        ([AXIS, SCALE, [*EMPTY[:4], [[0, 0, 0]]]], "output must have shape (1, 2)"),
        ([AXIS, SCALE, [*EMPTY[:4], "no"]], "output must be one array of numbers"),
        ([AXIS, SCALE, [*EMPTY[:4], [[7, 0]]]], "The output of test 3 is not right"),
        ([AXIS, SCALE, SCALE], "catch 2 of the 3"),
    ],
    "attention.symmetries": [
        (
            changed(1, "equivariant"),
            "1. X^T X: not equivariant",
            "If it were, the result would move with",
        ),
        (changed(3, "invariant"), "If it were, the result would stay as it is"),
        (changed(7, "neither"), "If it were, the result would neither stay as it is"),
        (changed(5, ...), "still dots"),
        (changed(5, "both"), "must be one of equivariant, invariant, neither"),
    ],
    "attention.find_shuffles": [
        (
            [[0, 2, 1, 3, 4], LAST, FIRST],
            "Swap the two I as well",
            "have left their places: 2",
        ),
        (
            [TWO, [*LAST, FIRST], FIRST],
            "am must keep its output",
            "am comes at place 1, and sees fewer",
        ),
        ([TWO, LAST[1:], FIRST], "in which no word moves is one of them"),
        ([TWO, LAST[:-1], FIRST], "You list 23. One that is missing: [3, 2, 1, 0, 4]"),
        (
            [TWO, [o for o in LAST if o.index(0) < o.index(3)], FIRST],
            "The two I are two words",
        ),
        ([TWO, [], FIRST], "You list 0. One", "in whatever order"),
        ([TWO, [*LAST, LAST[3]], FIRST], "name each order once"),
        ([TWO, "all", FIRST], "must be a list of orders"),
        ([TWO, ..., FIRST], "The second list is still to be found"),
        (
            [TWO, LAST, [3, 4, 2, 1, 0]],
            "no word keeps it",
            "nothing but I: in front, or right behind",
        ),
        (
            [TWO, LAST, [3, 0, 1, 2, 4]],
            "of place 0 and am of place 4 keep it",
            "in whatever order",
        ),
        ([TWO, LAST], "a list of three entries"),
        ([[0, 0, 1, 2, 3], LAST, FIRST], "must hold 0, 1, 2, 3 and 4 once each"),
    ],
    "attention.kept_orders": [
        ([72, 48, 6, 6, 24], "five tokens play the same part, not four"),
        ([72, 48, 12, 6, 100], "star: not 100"),
    ],
}
