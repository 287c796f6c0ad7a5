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


# --- shaw -----------------------------------------------------------------------------


def shaw_offset_row(i, j, k):
    """Row of w_{clip(j - i, k)} in a table that begins with w_{-k}."""
    return max(-k, min(k, j - i)) + k


def shaw_position_scores(q, key_table, k_len, q_offset):
    """q_i . a^K_ij for one head: q (Q, D), key_table (2k + 1, D)."""
    k = (len(key_table) - 1) // 2
    out = np.zeros((len(q), k_len))
    for i in range(len(q)):
        for j in range(k_len):
            row = key_table[shaw_offset_row(i + q_offset, j, k)]
            out[i, j] = sum(a * b for a, b in zip(q[i], row, strict=True))
    return out


def shaw_position_values(weights, value_table, q_offset):
    """sum_j alpha_ij a^V_ij for one head."""
    k = (len(value_table) - 1) // 2
    out = np.zeros((len(weights), value_table.shape[1]))
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            row = value_table[shaw_offset_row(i + q_offset, j, k)]
            for d in range(len(row)):
                out[i, d] += weights[i, j] * row[d]
    return out


def shaw_graph_attention(q, k, v, labels, key_table, value_table, mask):
    """Eq. 3 and 4 of Shaw et al. for one head, with a label for each edge."""
    out = np.zeros((len(q), v.shape[1]))
    for i in range(len(q)):
        edges = [j for j in range(len(k)) if mask[i, j]]
        e = [
            np.dot(q[i], k[j] + key_table[labels[i, j]]) / math.sqrt(q.shape[1])
            for j in edges
        ]
        total = sum(math.exp(x - max(e)) for x in e)
        for x, j in zip(e, edges, strict=True):
            alpha = math.exp(x - max(e)) / total
            out[i] += alpha * (v[j] + value_table[labels[i, j]])
    return out


# --- music_transformer ----------------------------------------------------------------


def music_position_scores(q, vector_of_offset, k_len=None, q_offset=0):
    """q_i . E_{j - i} for one head; NaN where the offset has no vector."""
    k_len = len(q) if k_len is None else k_len
    out = np.full((len(q), k_len), np.nan)
    for i in range(len(q)):
        for j in range(k_len):
            if (offset := j - (i + q_offset)) in vector_of_offset:
                out[i, j] = np.dot(q[i], vector_of_offset[offset])
    return out


def music_attention(q, k, v, vector_of_offset, may_attend):
    """softmax((Q K^T + S_rel) / sqrt(D)) V for one head, over the pairs allowed."""
    out = np.zeros((len(q), v.shape[1]))
    for i in range(len(q)):
        keys = [j for j in range(len(k)) if may_attend(i, j)]
        e = [np.dot(q[i], k[j] + vector_of_offset[j - i]) for j in keys]
        e = [math.exp(x / math.sqrt(q.shape[1])) for x in e]
        for x, j in zip(e, keys, strict=True):
            out[i] += x / sum(e) * v[j]
    return out


# --- transformer_xl -------------------------------------------------------------------


def xl_score_terms(q, k, vector_of_distance, u, v):
    """Terms a, b, c, d of Dai et al., sec. 3.3, for one head; NaN after the query."""
    memory_len = len(k) - len(q)
    terms = np.full((4, len(q), len(k)), np.nan)
    for i in range(len(q)):
        for j in range(len(k)):
            terms[0, i, j] = np.dot(q[i], k[j])
            terms[2, i, j] = np.dot(u, k[j])
            distance = memory_len + i - j
            if distance >= 0:
                terms[1, i, j] = np.dot(q[i], vector_of_distance[distance])
                terms[3, i, j] = np.dot(v, vector_of_distance[distance])
    return terms


def xl_sinusoid(distance, d_model):
    """[sin | cos] of the distance, as in the authors' code."""
    angles = [distance / 10_000 ** (2 * i / d_model) for i in range(d_model // 2)]
    return np.array([math.sin(a) for a in angles] + [math.cos(a) for a in angles])


def xl_attention(hidden, memory, weights, num_heads):
    """The attention of one layer; `weights` maps names to matrices, applied as W x."""
    context = [*memory, *hidden]
    d_model = hidden.shape[1]
    size = d_model // num_heads
    out = np.zeros((len(hidden), d_model))
    for i, h in enumerate(hidden):
        heads = []
        for n in range(num_heads):
            part = slice(n * size, (n + 1) * size)
            q = (weights["query"] @ h)[part]
            u, v = weights["content_bias"][n], weights["position_bias"][n]
            e, values = [], []
            for j in range(len(memory) + i + 1):
                distance = len(memory) + i - j
                k = (weights["key"] @ context[j])[part]
                r = (weights["position"] @ xl_sinusoid(distance, d_model))[part]
                e.append(math.exp((q @ k + q @ r + u @ k + v @ r) / math.sqrt(size)))
                values.append((weights["value"] @ context[j])[part])
            heads.append(sum(x / sum(e) * y for x, y in zip(e, values, strict=True)))
        out[i] = weights["output"] @ np.concatenate(heads)
    return out
