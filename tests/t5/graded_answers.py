"""A right answer to each exercise for marks, in another style than its solution."""

import torch

import posenc


def bucket_begin(bucket, num_buckets, max_distance):
    e = num_buckets // 2
    m, t = num_buckets - e, bucket - e
    candidates = range(max_distance + 1)
    if t < 0:
        return bucket
    return next(n for n in candidates if n**m * e**t >= max_distance**t * e**m)


def two_sided_bucket(relative_position, *, before, after, max_distance):
    def side(r, count):
        return posenc.t5.relative_position_bucket(
            r, bidirectional=False, num_buckets=count, max_distance=max_distance
        )

    r = torch.as_tensor(relative_position)
    return torch.where(r > 0, before + side(-r, after), side(r, before))
