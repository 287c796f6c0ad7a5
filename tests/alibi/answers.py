"""Answers to the exercises on ALiBi: right in several styles, and wrong in known ways.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. Wrong ones are made from right ones by
replacing a piece of their code.
"""

import numpy as np
import torch
from answer_sources import made

import posenc

# --- slopes --------------------------------------------------------------------------

BY_HAND = [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8, -1 / 2, -1, -2]

SLOPES = """
def slopes(num_heads):
    p = 2 ** int(math.log2(num_heads))
    low = 2.0 ** (-8 * np.arange(1, p + 1) / p)
    high = 2.0 ** (-8 * np.arange(1, 2 * p + 1) / (2 * p))
    return np.concatenate([low, high[::2][: num_heads - p]])
"""


def slopes_loops(num_heads):
    p = 1
    while 2 * p <= num_heads:
        p *= 2
    found = []
    for h in range(p):
        found.append(2 ** (-8 * (h + 1) / p))
    h = 0
    while len(found) < num_heads:
        found.append(2 ** (-8 * (2 * h + 1) / (2 * p)))
        h += 1
    return found


def slopes_torch(num_heads):
    p = 1 << (num_heads.bit_length() - 1)
    low = torch.pow(2.0, -8 * torch.arange(1, p + 1) / p)
    extra = torch.pow(2.0, -8 * torch.arange(1, 2 * p + 1, 2) / (2 * p))
    return torch.cat([low, extra])[:num_heads]


# --- the bias ------------------------------------------------------------------------

BIAS = """
def bias(slopes, q_len, k_len, *, q_offset=0):
    query = q_offset + np.arange(q_len)[:, None]
    distance = np.maximum(query - np.arange(k_len), 0)
    return -slopes[:, None, None] * distance
"""


def bias_loops(slopes, q_len, k_len, *, q_offset=0):
    return [
        [[-m * max(q_offset + i - j, 0) for j in range(k_len)] for i in range(q_len)]
        for m in slopes.tolist()
    ]


def bias_torch(slopes, q_len, k_len, *, q_offset=0):
    query = torch.arange(q_offset, q_offset + q_len)[:, None]
    distance = (query - torch.arange(k_len)).clamp(min=0)
    return -slopes[:, None, None] * distance


ROW = """
def row(slopes, k_len):
    return slopes[:, None, None] * (np.arange(k_len) - (k_len - 1))
"""


def row_loops(slopes, k_len):
    return [[[-m * (k_len - 1 - j) for j in range(k_len)]] for m in slopes.tolist()]


def row_torch(slopes, k_len):
    return slopes[:, None, None] * torch.arange(1 - k_len, 1)


# --- reach ---------------------------------------------------------------------------

REACH = """
def reach(slope, share, k_len):
    everything = 1 - math.exp(-slope * k_len)
    return math.ceil(-math.log(1 - share * everything) / slope) - 1
"""


def reach_numpy(slope, share, k_len):
    rest = 1 + share * np.expm1(-slope * k_len)
    return np.ceil(np.log(rest) / -slope).astype(int) - 1


def reach_torch(slope, share, k_len):
    m = torch.tensor(slope, dtype=torch.float64)
    rest = torch.log1p(share * torch.expm1(-m * k_len))
    return torch.ceil(-rest / m).long() - 1


SCORE = """
def score(slope, distance, k_len):
    others = sum(math.exp(-slope * r) for r in range(k_len) if r != distance)
    return slope * distance + math.log(others)
"""


def score_numpy(slope, distance, k_len):
    others = np.delete(np.arange(k_len), distance)
    return slope * distance + np.log(np.exp(-slope * others).sum())


def score_torch(slope, distance, k_len):
    bias = -slope * torch.arange(k_len, dtype=torch.float64)
    bias[distance] = -torch.inf
    return torch.logsumexp(bias, 0) + slope * distance


# --- the checkpoint ------------------------------------------------------------------

STUB = """
def bias(num_heads, q_len, k_len, *, q_offset=0):
    slopes = 2.0 ** (-8 * np.arange(1, num_heads + 1) / num_heads)
    query = q_offset + np.arange(q_len)[:, None]
    relative_position = np.minimum(np.arange(k_len)[None, :] - query, 0)
    return -slopes[:, None, None] * relative_position
"""
NAIVE = "2.0 ** (-8 * np.arange(1, num_heads + 1) / num_heads)"
PUBLISHED = (NAIVE, "posenc.alibi.alibi_slopes(num_heads)")
SIGN = ("return -slopes", "return slopes")


def checkpoint_loops(num_heads, q_len, k_len, *, q_offset=0):
    return bias_loops(
        np.asarray(slopes_loops(num_heads)), q_len, k_len, q_offset=q_offset
    )


def checkpoint_torch(num_heads, q_len, k_len, *, q_offset=0):
    return bias_torch(slopes_torch(num_heads), q_len, k_len, q_offset=q_offset)


def setting(num_heads, head, length):
    return {"num_heads": num_heads, "head": head, "length": length}


SETTINGS = [setting(33, 33, 64), setting(16, 11, 512), setting(8, 8, 32)]

RIGHT = {
    "alibi.bias_by_hand": [
        BY_HAND,
        tuple(BY_HAND),
        np.asarray(BY_HAND, "float32"),
        torch.tensor(BY_HAND),
    ],
    "alibi.alibi_slopes": [
        slopes_loops,
        made(SLOPES),
        slopes_torch,
        posenc.alibi.alibi_slopes,
    ],
    "alibi.linear_bias": [bias_loops, made(BIAS), bias_torch],
    "alibi.one_row": [row_loops, made(ROW), row_torch],
    "alibi.reach_of_head": [
        made(REACH),
        reach_numpy,
        reach_torch,
        lambda slope, share, k_len: posenc.alibi.alibi_reach(slope, share, k_len=k_len),
    ],
    "alibi.needed_score": [made(SCORE), score_numpy, score_torch],
    "alibi.repair_checkpoint": [
        checkpoint_loops,
        made(STUB, PUBLISHED, SIGN),
        checkpoint_torch,
        posenc.alibi.alibi_bias,
    ],
    "alibi.find_settings": [
        SETTINGS,
        (*SETTINGS[:2], [64, 64, 32]),
        np.asarray([[63, 33, 8], [48, 22, 2048], [1, 1, 64]]),
    ],
}

WRONG = {
    "alibi.bias_by_hand": [
        ([*BY_HAND[:8], -3], "bias of head 5 of 6, query 7, key 3 is not -3"),
        ([*BY_HAND[:5], 0.25, *BY_HAND[6:]], "the first and second of 8 heads"),
        ([*BY_HAND[:6], 0.5, 1, -2], "wrong sign"),
        ([*BY_HAND[:6], 0.5, 1, -2], "(In 2 of 9 entries.)"),
        (BY_HAND[:8], "must have shape (9,), got shape (8,)"),
        ([*BY_HAND[:8], ...], "Some entries are still dots"),
    ],
    "alibi.alibi_slopes": [
        (made(SLOPES, ("-8 * np.arange(1, p", "-4 * np.arange(1, p")), "power of two"),
        (made(SLOPES, ("[: num_heads - p]", "")), "must have shape"),
    ],
    "alibi.linear_bias": [
        (made(BIAS, ("* distance", "* distance**2")), "A value is not"),
        (
            made(BIAS, ("-slopes[:, None, None] * distance", "distance")),
            "must have shape",
        ),
        (made(BIAS, ("return ", "slopes *= 2\n    return ")), "changes its input"),
        (
            made(
                BIAS,
                ("return ", "slopes = slopes * (1 + (slopes < 0.01))\n    return "),
            ),
            "head 4 with slope 0.00390625",
        ),
    ],
    "alibi.one_row": [
        (made(ROW, (" - (k_len - 1)", "")), "count from the newest"),
        (made(ROW, (" - (k_len - 1)", "")), "the last five entries of head 1:"),
        (
            made(ROW, ("(k_len - 1)", "k_len // 2")),
            "The newest key has 999.75, where float16 is coarse",
        ),
        (made(ROW, ("[:, None, None]", "[:, None]")), "must have shape"),
        (made(ROW, ("(np.arange", "0 * (np.arange")), "head 1 has slope"),
        (made(ROW, ("(np.arange", "0 * (np.arange")), "are not those of the full bias"),
    ],
    "alibi.reach_of_head": [
        (made(REACH, ("math.log(", "math.log2(")), "not the smallest one"),
        (made(REACH, ("math.ceil", "")), "must be whole numbers"),
        (made(REACH, ("math.ceil", "-math.ceil")), "where 0.0000 of the weight lies"),
    ],
    "alibi.needed_score": [
        (made(SCORE, ("math.log(others)", "math.log2(others)")), "does not get half"),
        (
            made(SCORE, ("math.log(others)", "-np.log(1 - np.exp(-slope))")),
            "bound for any number of keys",
        ),
    ],
    "alibi.repair_checkpoint": [
        (made(STUB), "2 mistakes at once"),
        (made(STUB, PUBLISHED, SIGN, ("q_offset +", "0 *")), "A bias is not the one"),
    ],
    "alibi.find_settings": [
        ([setting(8, 8, 64), *SETTINGS[1:]], "is a power of two"),
        ([setting(8, 8, 64), *SETTINGS[1:]], "steeper than head 1"),
        ([setting(12, 9, 64), *SETTINGS[1:]], "more heads are needed"),
        ([setting(64, 1, 64), *SETTINGS[1:]], "is a power of two"),
        ([SETTINGS[0], setting(8, 5, 512), SETTINGS[2]], "it lies within 73, of 512"),
        ([SETTINGS[0], setting(8, 5, 512), SETTINGS[2]], "a head flatter than yours"),
        ([SETTINGS[0], setting(8, 6, 512), SETTINGS[2]], "a head steeper than yours"),
        ([SETTINGS[0], setting(16, 11, 256), SETTINGS[2]], "of at least 512"),
        ([*SETTINGS[:2], setting(8, 1, 64)], "hardly more than half"),
        ([*SETTINGS[:2], setting(8, 8, 16)], "at least 32 tokens"),
        ([*SETTINGS[:2], setting(8, 9, 32)], "has no such head"),
        ([SETTINGS[0], ..., SETTINGS[2]], "second setting is still to be found"),
        (SETTINGS[:2], "a list of three settings"),
        ([setting(65, 1, 8), *SETTINGS[1:]], "from 1 to 64"),
        ([{"heads": 3}, *SETTINGS[1:]], "must look like dict("),
    ],
}
