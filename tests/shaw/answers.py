"""Answers to the exercises: a right one in another style each, and wrong ones."""

import numpy as np
import torch

import posenc

BY_HAND = [2, 3, 4, 4, 1, 0, 4, 1, 0]


def relative_position_index(q_len, k_len, max_distance, *, q_offset=0):
    key, query = torch.arange(k_len), torch.arange(q_len) + q_offset
    return torch.clamp(key - query[:, None], -max_distance, max_distance) + max_distance


def position_scores(q, key_table, k_len):
    length, k = q.shape[2], len(key_table) // 2
    offsets = torch.arange(k_len) - torch.arange(length)[:, None]
    vectors = key_table[offsets.clamp(-k, k) + k]
    turned = q.permute(2, 0, 1, 3).flatten(1, 2)
    return (turned @ vectors.mT).unflatten(1, q.shape[:2]).permute(1, 2, 0, 3)


def outermost_pairs(seq_len, max_distance):
    far = int(torch.clamp(torch.tensor(seq_len - max_distance), min=0))
    return 2 * (far * (far + 1) // 2)


def layers_to_know(distance, max_distance):
    step = torch.tensor(max_distance - 1)
    return torch.ceil(torch.tensor(distance, dtype=torch.float64) / step).long()


def repair_attention(q, k, v, key_table, value_table):
    return posenc.shaw.relative_attention(q, k, v, key_table, value_table)


#: For the tests of memory, and of repairs, in `test_exercises`.
SCORES_BROADCAST = """
def scores(q, key_table, k_len):
    k = len(key_table) // 2
    index = posenc.shaw.relative_position_index(q.shape[2], k_len, k)
    return (q[:, :, :, None, :] * key_table[index]).sum(axis=-1)
"""

# --- counting ------------------------------------------------------------------------


def scores_gathered(q, key_table, k_len):
    """Not as asked: 2k + 1 products for each query, however long the table."""
    index = posenc.shaw.relative_position_index(q.shape[2], k_len, len(key_table) // 2)
    products = q @ key_table.T
    return np.take_along_axis(
        products, np.broadcast_to(index, (*q.shape[:3], k_len)), -1
    )


ATTENTION = """
def attention(q, k, v, key_table, value_table):
    L, d = q.shape
    clip = len(key_table) // 2
    offsets = np.arange(L) - np.arange(L)[:, None]
    index = np.clip(offsets, -clip, clip) + clip
    scores = (q @ k.T + (q[:, None] * key_table[index]).sum(-1)) / np.sqrt(d)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ v + (weights[..., None] * value_table[index]).sum(1)
"""


def graph_labels(heads):
    n = len(heads)
    labels, edges = torch.zeros(n, n, dtype=torch.long), torch.eye(n).bool()
    has_head = (heads >= 0).nonzero()[:, 0]
    labels[has_head, heads[has_head]] = 1
    labels[heads[has_head], has_head] = 2
    return labels, edges | (labels > 0)


def setting(length, max_distance):
    return {"length": length, "max_distance": max_distance}


find_settings = [setting(1, 1), [11, 2]]


WRONG = {
    "shaw.index_by_hand": [
        ([*BY_HAND[:-1], 1], "query 5, key 0: not row 1"),
    ],
    "shaw.outermost_pairs": [
        (lambda n, k: int(2 * (m := max(n - k, 0)) * (m + 1) / 2), "Floating point"),
    ],
    "shaw.graph_labels": [
        (lambda heads: graph_labels(heads)[0], "two tables"),
        (lambda heads: [1 * part for part in graph_labels(heads)], "True and"),
    ],
    "shaw.find_settings": [
        (
            [setting(3, 2), setting(11, 2)],
            "leaves 0 unused",
            "k is the largest distance",
        ),
        ([setting(3, 4), setting(11, 2)], "leaves 4 unused"),
        ([setting(3, 3), setting(10, 2)], "leftmost for 3, rightmost for 4"),
        (
            [setting(3, 3), setting(11, 3)],
            "k is one too large",
            "leftmost for 2, rightmost for 4",
        ),
        ([setting(3, 3), setting(11, 1)], "k is one too small"),
        ([setting(3, 3), setting(4, 2)], "needs more words"),
        ([setting(3, 3), ...], "still to be found"),
        ([setting(0, 3), setting(11, 2)], "from 1"),
        ([setting(3, 3)], "list of two"),
    ],
}
