"""Answers to the exercises on Transformer-XL, right and wrong: see `answers_t5`."""

import math

import numpy as np
import torch
from answer_sources import made

import posenc
from posenc.nn import extend_memory

# --- the shift -----------------------------------------------------------------------


BACK = """
def shift_back(scores):
    q_len, k_len = scores.shape
    out = np.zeros((q_len, k_len))
    for i in range(q_len):
        for c in range(k_len):
            j = c - (q_len - 1 - i)
            if j >= 0:
                out[i, c] = scores[i, j]
    return out
"""


def back_reshaped(scores):
    q_len, k_len = scores.shape
    past = np.tril(scores, k_len - q_len)
    numbers = np.concatenate([np.zeros(q_len), past.ravel()])
    return numbers.reshape(q_len, k_len + 1)[:, 1:]


def back_rolled(scores):
    q_len, k_len = scores.shape
    past = np.tril(scores, k_len - q_len)
    return [np.roll(row, q_len - 1 - i) for i, row in enumerate(past)]


def back_torch(scores):
    q_len, k_len = scores.shape
    products = torch.zeros(q_len, k_len, dtype=scores.dtype, requires_grad=True)
    shifted = posenc.transformer_xl.relative_shift(products)
    (shifted * scores.tril(k_len - q_len)).sum().backward()
    return products.grad


# --- the terms -----------------------------------------------------------------------

LONG = """
def long_vectors(q, k, r, u, v):
    return np.concatenate([q + u, q + v]), np.concatenate([k, r])
"""


def long_loops(q, k, r, u, v):
    d = len(q)
    left = [float(q[n] + u[n]) for n in range(d)] + [
        float(q[n] + v[n]) for n in range(d)
    ]
    return left, [float(x) for x in k] + [float(x) for x in r]


def long_torch(q, k, r, u, v):
    return torch.cat([q + u, q + v]), torch.cat([k, r])


POSITION = """
def position_scores(q, w, v, k_len):
    distances = np.arange(k_len - 1, -1, -1)
    table = posenc.sinusoidal.sinusoidal_encoding(
        distances, q.shape[1], layout="half"
    )
    r = table @ w
    return posenc.transformer_xl.relative_shift((q + v) @ r.T)
"""


def position_loops(q, w, v, k_len):
    q_len, d = q.shape
    out = np.zeros((q_len, k_len))
    for i in range(q_len):
        for j in range(k_len - q_len + i + 1):
            t = np.asarray(i + k_len - q_len - j)
            r = posenc.sinusoidal.sinusoidal_encoding(t, d, layout="half") @ w
            out[i, j] = (q[i] + v) @ r
    return out


def position_torch(q, w, v, k_len):
    distances = torch.arange(k_len - 1, -1, -1, dtype=torch.float64)
    table = posenc.sinusoidal.sinusoidal_encoding(distances, q.shape[1], layout="half")
    return posenc.transformer_xl.position_scores(q, table @ w, v)


def position_reversed_late(q, w, v, k_len):
    table = posenc.sinusoidal.sinusoidal_encoding(
        np.arange(k_len), q.shape[1], layout="half"
    )
    shifted = posenc.transformer_xl.relative_shift((q + v) @ (table @ w).T)
    return shifted[:, ::-1]


# --- masking -------------------------------------------------------------------------

MASK = """
def weights(content, position):
    q_len, k_len = content.shape
    bias = np.array(posenc.transformer_xl.relative_shift(position))
    scores = content + bias
    hidden = ~np.tril(np.ones((q_len, k_len), bool), k_len - q_len)
    scores[hidden] = -np.inf
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
"""


def mask_loops(content, position):
    q_len, k_len = content.shape
    out = np.zeros((q_len, k_len))
    for i in range(q_len):
        last = i + k_len - q_len
        e = [
            math.exp(content[i, j] + position[i, j + q_len - 1 - i])
            for j in range(last + 1)
        ]
        out[i, : last + 1] = [x / sum(e) for x in e]
    return out


def mask_torch(content, position):
    q_len, k_len = content.shape
    scores = content + posenc.transformer_xl.relative_shift(position)
    visible = torch.ones(q_len, k_len, dtype=torch.bool).tril(k_len - q_len)
    return torch.softmax(scores.masked_fill(~visible, -torch.inf), dim=-1)


# --- memory and reach ----------------------------------------------------------------

MEMORY = """
def next_memory(memory, hidden, memory_len):
    rows = np.concatenate([memory, hidden])
    return rows[max(len(rows) - memory_len, 0) :]
"""


def memory_loops(memory, hidden, memory_len):
    rows = []
    for row in [*memory, *hidden]:
        rows.append(row)
        if len(rows) > memory_len:
            rows.pop(0)
    return np.asarray(rows).reshape(len(rows), hidden.shape[1])


def memory_torch(memory, hidden, memory_len):
    return extend_memory(memory, hidden, memory_len)


REACH = """
def first(position, segment_len, memory_len, num_layers):
    for _ in range(num_layers):
        start = position - position % segment_len
        position = max(start - memory_len, 0)
    return position
"""


def reach_formula(position, segment_len, memory_len, num_layers):
    start = position // segment_len * segment_len
    if memory_len == 0:
        return start
    back = -(-memory_len // segment_len) * segment_len
    return max(start - memory_len - (num_layers - 1) * back, 0)


def reach_recursive(position, segment_len, memory_len, num_layers):
    if num_layers == 0:
        return torch.tensor(position)
    below = max(position - position % segment_len - memory_len, 0)
    return reach_recursive(below, segment_len, memory_len, num_layers - 1)


def reach_from_token(p, s, m, n):
    return max(p - n * m, 0)


WIDE = {"segment_len": 8, "memory_len": 7, "num_layers": 1}
SHORT = {"segment_len": 5, "memory_len": 2, "num_layers": 3}
USUAL = {"segment_len": 4, "memory_len": 4, "num_layers": 3}

RIGHT = {
    "transformer_xl.shift_by_hand": [
        [[2, 3, 4, 0], [5, 6, 7, 8]],
        np.asarray([[2.0, 3, 4, 0], [5, 6, 7, 8]]),
        torch.tensor([[2, 3, 4, 0], [5, 6, 7, 8]]),
    ],
    "transformer_xl.relative_shift": [
        made(BACK),
        back_reshaped,
        back_rolled,
        back_torch,
    ],
    "transformer_xl.long_vectors": [long_loops, made(LONG), long_torch],
    "transformer_xl.repair_distances": [position_loops, made(POSITION), position_torch],
    "transformer_xl.repair_mask": [mask_loops, made(MASK), mask_torch],
    "transformer_xl.repair_memory": [memory_loops, made(MEMORY), memory_torch],
    "transformer_xl.first_reached": [made(REACH), reach_formula, reach_recursive],
    "transformer_xl.find_settings": [
        [WIDE, SHORT],
        ((4, 11, 1), (3, 1, 5)),
        np.asarray([(6, 9, 1), (5, 2, 3)]),
    ],
}

WRONG = {
    "transformer_xl.shift_by_hand": [
        ([[2, 3, 4, 0], [5, 6, 7, 9]], "query 1, key 3 is not 9"),
        ([[2, 3, 4, ...], [5, 6, 7, 8]], "Some entries are still dots"),
        ([[2, 3, 4], [5, 6, 7]], "must have shape (2, 4)"),
        ([[4, 3, 2, 0], [8, 7, 6, 5]], "Key 0 is the farthest"),
        ("2 3 4", "must be real numbers"),
    ],
    "transformer_xl.relative_shift": [
        (made(BACK, ("return out", "return out.T")), "must have shape"),
        (made(BACK, ("return out", "return out * np.nan")), "gives nan"),
        (made(BACK, ("np.zeros(", "np.nan * np.zeros(")), "no key is so far away"),
        (posenc.transformer_xl.relative_shift_padded, "the shift itself, by padding"),
        (posenc.transformer_xl.relative_shift, "the shift itself, without a pad"),
    ],
    "transformer_xl.long_vectors": [
        (
            lambda q, k, r, u, v: (
                np.append((q + u) * k, (q + v) * r),
                np.append(1 + 0 * k, 1 + 0 * r),
            ),
            "The first vector changes with k or r",
        ),
        (
            lambda q, k, r, u, v: (
                np.append(1 + 0 * k, 1 + 0 * r),
                np.append((q + u) * k, (q + v) * r),
            ),
            "The second vector changes with q, u or v",
        ),
        (
            lambda q, k, r, u, v: (np.append(q + u, q + v), np.append(r, k)),
            "The halves do not match",
        ),
        (
            lambda q, k, r, u, v: (np.append(q, u), np.append(k, r)),
            "The halves give q · k + u · r",
        ),
        (lambda q, k, r, u, v: (q + u) @ k + (q + v) @ r, "Return two vectors"),
        (lambda q, k, r, u, v: (q + u, k), "must have shape (2,), got shape (1,)"),
    ],
    "transformer_xl.repair_distances": [
        (position_reversed_late, "The columns are reversed after the shift"),
    ],
    "transformer_xl.repair_mask": [],
    "transformer_xl.repair_memory": [
        (made(MEMORY, ("return rows", "return rows.T")), "must have shape"),
    ],
    "transformer_xl.first_reached": [
        (made(REACH, ("return position", "return position / 1")), "whole numbers"),
    ],
    "transformer_xl.find_settings": [
        ([USUAL, SHORT], "must have one layer"),
        ([{**USUAL, "num_layers": 1}, SHORT], "reaches token 16 from token 23"),
        ([WIDE, USUAL], "must hold 1 or 2 tokens"),
        ([WIDE, (5, 2, 2)], "5 tokens too few"),
        ([WIDE, (6, 1, 3)], "reaches token 5 from token 23: 3 tokens too many"),
        ([WIDE, (4, 1, 4)], "reaches token 7 from token 23: 1 token too many"),
        ([WIDE, (5, 2, 2)], "reaches token 13 from token 23"),
        ([WIDE, ...], "The second setting is still to be found"),
        ([WIDE], "a list of two settings"),
        ([(9, 7, 1), SHORT], "segment_len of the first setting must be a whole number"),
        ([WIDE, {"segment_len": 5}], "must look like"),
    ],
}
