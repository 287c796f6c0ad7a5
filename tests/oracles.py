"""Slow, obvious versions straight from the papers: loops, no posenc import."""

import cmath
import math
from fractions import Fraction

import numpy as np

# --- attention ------------------------------------------------------------------------


def attention(q, k, v, scale=None, bias=None, mask=None):
    """Vaswani et al., eq. 1, for one head; a query without any key gets zeros."""
    scale = 1 / math.sqrt(len(q[0])) if scale is None else scale
    out = np.zeros((len(q), len(v[0]) if len(v) else 0))
    for i in range(len(q)):
        weights = {}
        for j in range(len(k)):
            score = scale * sum(a * b for a, b in zip(q[i], k[j], strict=True))
            score += bias[i][j] if bias is not None else 0.0
            if mask is None or mask[i][j]:
                weights[j] = math.exp(score)
        for j, weight in weights.items():
            for e in range(len(v[j])):
                out[i, e] += weight / sum(weights.values()) * v[j][e]
    return out


# --- linear_attention -----------------------------------------------------------------


def elu_plus_one(vector):
    """Katharopoulos et al., sec. 3.2.1: elu(x) is exp(x) - 1 below 0, else x."""
    return [x + 1 if x > 0 else math.exp(x) for x in vector]


def rotate(features, angles):
    """Each pair (x, y) of neighbors as x + iy, times exp(i angle)."""
    out = []
    for pair, angle in enumerate(angles):
        z = complex(features[2 * pair], features[2 * pair + 1]) * cmath.exp(1j * angle)
        out += [z.real, z.imag]
    return out


def linear_attention(
    q,
    k,
    v,
    causal=False,
    feature_map=elu_plus_one,
    angles=None,
    rotate_denominator=False,
    decay=1.0,
    bias=lambda offset: 0.0,
):
    """RoFormer, eq. 19, for one head: a fraction of two sums over the keys.

    With a factor decay ** (i - j) and exp(bias(j - i)) on every term; without angles it
    is eq. 4 of Katharopoulos et al. A denominator of 0 gives zeros.
    """

    def dot(x, y):
        return sum(a * b for a, b in zip(x, y, strict=True))

    out = np.zeros((len(q), len(v[0]) if len(v) else 0))
    for i in range(len(q)):
        top, bottom = [0.0] * out.shape[1], 0.0
        for j in range(i + 1 if causal else len(k)):
            q_features, k_features = feature_map(q[i]), feature_map(k[j])
            similarity = rotated = dot(q_features, k_features)
            if angles is not None:
                rotated = dot(
                    rotate(q_features, angles[i]), rotate(k_features, angles[j])
                )
            factor = decay ** (i - j) * math.exp(bias(j - i))
            for e in range(out.shape[1]):
                top[e] += factor * rotated * v[j][e]
            bottom += factor * (rotated if rotate_denominator else similarity)
        if bottom != 0:
            out[i] = [t / bottom for t in top]
    return out


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
