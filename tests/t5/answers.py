"""Answers to the exercises on T5: right in several styles, and wrong in known ways.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. Wrong ones are made from right ones by
replacing a piece of their code.
"""

import math

import numpy as np
import torch
from answer_sources import made

import posenc

# --- the bucket function -------------------------------------------------------------


def bucket_loops(
    relative_position, *, bidirectional=True, num_buckets=32, max_distance=128
):
    side = num_buckets // 2 if bidirectional else num_buckets
    e = side // 2
    n = abs(relative_position) if bidirectional else max(-relative_position, 0)
    if n < e:
        bucket = n
    else:
        scale = math.log(n / e) / math.log(max_distance / e)
        bucket = min(e + int(scale * (side - e)), side - 1)
    return bucket + side if bidirectional and relative_position > 0 else bucket


BUCKET = """
def bucket(relative_position, *, bidirectional=True, num_buckets=32, max_distance=128):
    r = np.asarray(relative_position)
    side = num_buckets // 2 if bidirectional else num_buckets
    e = side // 2
    m = side - e
    n = np.abs(r) if bidirectional else np.maximum(-r, 0)
    steps = np.log(np.maximum(n, e) / e) / np.log(max_distance / e) * m
    far = np.minimum(np.floor(e + steps).astype(int), side - 1)
    bucket = np.where(n < e, n, far)
    return np.where(r > 0, bucket + side, bucket) if bidirectional else bucket
"""


def bucket_torch(
    relative_position, *, bidirectional=True, num_buckets=32, max_distance=128
):
    """Published order of operations, in float32; takes tensors only."""
    bucket, n = 0, -relative_position
    if bidirectional:
        num_buckets //= 2
        bucket = (n < 0).to(torch.long) * num_buckets
        n = torch.abs(n)
    else:
        n = torch.clamp(n, min=0)
    e = num_buckets // 2
    scale = torch.log(n.float() / e) / math.log(max_distance / e) * (num_buckets - e)
    far = torch.clamp(e + scale.to(torch.long), max=num_buckets - 1)
    return bucket + torch.where(n < e, n, far)


#: Logarithms in floating point: an edge may come out one bucket too low, and the
#: mistake is named all the same.
WRONG_BUCKETS = [
    (made(BUCKET, *replacements), word)
    for word, *replacements in [
        ("upper half", ("r > 0", "r < 0")),
        ("beyond the exact ones", ("* m", "* side")),
        ("minimum is one too low", ("side - 1", "side - 2")),
        ("to the nearest", ("np.floor(e + steps)", "np.floor(e + steps + 0.5)")),
        (">=, not >", ("np.floor(e + steps)", "(np.ceil(e + steps - 1e-9) - (n > e))")),
        (
            "logarithm of 0",
            ("np.maximum(n, e)", "n"),
            ("np.where(n < e,", "np.where((0 < n) & (n < e),"),
        ),
    ]
]
TWO_BUCKET_MISTAKES = made(BUCKET, ("r > 0", "r < 0"), ("* m", "* (m - 1)"))

# --- the bias ------------------------------------------------------------------------

BIAS_LOOPS = """
def bias(table, q_len, k_len, *, bidirectional=True, max_distance=128, q_offset=0):
    num_buckets, num_heads = table.shape
    seen, out = {}, np.zeros((num_heads, q_len, k_len))
    for i in range(q_len):
        for j in range(k_len):
            r = j - (q_offset + i)
            if r not in seen:
                b = posenc.t5.relative_position_bucket(
                    np.asarray(r),
                    bidirectional=bidirectional,
                    num_buckets=num_buckets,
                    max_distance=max_distance,
                )
                seen[r] = table[int(b)]
            out[:, i, j] = seen[r]
    return out
"""


def bias_torch(
    table, q_len, k_len, *, bidirectional=True, max_distance=128, q_offset=0
):
    r = torch.arange(k_len) - torch.arange(q_offset, q_offset + q_len)[:, None]
    buckets = posenc.t5.relative_position_bucket(
        r,
        bidirectional=bidirectional,
        num_buckets=table.shape[0],
        max_distance=max_distance,
    )
    return torch.nn.functional.embedding(buckets, table).permute(2, 0, 1)


BIAS_NUMPY = """
def bias(table, q_len, k_len, *, bidirectional=True, max_distance=128, q_offset=0):
    r = np.arange(-(q_offset + q_len - 1), k_len - q_offset)
    values = table[
        posenc.t5.relative_position_bucket(
            r,
            bidirectional=bidirectional,
            num_buckets=len(table),
            max_distance=max_distance,
        )
    ]
    index = np.arange(k_len) - np.arange(q_len)[:, None] + q_len - 1
    return values.T[:, index]
"""

# --- edges and unused buckets --------------------------------------------------------


def last_start_loops(num_buckets, max_distance):
    e = num_buckets // 2
    n = e
    while n ** (num_buckets - e) < max_distance ** (num_buckets - e - 1) * e:
        n += 1
    return n


def last_start_numpy(num_buckets, max_distance):
    return posenc.t5.bucket_starts(
        bidirectional=False, num_buckets=num_buckets, max_distance=max_distance
    )[-1]


def last_start_torch(num_buckets, max_distance):
    r = -torch.arange(max_distance + 1)
    buckets = posenc.t5.relative_position_bucket(
        r, bidirectional=False, num_buckets=num_buckets, max_distance=max_distance
    )
    return (buckets == num_buckets - 1).nonzero()[0, 0]


LAST_START = """
def last_start(num_buckets, max_distance):
    e = num_buckets // 2
    m = num_buckets - e
    n = e
    while n**m < max_distance ** (m - 1) * e:
        n += 1
    return n
"""


def unused_loops(num_buckets, max_distance, bidirectional):
    used = []
    for r in range(-max_distance, max_distance + 1):
        used.append(
            int(
                posenc.t5.relative_position_bucket(
                    np.asarray(r),
                    bidirectional=bidirectional,
                    num_buckets=num_buckets,
                    max_distance=max_distance,
                )
            )
        )
    return [b for b in range(num_buckets) if b not in used]


UNUSED = """
def unused(num_buckets, max_distance, bidirectional):
    r = np.arange(-max_distance, max_distance + 1)
    used = posenc.t5.relative_position_bucket(
        r,
        bidirectional=bidirectional,
        num_buckets=num_buckets,
        max_distance=max_distance,
    )
    return np.setdiff1d(np.arange(num_buckets), used)
"""


def unused_torch(num_buckets, max_distance, bidirectional):
    used = posenc.t5.relative_position_bucket(
        torch.arange(-max_distance, max_distance + 1),
        bidirectional=bidirectional,
        num_buckets=num_buckets,
        max_distance=max_distance,
    )
    counts = torch.bincount(used, minlength=num_buckets)
    return (counts == 0).nonzero()[:, 0]


# --- room for every bucket -----------------------------------------------------------


def enough_loops(num_buckets):
    enough = 4 * num_buckets  # beyond the bound of the proof
    while enough > num_buckets // 2 + 1:
        used = posenc.t5.relative_position_bucket(
            -np.arange(enough),
            bidirectional=False,
            num_buckets=num_buckets,
            max_distance=enough - 1,
        )
        if len(set(used.tolist())) < num_buckets:
            break
        enough -= 1
    return enough


ENOUGH = """
def enough(num_buckets):
    e = num_buckets // 2
    m = num_buckets - e
    distance = e + 1
    while distance * e ** (m - 1) < (e + 1) ** m:
        distance += 1
    while distance > e + 1:
        starts = posenc.t5.bucket_starts(
            bidirectional=False, num_buckets=num_buckets, max_distance=distance - 1
        )
        if (np.diff(starts) == 0).any():
            break
        distance -= 1
    return distance
"""


def enough_torch(num_buckets):
    last = num_buckets // 2
    for distance in range(num_buckets // 2 + 1, 3 * num_buckets):
        starts = posenc.t5.bucket_starts(
            bidirectional=False,
            num_buckets=num_buckets,
            max_distance=distance,
            xp=torch,
        )
        if (starts.diff() == 0).any():
            last = distance
    return torch.tensor(last + 1)


# --- decoding ------------------------------------------------------------------------

DECODING = """
def decode(table, num_steps, *, max_distance=128):
    rows = []
    for step in range(num_steps):
        bias = posenc.t5.relative_position_bias(
            table,
            1,
            step + 1,
            bidirectional=False,
            max_distance=max_distance,
            q_offset=step,
        )
        rows.append(bias[:, 0, :])
    return rows
"""


def decode_loops(table, num_steps, *, max_distance=128):
    num_buckets, num_heads = table.shape
    rows = []
    for t in range(num_steps):
        buckets = [
            bucket_loops(
                j - t,
                bidirectional=False,
                num_buckets=num_buckets,
                max_distance=max_distance,
            )
            for j in range(t + 1)
        ]
        rows.append([[float(table[b, h]) for b in buckets] for h in range(num_heads)])
    return rows


def decode_torch(table, num_steps, *, max_distance=128):
    full = posenc.t5.relative_position_bias(
        table.requires_grad_(),  # a learned table
        num_steps,
        num_steps,
        bidirectional=False,
        max_distance=max_distance,
    )
    return tuple(full[:, t, : t + 1] for t in range(num_steps))


BY_HAND = [0, 2, 3, 4, 7, 9, 10, 11, 5]
SHARED = {"bidirectional": True, "num_buckets": 16, "max_distance": 32}
NARROW = {"bidirectional": False, "num_buckets": 16, "max_distance": 12}
USUAL = {"bidirectional": True, "num_buckets": 32, "max_distance": 128}

RIGHT = {
    "t5.buckets_by_hand": [
        BY_HAND,
        tuple(BY_HAND),
        np.asarray(BY_HAND, "int32"),
        torch.tensor(BY_HAND),
    ],
    "t5.relative_position_bucket": [
        bucket_loops,
        made(BUCKET),
        bucket_torch,
        posenc.t5.relative_position_bucket,
    ],
    "t5.repair_bucket": [bucket_loops, made(BUCKET), bucket_torch],
    "t5.last_bucket_start": [last_start_loops, last_start_numpy, last_start_torch],
    "t5.unused_buckets": [unused_loops, made(UNUSED), unused_torch],
    "t5.enough_distance": [enough_loops, made(ENOUGH), enough_torch],
    "t5.find_settings": [
        [SHARED, NARROW],
        ((True, 16, 96), (False, 32, 28)),
        np.asarray([(False, 8, 32), (True, 32, 12)]),
    ],
    "t5.relative_position_bias": [
        made(BIAS_LOOPS),
        made(BIAS_NUMPY),
        bias_torch,
        posenc.t5.relative_position_bias,
    ],
    "t5.repair_decoding": [decode_loops, made(DECODING), decode_torch],
}

WRONG = {
    "t5.buckets_by_hand": [
        ([0, 2, 3, 4, 7, 9, 10, 11], "must have shape (9,), got shape (8,)"),
        ([0, 2, 3, 4, 7, 9, 10, 11, ...], "Some entries are still dots"),
        ([0.0, 2, 3, 4, 7, 9, 10, 11, 5], "must be whole numbers"),
        ("0, 2, 3", "must be whole numbers, got a str"),
        ([0, 2, 3, 4, 7, 9, 10, 11, 4], "relative position -100 is not in bucket 4"),
        ([0, 2, 3, 4, 7, 8, 10, 10, 5], ">=, not >"),
        ([0, 2, 3, 4, 7, 9, 10, 10, 5], "last bucket begins at 12"),
        ([0, 2, 4, 6, 0, 0, 0, 0, 11], "not shared out"),
        ([0, 2, 3, 4, 7, 9, 10, 10, 4], "leave out the last"),
        ([0, 8, 9, 9, 1, 3, 4, 4, 11], "buckets are too wide"),
    ],
    "t5.relative_position_bucket": [
        *WRONG_BUCKETS,
        (TWO_BUCKET_MISTAKES, "upper half"),
        (TWO_BUCKET_MISTAKES, "The last bucket begins at max_distance"),
        (
            made(BUCKET, ("np.maximum(n, e)", "n"), ("np.log(n /", "math.log(n /")),
            "logarithm of 0",
        ),
        (made(BUCKET, (".astype(int)", "")), "must be whole numbers, got"),
        (made(BUCKET, ("(relative_position)", "(relative_position).ravel()")), "shape"),
        (made(BUCKET, ("r = np.a", "relative_position *= 2\n    r = np.a")), "changes"),
        (made(BUCKET, ("    return", "    return None\n    return")), "not answered"),
    ],
    "t5.repair_bucket": [*WRONG_BUCKETS, (TWO_BUCKET_MISTAKES, "2 mistakes at once")],
    "t5.last_bucket_start": [
        (made(LAST_START, ("return n", "return float(n)")), "must be whole numbers"),
        (lambda b, d: 10**5000, "thousands of digits"),
    ],
    "t5.unused_buckets": [
        (lambda b, d, both: [], "gives [], should be"),
        (lambda b, d, both: len(unused_loops(b, d, both)), "must be a list of buckets"),
        (lambda b, d, both: (x for x in [1]), "got a generator"),
    ],
    "t5.enough_distance": [
        (made(ENOUGH, ("e + 1) ** m:", "e + 1) ** m and False:")), "Another"),
        (made(ENOUGH, ("return distance", "return float(distance)")), "whole numbers"),
    ],
    "t5.find_settings": [
        ([USUAL, NARROW], "the bucket of 20 holds distances"),
        ([USUAL, NARROW], "Distances 20 and 30 must share a bucket"),
        ([{**SHARED, "max_distance": 31}, NARROW], "19 and 20 must be in different"),
        ([SHARED, USUAL], "has 0 empty buckets"),
        ([SHARED, (False, 32, 20)], "has 11 empty buckets"),
        ([SHARED, ...], "The second setting is still to be found"),
        ([SHARED], "a list of two settings"),
        ([SHARED, (True, 15, 40)], "num_buckets must be even"),
        ([SHARED, (True, 2, 40)], "num_buckets must be at least 4"),
        ([SHARED, (False, 16, 8)], "max_distance must be more than 8"),
        ([SHARED, (False, 16, 10**9)], "must be a whole number from 1 to 4096"),
        ([SHARED, {"num_buckets": 16}], "must look like"),
    ],
    "t5.relative_position_bias": [
        (made(BIAS_LOOPS, ("if r not in seen", "if True")), "looked up on its own"),
        (
            posenc.t5.relative_position_bias_full,
            "reads 49 rows of the table; 13 are enough",
        ),
        (
            made(BIAS_NUMPY, ("return ", "table[0, 0] = 1\n    return ")),
            "changes its input table",
        ),
        (
            made(BIAS_NUMPY, ("return ", "values = values * np.nan\n    return ")),
            "gives nan",
        ),
    ],
    "t5.repair_decoding": [
        (
            made(DECODING, ("bias[:, 0, :]", "bias")),
            "(2, 1), got shape (2, 1, 1)",
        ),
        (made(DECODING, ("return rows", "return rows[-1]")), "one row per step"),
    ],
}
