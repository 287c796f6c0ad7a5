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


def linear_reach(slope, share, k_len, score_bound):
    """First distance whose keys hold the share, with the worst scores there are."""
    for reach in range(k_len):
        near = sum(math.exp(-score_bound - slope * r) for r in range(reach + 1))
        far = sum(math.exp(score_bound - slope * r) for r in range(reach + 1, k_len))
        if near >= share * (near + far):
            return reach
    raise AssertionError


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


# --- swin -----------------------------------------------------------------------------


def swin_index(height, width, sign):
    """Table row of each pair of cells: number the sorted offsets, in a dictionary.

    `sign` +1 counts query minus key (the authors' code), -1 key minus query.
    """
    cells = [(r, c) for r in range(height) for c in range(width)]
    offsets = sorted({(r - s, c - d) for r, c in cells for s, d in cells})
    number = {offset: row for row, offset in enumerate(offsets)}
    return [
        [number[sign * (r - s), sign * (c - d)] for s, d in cells] for r, c in cells
    ]


def swin_neighbors(rows, columns, window, shift):
    """Pairs of cells in each window of the rolled image that were in one piece before.

    They were if neither axis wraps around between them: both cells come from before
    the image's end, or both from after it.
    """
    out = []
    for top in range(0, rows, window[0]):
        for left in range(0, columns, window[1]):
            cells = [
                ((r + shift[0]) // rows, (c + shift[1]) // columns)
                for r in range(top, top + window[0])
                for c in range(left, left + window[1])
            ]
            out.append([[a == b for b in cells] for a in cells])
    return out


def cubic_resize(values, new_len):
    """Keys's cubic convolution of a list, a = -0.75, pixel centers at halves."""
    a, out = -0.75, []
    for o in range(new_len):
        x = (o + 0.5) * len(values) / new_len - 0.5
        total = 0.0
        for j in range(math.floor(x) - 1, math.floor(x) + 3):
            t = abs(x - j)
            if t <= 1:
                weight = (a + 2) * t**3 - (a + 3) * t**2 + 1
            else:
                weight = a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a
            total += weight * values[min(max(j, 0), len(values) - 1)]
        out.append(total)
    return out


def swin_resize(table, window, new_window):
    """Each head's table as an image; rows are resized first, then columns."""
    (height, width), (new_height, new_width) = window, new_window
    num_heads = len(table[0])
    out = [[0.0] * num_heads for _ in range((2 * new_height - 1) * (2 * new_width - 1))]
    for h in range(num_heads):
        across = 2 * width - 1
        image = [
            cubic_resize(
                [table[r * across + c][h] for c in range(across)], 2 * new_width - 1
            )
            for r in range(2 * height - 1)
        ]
        for c in range(2 * new_width - 1):
            column = cubic_resize([row[c] for row in image], 2 * new_height - 1)
            for r, value in enumerate(column):
                out[r * (2 * new_width - 1) + c][h] = value
    return out


# --- rope -----------------------------------------------------------------------------


def rope_rotate(x, positions, base, layout="interleaved"):
    """RoFormer, complex form: each pair is a complex number times exp(i m theta)."""
    seq_len, head_dim = x.shape
    out = np.empty_like(x)
    for n in range(seq_len):
        for i in range(head_dim // 2):
            theta = base ** (-2 * i / head_dim)
            first, second = 2 * i, 2 * i + 1
            if layout == "half":
                first, second = i, i + head_dim // 2
            z = complex(x[n, first], x[n, second])
            z *= cmath.exp(1j * float(positions[n]) * theta)
            out[n, first], out[n, second] = z.real, z.imag
    return out


def rope_matrix(position, head_dim, base):
    """RoFormer eq. 15: 2 x 2 rotations along the diagonal."""
    out = np.zeros((head_dim, head_dim))
    for i in range(head_dim // 2):
        angle = position * base ** (-2 * i / head_dim)
        out[2 * i, 2 * i] = out[2 * i + 1, 2 * i + 1] = math.cos(angle)
        out[2 * i, 2 * i + 1], out[2 * i + 1, 2 * i] = -math.sin(angle), math.sin(angle)
    return out


def rope_partial_sums(distance, head_dim, base):
    """|S_1|, …, |S_{d/2}| of RoFormer sec. 3.4.3."""
    total, sizes = 0j, []
    for i in range(head_dim // 2):
        total += cmath.exp(1j * distance * base ** (-2 * i / head_dim))
        sizes.append(abs(total))
    return sizes


def rope_decay_bound(q, k, distance, base):
    """RoFormer eq. 37, largest step of h times the sum of |S_j|; pairs (2i, 2i+1)."""
    d = len(q)
    h = [
        complex(q[2 * i], q[2 * i + 1]) * complex(k[2 * i], -k[2 * i + 1])
        for i in range(d // 2)
    ]
    h.append(0)
    step = max(abs(h[i + 1] - h[i]) for i in range(d // 2))
    return step * sum(rope_partial_sums(distance, d, base))


def rope_scaled_frequencies(head_dim, scale, method, base, trained_len, alpha, beta):
    """The three published rules, one frequency after the other."""
    out = []
    for i in range(head_dim // 2):
        theta = base ** (-2 * i / head_dim)
        if method == "interpolation":
            out.append(theta / scale)
        elif method == "ntk":
            stretched = base * scale ** (head_dim / (head_dim - 2))
            out.append(stretched ** (-2 * i / head_dim))
        else:
            wavelength = 2 * math.pi / theta
            ratio = trained_len / wavelength
            if ratio < alpha:
                gamma = 0.0
            elif ratio > beta:
                gamma = 1.0
            else:
                gamma = (ratio - alpha) / (beta - alpha)
            out.append((1 - gamma) * theta / scale + gamma * theta)
    return out


def xpos_score(q, k, query_position, key_position, gamma, scale_base, base):
    """xPos: real part of q k* zeta^((n-m)/B) e^{i(n-m)theta}, summed over the pairs."""
    d, offset, total = len(q), query_position - key_position, 0.0
    for i in range(d // 2):
        zeta = (i / (d / 2) + gamma) / (1 + gamma)
        pair = complex(q[2 * i], q[2 * i + 1]) * complex(k[2 * i], -k[2 * i + 1])
        turned = pair * cmath.exp(1j * offset * base ** (-2 * i / d))
        total += turned.real * zeta ** (offset / scale_base)
    return total


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
