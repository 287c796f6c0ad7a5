"""Answers to the exercises: a right one in another style each, and wrong ones."""

import numpy as np
import torch
from answer_sources import mistake

import posenc
from posenc.nn import extend_memory


def relative_shift(scores):
    q_len, k_len = scores.shape
    products = torch.zeros(q_len, k_len, dtype=scores.dtype, requires_grad=True)
    shifted = posenc.transformer_xl.relative_shift(products)
    (shifted * scores.tril(k_len - q_len)).sum().backward()
    return products.grad


def long_vectors(q, k, r, u, v):
    return torch.cat([q + u, q + v]), torch.cat([k, r])


def repair_distances(q, w, v, k_len):
    distances = torch.arange(k_len - 1, -1, -1, dtype=torch.float64)
    table = posenc.sinusoidal.sinusoidal_encoding(distances, q.shape[1], layout="half")
    return posenc.transformer_xl.position_scores(q, table @ w, v)


def repair_mask(content, position):
    q_len, k_len = content.shape
    scores = content + posenc.transformer_xl.relative_shift(position)
    visible = torch.ones(q_len, k_len, dtype=torch.bool).tril(k_len - q_len)
    return torch.softmax(scores.masked_fill(~visible, -torch.inf), dim=-1)


def repair_memory(memory, hidden, memory_len):
    return extend_memory(memory, hidden, memory_len)


def first_reached(position, segment_len, memory_len, num_layers):
    if num_layers == 0:
        return torch.tensor(position)
    below = max(position - position % segment_len - memory_len, 0)
    return first_reached(below, segment_len, memory_len, num_layers - 1)


WIDE = {"segment_len": 8, "memory_len": 7, "num_layers": 1}

SHORT = {"segment_len": 5, "memory_len": 2, "num_layers": 3}

USUAL = {"segment_len": 4, "memory_len": 4, "num_layers": 3}

find_settings = np.asarray([(6, 9, 1), (5, 2, 3)])


WRONG = {
    "transformer_xl.shift_by_hand": [
        ([[2, 3, 4, 0], [5, 6, 7, 9]], "query 1, key 3 is not 9"),
    ],
    "transformer_xl.relative_shift": [
        (posenc.transformer_xl.relative_shift_padded, "the shift itself, by padding"),
        (mistake("transformer_xl.relative_shift"), "no key is so far away"),
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
        (lambda q, k, r, u, v: (q + u) @ k + (q + v) @ r, "Return two vectors"),
    ],
    "transformer_xl.find_settings": [
        ([USUAL, SHORT], "must have one layer"),
        ([{**USUAL, "num_layers": 1}, SHORT], "reaches token 16 from token 23"),
        ([WIDE, USUAL], "must hold 1 or 2 tokens"),
        ([WIDE, (5, 2, 2)], "5 tokens too few", "reaches token 13 from token 23"),
        ([WIDE, (6, 1, 3)], "reaches token 5 from token 23: 3 tokens too many"),
        ([WIDE, (4, 1, 4)], "reaches token 7 from token 23: 1 token too many"),
        ([WIDE, ...], "The second setting is still to be found"),
        ([WIDE], "a list of two settings"),
        ([(9, 7, 1), SHORT], "segment_len of the first setting must be a whole number"),
    ],
}
