"""Answers to the exercises: a right one in another style each, and wrong ones."""

import numpy as np
import torch
from answer_sources import in_torch, made, mistake

import posenc

BY_HAND = [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8, -1 / 2, -1, -2]


def linear_bias(slopes, q_len, k_len, *, q_offset=0):
    query = torch.arange(q_offset, q_offset + q_len)[:, None]
    distance = (query - torch.arange(k_len)).clamp(min=0)
    return -slopes[:, None, None] * distance


def one_row(slopes, k_len):
    return slopes[:, None, None] * torch.arange(1 - k_len, 1)


def reach_of_head(slope, share, k_len):
    m = torch.tensor(slope, dtype=torch.float64)
    rest = torch.log1p(share * torch.expm1(-m * k_len))
    return torch.ceil(-rest / m).long() - 1


def needed_score(slope, distance, k_len):
    bias = -slope * torch.arange(k_len, dtype=torch.float64)
    bias[distance] = -torch.inf
    return torch.logsumexp(bias, 0) + slope * distance


def setting(num_heads, head, length):
    return {"num_heads": num_heads, "head": head, "length": length}


SETTINGS = [setting(33, 33, 64), setting(16, 11, 512), setting(8, 8, 32)]

alibi_slopes = in_torch(posenc.alibi.alibi_slopes)
repair_checkpoint = in_torch(posenc.alibi.alibi_bias)
find_settings = np.asarray([[63, 33, 8], [48, 22, 2048], [1, 1, 64]])


WRONG = {
    "alibi.bias_by_hand": [
        ([*BY_HAND[:8], -3], "bias of head 5 of 6, query 7, key 3 is not -3"),
        ([*BY_HAND[:6], 0.5, 1, -2], "(In 2 of 9 entries.)"),
    ],
    "alibi.alibi_slopes": [
        (mistake("alibi.alibi_slopes"), "power of two"),
    ],
    "alibi.linear_bias": [
        (
            made(linear_bias, ("-slopes", "(-slopes * (1 + (slopes < 0.01)))")),
            "head 4 with slope 0.00390625",
        ),
    ],
    "alibi.one_row": [
        (
            made(one_row, ("arange(1 - k_len, 1)", "arange(k_len)")),
            "count from the newest",
            "the last five entries of head 1:",
        ),
        (
            made(one_row, ("arange(1 - k_len, 1)", "arange(k_len).sub(k_len // 2)")),
            "The newest key has 999.75, where float16 is coarse",
        ),
        (mistake("alibi.one_row"), "head 1 has slope"),
    ],
    "alibi.reach_of_head": [
        (mistake("alibi.reach_of_head", 1), "where 0.0000 of the weight lies"),
    ],
    "alibi.find_settings": [
        (
            [setting(8, 8, 64), *SETTINGS[1:]],
            "is a power of two",
            "steeper than head 1",
        ),
        ([setting(12, 9, 64), *SETTINGS[1:]], "more heads are needed"),
        (
            [SETTINGS[0], setting(8, 5, 512), SETTINGS[2]],
            "it lies within 73, of 512",
            "a head flatter than yours",
        ),
        ([SETTINGS[0], setting(8, 6, 512), SETTINGS[2]], "a head steeper than yours"),
        ([SETTINGS[0], setting(16, 11, 256), SETTINGS[2]], "of at least 512"),
        ([*SETTINGS[:2], setting(8, 1, 64)], "hardly more than half"),
        ([*SETTINGS[:2], setting(8, 8, 16)], "at least 32 tokens"),
        ([*SETTINGS[:2], setting(8, 9, 32)], "has no such head"),
        ([SETTINGS[0], ..., SETTINGS[2]], "second setting is still to be found"),
        ([setting(65, 1, 8), *SETTINGS[1:]], "from 1 to 64"),
    ],
}
