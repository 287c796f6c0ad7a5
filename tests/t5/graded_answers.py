"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import numpy as np
import torch

import posenc


def begin_fractions(bucket, num_buckets, max_distance):
    e = num_buckets // 2
    m, t = num_buckets - e, bucket - e
    candidates = range(max_distance + 1)
    if t < 0:
        return bucket
    return next(n for n in candidates if n**m * e**t >= max_distance**t * e**m)


def begin_by_halving(bucket, num_buckets, max_distance):
    e = num_buckets // 2
    m, t = num_buckets - e, bucket - e
    if t < 0:
        return bucket
    low, high = 0, max_distance
    while low < high:
        middle = (low + high) // 2
        if middle**m * e**t >= max_distance**t * e**m:
            high = middle
        else:
            low = middle + 1
    return low


def one_side(n, buckets, max_distance):
    starts = [begin_fractions(b, buckets, max_distance) for b in range(buckets)]
    return max(b for b, start in enumerate(starts) if start <= n)


def sides_loops(relative_position, *, before, after, max_distance):
    return [
        before + one_side(r, after, max_distance)
        if r > 0
        else one_side(-r, before, max_distance)
        for r in relative_position
    ]


def sides_torch(relative_position, *, before, after, max_distance):
    def side(r, count):
        return posenc.t5.relative_position_bucket(
            r, bidirectional=False, num_buckets=count, max_distance=max_distance
        )

    r = torch.as_tensor(relative_position)
    return torch.where(r > 0, before + side(-r, after), side(r, before))


RIGHT = {
    "t5.bucket_begin": [begin_fractions, begin_by_halving],
    "t5.two_sided_bucket": [sides_loops, sides_torch],
}
WRONG = {
    "t5.bucket_begin": [(lambda b, n, d: d, "another distance")],
    "t5.two_sided_bucket": [
        (lambda r, **sizes: np.zeros(len(r), dtype=int), "another bucket")
    ],
}
