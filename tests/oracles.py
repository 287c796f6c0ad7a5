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


# --- sinusoidal -----------------------------------------------------------------------


def sinusoid(positions, d_model, base, layout, frequencies):
    """Vaswani et al., sec. 3.5, entry by entry; half = tensor2tensor's column order."""
    out = np.empty((len(positions), d_model))
    for row, position in enumerate(positions):
        for i in range(d_model // 2):
            exponent = 2 * i / d_model
            if frequencies == "tensor2tensor":
                exponent = i / max(d_model // 2 - 1, 1)
            angle = float(position) / base**exponent
            interleaved = layout == "interleaved"
            out[row, 2 * i if interleaved else i] = math.sin(angle)
            out[row, 2 * i + 1 if interleaved else d_model // 2 + i] = math.cos(angle)
    return out


def binary_digits(number, num_bits):
    """Digits of Python's own binary notation, the lowest first."""
    return [int(digit) for digit in reversed(format(number, f"0{num_bits}b"))]


def smooth_binary_digits(position, d_model):
    return [math.sin(2 * math.pi * position / 2**j) for j in range(1, d_model + 1)]


def geometric_sines(position, d_model, base):
    return [math.sin(position * (1 / base) ** (j / d_model)) for j in range(d_model)]


# --- rotation -------------------------------------------------------------------------


def turned_pairs(encoding, offset, base):
    """Encoding of one position, moved on by the addition theorems."""
    d_model = len(encoding)
    out = []
    for i in range(d_model // 2):
        step = offset / base ** (2 * i / d_model)
        sin, cos = encoding[2 * i], encoding[2 * i + 1]
        out.append(sin * math.cos(step) + cos * math.sin(step))
        out.append(cos * math.cos(step) - sin * math.sin(step))
    return out


def four_score_terms(content, position, w_query, w_key):
    """Terms a, b, c, d as sums over all four indices, query and key written out."""
    seq_len, d_model = content.shape
    out = np.zeros((4, seq_len, seq_len))
    pairs = [(q, k) for q in (content, position) for k in (content, position)]
    for term, (query, key) in enumerate(pairs):
        for i in range(seq_len):
            for j in range(seq_len):
                for h in range(w_query.shape[1]):
                    left = sum(query[i, n] * w_query[n, h] for n in range(d_model))
                    right = sum(key[j, n] * w_key[n, h] for n in range(d_model))
                    out[term, i, j] += left * right
    return out


# --- alibi ----------------------------------------------------------------------------


def linear_slopes(num_heads):
    """Press et al., sec. 3: start and ratio 2^(-8/n), then those of 2p heads."""
    power = 1
    while 2 * power <= num_heads:
        power *= 2
    slopes = []
    for _ in range(power):
        slopes.append((slopes[-1] if slopes else 1.0) * 2 ** (-8 / power))
    extra = []
    for _ in range(2 * power):
        extra.append((extra[-1] if extra else 1.0) * 2 ** (-8 / (2 * power)))
    return slopes + [extra[2 * i] for i in range(num_heads - power)]


def linear_bias(slopes, q_len, k_len, q_offset, symmetric):
    out = np.zeros((len(slopes), q_len, k_len))
    for head, slope in enumerate(slopes):
        for i in range(q_len):
            for j in range(k_len):
                distance = i + q_offset - j
                if distance > 0 or symmetric:
                    out[head, i, j] = -slope * abs(distance)
    return out


# --- cape -----------------------------------------------------------------------------


def moved_positions(positions, shifts, scales, jitters, center):
    """Listing of Likhomanenko et al., row by row; NaN marks padding, as there."""
    out = np.full(positions.shape, np.nan)
    for row, sequence in enumerate(positions):
        tokens = [p for p in sequence if not math.isnan(p)]
        mean = sum(tokens) / len(tokens) if center and tokens else 0.0
        for j, p in enumerate(sequence):
            out[row, j] = (p - mean + shifts[row] + jitters[row][j]) * scales[row]
    return out


# --- convolutional --------------------------------------------------------------------


def gelu_of_convolution(x, weight, bias, groups):
    """wav2vec 2.0's layer: pad both sides by kernel // 2, convolve, crop, GELU."""
    batch, seq_len, channels = x.shape
    width, kernel = weight.shape[1:]
    padded = np.pad(x, ((0, 0), (kernel // 2, kernel // 2), (0, 0)))
    out = np.empty((batch, seq_len, channels))
    for b in range(batch):
        for t in range(seq_len):
            for c in range(channels):
                first = c // (channels // groups) * width  # first channel of the group
                total = bias[c]
                for i in range(width):
                    for tap in range(kernel):
                        total += weight[c, i, tap] * padded[b, t + tap, first + i]
                out[b, t, c] = total * 0.5 * (1 + math.erf(total / math.sqrt(2)))
    return out
