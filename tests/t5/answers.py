"""Answers to the exercises: a right one in another style each, and wrong ones."""

import math

import numpy as np
import torch
from answer_sources import made

import posenc


def repair_bucket(
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


def relative_position_bucket(
    relative_position, *, bidirectional=True, num_buckets=32, max_distance=128
):
    r = np.asarray(relative_position)
    side = num_buckets // 2 if bidirectional else num_buckets
    e = side // 2
    m = side - e
    n = np.abs(r) if bidirectional else np.maximum(-r, 0)
    steps = np.log(np.maximum(n, e) / e) / np.log(max_distance / e) * m
    far = np.minimum(np.floor(e + steps).astype(int), side - 1)
    bucket = np.where(n < e, n, far)
    return np.where(r > 0, bucket + side, bucket) if bidirectional else bucket


def changed(*replacements):
    return made(relative_position_bucket, *replacements)


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


def relative_position_bias(
    table, q_len, k_len, *, bidirectional=True, max_distance=128, q_offset=0
):
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


def last_bucket_start(num_buckets, max_distance):
    r = -torch.arange(max_distance + 1)
    buckets = posenc.t5.relative_position_bucket(
        r, bidirectional=False, num_buckets=num_buckets, max_distance=max_distance
    )
    return (buckets == num_buckets - 1).nonzero()[0, 0]


def unused_buckets(num_buckets, max_distance, bidirectional):
    used = posenc.t5.relative_position_bucket(
        torch.arange(-max_distance, max_distance + 1),
        bidirectional=bidirectional,
        num_buckets=num_buckets,
        max_distance=max_distance,
    )
    counts = torch.bincount(used, minlength=num_buckets)
    return (counts == 0).nonzero()[:, 0]


def enough_distance(num_buckets):
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


def repair_decoding(table, num_steps, *, max_distance=128):
    full = posenc.t5.relative_position_bias(
        table.requires_grad_(),  # a learned table
        num_steps,
        num_steps,
        bidirectional=False,
        max_distance=max_distance,
    )
    return tuple(full[:, t, : t + 1] for t in range(num_steps))


SHARED = {"bidirectional": True, "num_buckets": 16, "max_distance": 32}

NARROW = {"bidirectional": False, "num_buckets": 16, "max_distance": 12}

USUAL = {"bidirectional": True, "num_buckets": 32, "max_distance": 128}

find_settings = np.asarray([(False, 8, 32), (True, 32, 12)])


RIGHT = {"t5.relative_position_bucket": [bucket_loops]}

WRONG = {
    "t5.buckets_by_hand": [
        ([0, 2, 3, 4, 7, 9, 10, 11, 4], "relative position -100 is not in bucket 4"),
    ],
    "t5.relative_position_bucket": [
        (
            changed(
                ("np.maximum(n, e)", "n"),
                ("np.where(n < e,", "np.where((0 < n) & (n < e),"),
            ),
            "logarithm of 0",
        ),
    ],
    "t5.last_bucket_start": [
        (lambda b, d: 10**5000, "thousands of digits"),
    ],
    "t5.unused_buckets": [
        (lambda b, d, both: 3, "must be a list of buckets"),
    ],
    "t5.find_settings": [
        (
            [USUAL, NARROW],
            "the bucket of 20 holds distances",
            "Distances 20 and 30 must share a bucket",
        ),
        ([{**SHARED, "max_distance": 31}, NARROW], "19 and 20 must be in different"),
        ([SHARED, USUAL], "has 0 empty buckets"),
        ([SHARED, (False, 32, 20)], "has 11 empty buckets"),
        ([SHARED, ...], "The second setting is still to be found"),
        ([SHARED], "a list of two settings"),
        ([SHARED, (True, 15, 40)], "num_buckets must be even"),
        ([SHARED, (True, 2, 40)], "num_buckets must be at least 4"),
        ([SHARED, (False, 16, 8)], "max_distance must be more than 8"),
        ([SHARED, (False, 16, 10**9)], "must be a whole number from 1 to 4096"),
    ],
    "t5.relative_position_bias": [
        (
            made(relative_position_bias, ("if r not in seen", "if True")),
            "looked up on its own",
        ),
        (
            posenc.t5.relative_position_bias_full,
            "reads 49 rows of the table; 13 are enough",
        ),
    ],
    "t5.repair_decoding": [
        (lambda table, n, **_: [np.ones((2, 1, 1))] * n, "(2, 1), got shape (2, 1, 1)"),
        (lambda table, n, **_: table, "one row per step"),
    ],
}
