"""Slow, obvious versions straight from the papers: loops, no posenc import."""

import math
from fractions import Fraction

import numpy as np

# --- t5 -------------------------------------------------------------------------------


def t5_bucket(relative_position, bidirectional, num_buckets, max_distance):
    """T5's rule for one relative position, in exact arithmetic.

    Follows `_relative_position_bucket` of mesh_tensorflow step by step, but asks for
    the logarithm by comparing powers of fractions: log(n/e) / log(M/e) * m >= t exactly
    when (n/e)^m >= (M/e)^t.
    """
    bucket = 0
    distance = -relative_position
    if bidirectional:
        num_buckets //= 2
        if distance < 0:
            bucket += num_buckets
        distance = abs(distance)
    else:
        distance = max(distance, 0)
    max_exact = num_buckets // 2
    if distance < max_exact:
        return bucket + distance
    steps = num_buckets - max_exact
    reached, ratio = 0, Fraction(max_distance, max_exact)
    while Fraction(distance, max_exact) ** steps >= ratio ** (reached + 1):
        reached += 1
    return bucket + min(max_exact + reached, num_buckets - 1)


def t5_bucket_published(distance, bidirectional, num_buckets, max_distance, float_type):
    """Bucket of a distance at or before the query, in floating point as published.

    The published order of operations: log(n / e) / log(M / e) * m, truncated. NumPy's
    `float_type` sets the precision; log(M / e) is a Python float, as in the original.
    """
    side = num_buckets // 2 if bidirectional else num_buckets
    max_exact = side // 2
    if distance < max_exact:
        return distance
    log_ratio = np.log(float_type(distance) / float_type(max_exact))
    scaled = log_ratio / float_type(math.log(max_distance / max_exact))
    return min(max_exact + int(scaled * float_type(side - max_exact)), side - 1)


def t5_bias(table, q_len, k_len, bidirectional, max_distance, q_offset):
    """Bias of every head, query and key as nested lists."""
    return [
        [
            [
                table[
                    t5_bucket(
                        key - (q_offset + query),
                        bidirectional,
                        len(table),
                        max_distance,
                    )
                ][head]
                for key in range(k_len)
            ]
            for query in range(q_len)
        ]
        for head in range(len(table[0]))
    ]
