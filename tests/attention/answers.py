"""Answers to the exercises on attention: right in several styles, and wrong ones.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. Wrong ones are made from right ones by
replacing a piece of their code.
"""

import math
from collections import Counter
from itertools import permutations

import numpy as np
import torch
from answer_sources import made

import posenc

# --- by hand -------------------------------------------------------------------------

OUTPUTS = [[90, 105], [96, 48], [80, 80]]
TURNED = OUTPUTS[::-1]


# --- attention -----------------------------------------------------------------------

ATTENTION = """
def attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    highest = scores.max(axis=1, keepdims=True)
    highest = np.where(highest == -np.inf, 0, highest)
    weights = np.exp(scores - highest)
    total = weights.sum(axis=1, keepdims=True)
    weights = weights / np.where(total == 0, 1, total)
    return weights @ v
"""


def attention_loops(q, k, v, mask=None):
    rows = []
    for i in range(len(q)):
        keys = [j for j in range(len(k)) if mask is None or mask[i][j]]
        scores = [
            sum(float(a * b) for a, b in zip(q[i], k[j], strict=True))
            / math.sqrt(len(q[i]))
            for j in keys
        ]
        highest = max(scores, default=0)
        powers = [math.exp(score - highest) for score in scores]
        row = [0.0] * v.shape[1]
        for j, power in zip(keys, powers, strict=True):
            for c in range(v.shape[1]):
                row[c] += power / sum(powers) * float(v[j][c])
        rows.append(row)
    return rows


def attention_torch(q, k, v, mask=None):
    return torch.nn.functional.scaled_dot_product_attention(
        q[None, None], k[None, None], v[None, None], attn_mask=mask
    )[0, 0]


def attention_posenc(q, k, v, mask=None):
    return posenc.attention.scaled_dot_product_attention(q, k, v, mask=mask)


PLAIN_SOFTMAX = (
    "    highest = scores.max(axis=1, keepdims=True)\n"
    "    highest = np.where(highest == -np.inf, 0, highest)\n",
    "    highest = 0\n",
)

#: Subtract the largest score before hiding it: exp gives 0 for all visible keys.
MAXIMUM_OF_ALL = (
    "    if mask is not None:\n        scores = np.where(mask, scores, -np.inf)\n"
    "    highest = scores.max(axis=1, keepdims=True)\n"
    "    highest = np.where(highest == -np.inf, 0, highest)\n"
    "    weights = np.exp(scores - highest)\n",
    "    weights = np.exp(scores - scores.max(axis=1, keepdims=True))\n"
    "    weights = weights if mask is None else weights * mask\n",
)

WRONG_ATTENTION = [
    (made(ATTENTION, *replacements), word)
    for word, *replacements in [
        ("uniform softmax", ("scores, -np.inf", "scores, -1e9")),
        (
            "gets nan",
            ("highest = np.where(highest == -np.inf, 0, highest)", ""),
        ),
        ("gets nan", ("np.where(total == 0, 1, total)", "total")),
        ("the number of keys; divide", ("q.shape[-1]", "k.shape[0]")),
        ("taken over hidden keys, too", MAXIMUM_OF_ALL),
        ("overflow in the exponential", PLAIN_SOFTMAX),
        ("changes its input q", ("scores = q", "q *= 2\n    scores = q")),
        ("not answered", ("    return", "    return None\n    return")),
    ]
]

# --- tests that catch three mistakes --------------------------------------------------

ONE, ONE_HIDDEN = [[1.0, 0, 0, 0]], [[True, False]]
TWO_KEYS, VALUES = [[2 * math.log(3), 0, 0, 0], [0.0] * 4], [[1.0, 0], [0, 1]]
AXIS = [ONE, [[0.0] * 4] * 2, VALUES, None, [[0.5, 0.5]]]
SCALE = [ONE, TWO_KEYS, VALUES, None, [[0.75, 0.25]]]
EMPTY = [ONE, TWO_KEYS, VALUES, [[False, False]], [[0, 0]]]
#: One test catches all three: its first query may attend to nothing.
ALL_THREE = [
    ONE * 2,
    TWO_KEYS,
    VALUES,
    [[False, False], [True, True]],
    [[0, 0], [0.75, 0.25]],
]

# --- symmetries ----------------------------------------------------------------------

KINDS = [
    "invariant",
    "neither",
    "equivariant",
    "invariant",
    "neither",
    "equivariant",
    "equivariant",
    "neither",
    "neither",
    "invariant",
]


def changed(number, kind):
    return [*KINDS[: number - 1], kind, *KINDS[number:]]


# --- a test of equivariance ----------------------------------------------------------

TEST = """
def moved(before, after, order):
    return bool(np.allclose(after, before[order]))
"""


def moved_loops(before, after, order):
    for n in range(len(order)):
        for c in range(before.shape[1]):
            if abs(float(after[n][c] - before[int(order[n])][c])) > 1e-6:
                return False
    return True


def moved_torch(before, after, order):
    return torch.allclose(after, before[order], atol=1e-6)


def moved_inside(before, after, order):
    P = np.eye(len(order))[order]
    return np.abs(P @ before - after).max() < 1e-5


# --- keys and values out of step ------------------------------------------------------

ALIGN = """
def align(values, key_order, value_order):
    return values[np.argsort(value_order)][key_order]
"""


def align_loops(values, key_order, value_order):
    where = {int(token): n for n, token in enumerate(value_order)}
    return [[float(x) for x in values[where[int(token)]]] for token in key_order]


def align_matrices(values, key_order, value_order):
    eye = np.eye(len(values))
    return eye[key_order] @ eye[value_order].T @ values


def align_torch(values, key_order, value_order):
    return values[torch.argsort(value_order)[key_order]]


# --- counting ------------------------------------------------------------------------


def count_formula(words):
    total = math.factorial(len(words))
    for count in Counter(words).values():
        total //= math.factorial(count)
    return total


def count_loops(words):
    """Places for each word among those that are still free."""
    total, free = 1, len(words)
    for word in sorted(set(words)):
        total *= math.comb(free, words.count(word))
        free -= words.count(word)
    return total


def count_numpy(words):
    _, counts = np.unique(words, return_counts=True)
    total = math.factorial(len(words))
    return total // math.prod(math.factorial(int(n)) for n in counts)


def count_torch(words):
    ids = torch.tensor([sorted(set(words)).index(word) for word in words])
    total = math.factorial(len(words))
    for count in torch.bincount(ids).tolist():
        total //= math.factorial(count)
    return total


def too_slow(words):
    return len(set(permutations(words)))


# --- shuffles ------------------------------------------------------------------------

COUNTS = [72, 48, 12, 6, 120]
TWO, FIRST = [3, 2, 1, 0, 4], [0, 4, 2, 1, 3]
LAST = [[*order, 4] for order in permutations(range(4))]

RIGHT = {
    "attention.outputs_by_hand": [
        [OUTPUTS, TURNED],
        np.asarray([OUTPUTS, TURNED]),
        torch.tensor([OUTPUTS, TURNED]),
    ],
    "attention.attention_with_mask": [
        attention_loops,
        made(ATTENTION),
        attention_torch,
        attention_posenc,
    ],
    "attention.catch_mistakes": [
        [AXIS, SCALE, EMPTY],
        (EMPTY, AXIS, SCALE),
        [tuple(map(torch.tensor, [*SCALE[:3], ONE_HIDDEN, [[1, 0]]])), ALL_THREE, AXIS],
    ],
    "attention.symmetries": [
        KINDS,
        tuple(KINDS),
        [kind.upper() for kind in KINDS],
    ],
    "attention.repair_equivariance_test": [
        moved_loops,
        made(TEST),
        moved_torch,
        moved_inside,
    ],
    "attention.align_values": [made(ALIGN), align_loops, align_matrices, align_torch],
    "attention.look_alikes": [count_formula, count_loops, count_numpy, count_torch],
    "attention.find_shuffles": [
        [TWO, LAST, FIRST],
        (tuple(TWO), tuple(map(tuple, LAST[::-1])), (0, 2, 4, 3, 1)),
        [[3, 4, 2, 0, 1], np.asarray(LAST), np.asarray(FIRST)],
        [torch.tensor([3, 1, 4, 0, 2]), torch.tensor(LAST), FIRST],
        *([TWO, LAST, [3, 0, *rest]] for rest in ([1, 4, 2], [4, 1, 2], [4, 2, 1])),
    ],
    "attention.kept_orders": [COUNTS, tuple(COUNTS), np.asarray(COUNTS)],
}

WRONG = {
    "attention.outputs_by_hand": [
        (
            [[[90, 105], [96, 48], [80, 81]], TURNED],
            "as they stand, row 2 (c), column 1: not 81",
        ),
        ([OUTPUTS, [TURNED[0], TURNED[1], [90, 15]]], "turned around, row 2 (a)"),
        ([OUTPUTS, np.asarray(OUTPUTS)[:, ::-1]], "Columns are features, not tokens"),
        ([OUTPUTS, ...], "still dots"),
        ([OUTPUTS], "must have shape (2, 3, 2), got shape (1, 3, 2)"),
        ("90", "must be real numbers, got a str"),
    ],
    "attention.attention_with_mask": WRONG_ATTENTION,
    "attention.catch_mistakes": [
        ([AXIS, SCALE, ...], "Test 3 is still to be written"),
        ([AXIS, SCALE], "a list of three tests"),
        ([AXIS, SCALE, EMPTY[:4]], "Test 3 must have five parts"),
        ([AXIS, [..., *SCALE[1:]], EMPTY], "Test 2 still has dots"),
        ([AXIS, SCALE, [*EMPTY[:4], [[0, 0, 0]]]], "output must have shape (1, 2)"),
        ([AXIS, SCALE, [*EMPTY[:4], "no"]], "output must be one array of numbers"),
        ([AXIS, SCALE, [*EMPTY[:4], [0, 0]]], "output must have rows and columns"),
        ([AXIS, SCALE, [*EMPTY[:4], [[0.5, 0.5]]]], "a uniform softmax"),
        ([AXIS, [*SCALE[:4], [[1, 1]]], EMPTY], "over the wrong axis"),
        ([AXIS, [*SCALE[:4], [[0.9, 0.1]]], EMPTY], "number of tokens. It is d"),
        ([AXIS, SCALE, [*EMPTY[:4], [[7, 0]]]], "The output of test 3 is not right"),
        ([AXIS, AXIS, EMPTY], "catch 2 of the 3"),
        ([AXIS, SCALE, SCALE], "catch 2 of the 3"),
        ([EMPTY, EMPTY, EMPTY], "catch 1 of the 3"),
    ],
    "attention.symmetries": [
        (changed(1, "equivariant"), "1. X^T X: not equivariant"),
        (changed(1, "equivariant"), "If it were, the result would move with"),
        (changed(3, "invariant"), "If it were, the result would stay as it is"),
        (changed(7, "neither"), "If it were, the result would neither stay as it is"),
        (changed(4, "equivariant"), "does not know which token"),
        (changed(4, "equivariant"), "4. each column sorted"),
        (changed(8, "equivariant"), "8. rows in reverse order"),
        (changed(8, "equivariant"), "1 of 10 is not right"),
        (changed(9, "equivariant"), "9. attention with a causal mask"),
        (changed(2, "invariant"), "2. first row"),
        (changed(5, "equivariant"), "to just before the second change"),
        (changed(5, ...), "still dots"),
        (changed(5, "both"), "must be one of equivariant, invariant, neither"),
        (KINDS[:9], "A list of 10 words"),
    ],
    "attention.repair_equivariance_test": [
        (lambda before, after, order: 1, "must be True or False, got an int"),
        (
            lambda before, after, order: np.isclose(after, before[order]),
            "must have shape (), got shape (2, 3)",
        ),
    ],
    "attention.align_values": [
        (
            made(ALIGN, ("[key_order]", "")),
            "back in the order of the sentence",
        ),
        (
            made(ALIGN, ("np.argsort(value_order)", "value_order")),
            "does not stand where its key stands",
        ),
        (
            lambda values, key_order, value_order: values[key_order][
                np.argsort(value_order)
            ],
            "they come in the wrong order",
        ),
        (
            made(ALIGN, ("[key_order]", "[key_order][:, :1]")),
            "must have shape (tokens, value_dim)",
        ),
    ],
    "attention.look_alikes": [
        (lambda words: len(set(words)), "how many different words there are"),
        (lambda words: float(count_formula(words)), "must be whole numbers"),
        (
            lambda words: too_slow(words[:9]) if len(words) < 10 else 0,
            "gives 0, should be",
        ),
    ],
    "attention.find_shuffles": [
        ([[3, 1, 2, 0, 4], LAST, FIRST], "have left their places: 2"),
        ([[3, 1, 2, 0, 4], LAST, FIRST], "another output: none"),
        ([[1, 0, 2, 4, 3], LAST, FIRST], "another output: 0, 1, 3, 4"),
        ([[0, 2, 1, 3, 4], LAST, FIRST], "Swap the two I as well"),
        ([[0, 2, 1, 3, 4], LAST, FIRST], "have left their places: 2"),
        ([TWO, [*LAST, FIRST], FIRST], "am must keep its output"),
        ([TWO, [*LAST, FIRST], FIRST], "am comes at place 1, and sees fewer"),
        ([TWO, LAST[1:], FIRST], "in which no word moves is one of them"),
        ([TWO, LAST[:-1], FIRST], "You list 23. One that is missing: [3, 2, 1, 0, 4]"),
        (
            [TWO, [o for o in LAST if o.index(0) < o.index(3)], FIRST],
            "The two I are two words",
        ),
        ([TWO, LAST[:5], FIRST], "You list 5. One"),
        ([TWO, LAST[:5], FIRST], "in whatever order"),
        ([TWO, [], FIRST], "You list 0. One"),
        ([TWO, [*LAST, LAST[3]], FIRST], "name each order once"),
        ([TWO, LAST[3], FIRST], "must be a list of orders"),
        ([TWO, "all", FIRST], "must be a list of orders"),
        ([TWO, ..., FIRST], "The second list is still to be found"),
        ([TWO, [*LAST[1:], [4] * 5], FIRST], "second list: each order must hold"),
        ([TWO, LAST, [3, 4, 2, 1, 0]], "no word keeps it"),
        ([TWO, LAST, [3, 4, 2, 1, 0]], "nothing but I: in front, or right behind"),
        ([TWO, LAST, [3, 0, 1, 2, 4]], "of place 0 and am of place 4 keep it"),
        ([TWO, LAST, [3, 0, 1, 2, 4]], "in whatever order"),
        ([TWO, LAST, [0, 1, 3, 4, 2]], "I of place 0 and think of place 1 keep it"),
        ([TWO, LAST, [0, 1, 3, 4, 2]], "in whatever order"),
        ([TWO, LAST, [0, 1, 2, 3, 4]], "I of place 0, think of place 1, therefore"),
        ([TWO, LAST, ...], "The third order is still to be found"),
        ([TWO, LAST], "a list of three entries"),
        ([[0, 0, 1, 2, 3], LAST, FIRST], "must hold 0, 1, 2, 3 and 4 once each"),
    ],
    "attention.kept_orders": [
        ([36, *COUNTS[1:]], "documents: not 36"),
        ([36, 48, 6, 6, 120], "the two may change places as well"),
        ([36, 48, 6, 6, 120], "read it the other way round"),
        ([72, 48, 6, 6, 24], "five tokens play the same part, not four"),
        ([72, 48, 12, 6, 100], "star: not 100"),
        ([72, 48, 12, 6, ...], "still dots"),
        (COUNTS[:4], "must have shape (5,)"),
    ],
}
