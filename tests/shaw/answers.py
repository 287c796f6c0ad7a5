"""Answers to the exercises on Shaw's vectors: right in several styles, and wrong.

``RIGHT[exercise]`` lists answers that must pass; ``WRONG[exercise]`` lists pairs of an
answer and a word that its diagnosis must hold. Wrong ones are made from right ones by
replacing a piece of their code.
"""

import numpy as np
import torch
from answer_sources import made

import posenc

# --- the index -----------------------------------------------------------------------

BY_HAND = [2, 3, 4, 4, 1, 0, 4, 1, 0]


def index_loops(q_len, k_len, max_distance, *, q_offset=0):
    table = []
    for i in range(q_offset, q_offset + q_len):
        row = [min(max(j - i, -max_distance), max_distance) for j in range(k_len)]
        table.append([offset + max_distance for offset in row])
    return table


INDEX = """
def index(q_len, k_len, max_distance, *, q_offset=0):
    offsets = np.arange(k_len) - np.arange(q_offset, q_offset + q_len)[:, None]
    return np.clip(offsets, -max_distance, max_distance) + max_distance
"""


def index_torch(q_len, k_len, max_distance, *, q_offset=0):
    key, query = torch.arange(k_len), torch.arange(q_len) + q_offset
    return torch.clamp(key - query[:, None], -max_distance, max_distance) + max_distance


# --- scores --------------------------------------------------------------------------

SCORES = """
def scores(q, key_table, k_len):
    B, H, L, d = q.shape
    k = len(key_table) // 2
    vectors = key_table[posenc.shaw.relative_position_index(L, k_len, k)]
    turned = q.transpose(2, 0, 1, 3).reshape(L, B * H, d)
    products = turned @ vectors.transpose(0, 2, 1)
    return products.reshape(L, B, H, k_len).transpose(1, 2, 0, 3)
"""


def scores_loops(q, key_table, k_len):
    k = len(key_table) // 2
    out = np.empty((*q.shape[:-1], k_len))
    for i in range(q.shape[2]):
        rows = [min(max(j - i, -k), k) + k for j in range(k_len)]
        out[:, :, i] = q[:, :, i] @ key_table[rows].T
    return out


def scores_torch(q, key_table, k_len):
    length, k = q.shape[2], len(key_table) // 2
    offsets = torch.arange(k_len) - torch.arange(length)[:, None]
    vectors = key_table[offsets.clamp(-k, k) + k]
    turned = q.permute(2, 0, 1, 3).flatten(1, 2)
    return (turned @ vectors.mT).unflatten(1, q.shape[:2]).permute(1, 2, 0, 3)


def scores_gathered(q, key_table, k_len):
    """Not as asked: 2k + 1 products for each query, however long the table."""
    index = posenc.shaw.relative_position_index(q.shape[2], k_len, len(key_table) // 2)
    products = q @ key_table.T
    return np.take_along_axis(
        products, np.broadcast_to(index, (*q.shape[:3], k_len)), -1
    )


SCORES_BROADCAST = """
def scores(q, key_table, k_len):
    k = len(key_table) // 2
    index = posenc.shaw.relative_position_index(q.shape[2], k_len, k)
    return (q[:, :, :, None, :] * key_table[index]).sum(axis=-1)
"""

# --- counting ------------------------------------------------------------------------

PAIRS = """
def pairs(seq_len, max_distance):
    m = max(seq_len - max_distance, 0)
    return m * (m + 1)
"""


def pairs_numpy(seq_len, max_distance):
    far = np.maximum(np.int64(seq_len) - max_distance, 0).astype(object)
    return int(far * (far + 1))


def pairs_torch(seq_len, max_distance):
    far = int(torch.clamp(torch.tensor(seq_len - max_distance), min=0))
    return 2 * (far * (far + 1) // 2)


LAYERS = """
def layers(distance, max_distance):
    return -(-distance // (max_distance - 1))
"""


def layers_loops(distance, max_distance):
    layers = 0
    while layers * (max_distance - 1) < distance:
        layers += 1
    return layers


def layers_torch(distance, max_distance):
    step = torch.tensor(max_distance - 1)
    return torch.ceil(torch.tensor(distance, dtype=torch.float64) / step).long()


# --- attention -----------------------------------------------------------------------

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


def attention_loops(q, k, v, key_table, value_table):
    clip, outputs = len(key_table) // 2, []
    for i in range(len(q)):
        rows = [min(max(j - i, -clip), clip) + clip for j in range(len(k))]
        scores = [q[i] @ (k[j] + key_table[rows[j]]) for j in range(len(k))]
        weights = np.exp(np.asarray(scores) / np.sqrt(q.shape[1]))
        weights /= weights.sum()
        outputs.append(
            sum(weights[j] * (v[j] + value_table[rows[j]]) for j in range(len(k)))
        )
    return outputs


def attention_torch(q, k, v, key_table, value_table):
    return posenc.shaw.relative_attention(q, k, v, key_table, value_table)


# --- graphs --------------------------------------------------------------------------

GRAPH = """
def graph(heads):
    n = len(heads)
    labels, edges = np.zeros((n, n), dtype=int), np.eye(n, dtype=bool)
    for i, h in enumerate(heads):
        if h >= 0:
            labels[i, h], labels[h, i] = 1, 2
            edges[i, h] = edges[h, i] = True
    return labels, edges
"""


def graph_vectorized(heads):
    n = len(heads)
    to_head = heads[:, None] == np.arange(n)
    return to_head + 2 * to_head.T, to_head | to_head.T | np.eye(n, dtype=bool)


def graph_torch(heads):
    n = len(heads)
    labels, edges = torch.zeros(n, n, dtype=torch.long), torch.eye(n).bool()
    has_head = (heads >= 0).nonzero()[:, 0]
    labels[has_head, heads[has_head]] = 1
    labels[heads[has_head], has_head] = 2
    return labels, edges | (labels > 0)


def setting(length, max_distance):
    return {"length": length, "max_distance": max_distance}


RIGHT = {
    "shaw.index_by_hand": [BY_HAND, tuple(BY_HAND), np.asarray(BY_HAND)],
    "shaw.relative_position_index": [made(INDEX), index_loops, index_torch],
    "shaw.position_scores": [
        made(SCORES),
        scores_loops,
        scores_torch,
    ],
    "shaw.outermost_pairs": [made(PAIRS), pairs_numpy, pairs_torch],
    "shaw.layers_to_know": [made(LAYERS), layers_loops, layers_torch],
    "shaw.repair_attention": [made(ATTENTION), attention_loops, attention_torch],
    "shaw.graph_labels": [made(GRAPH), graph_vectorized, graph_torch],
    "shaw.find_settings": [
        [setting(3, 3), setting(11, 2)],
        ((6, 6), (11, 2)),
        [setting(1, 1), [11, 2]],
    ],
}


def clip(r):
    return max(-2, min(2, r))


WRONG = {
    "shaw.index_by_hand": [
        ([*BY_HAND[:-1], ...], "still dots"),
        (BY_HAND[:-1], "shape (9,)"),
        ([*BY_HAND[:-1], 1], "query 5, key 0: not row 1"),
        ([2, 2, 2, 2, 1, -1, 2, 1, -2], "added before clipping"),
        ([0, 1, 2, 2, 1, 2, 2, 1, 2], "The side is lost"),
    ],
    "shaw.relative_position_index": [
        (made(INDEX, ("+ max_distance", "+ max_distance + 1")), "not right"),
        (made(INDEX, ("(offsets,", "(abs(offsets),")), "The side is lost"),
        (
            made(INDEX, ("(offsets,", "(abs(offsets),"), (") + max_distance", ")")),
            "The side is lost",
        ),
        (
            made(
                INDEX,
                ("max_distance) + max_distance", "max_distance)"),
                ("(offsets,", "(offsets + max_distance,"),
            ),
            "added before clipping",
        ),
    ],
    "shaw.position_scores": [
        (
            made(SCORES, ("_index(L, k_len, k)", "_index(L, k_len, max(k - 1, 0))")),
            "not the product",
        ),
    ],
    "shaw.outermost_pairs": [
        (made(PAIRS, ("m * (m + 1)", "m * m")), "diagonal counts in full"),
        (made(PAIRS, ("m * (m + 1)", "int(2 * (m * (m + 1) / 2))")), "Floating point"),
    ],
    "shaw.layers_to_know": [],
    "shaw.repair_attention": [
        (
            made(
                ATTENTION, ("clip(offsets", "clip(-offsets"), ("clip) + clip", "clip)")
            ),
            "2 mistakes at once",
        ),
        (
            made(
                ATTENTION,
                ("clip(offsets", "clip(-offsets"),
                ("clip) + clip", "clip)"),
                ("* value_table", "* key_table"),
            ),
            "3 mistakes at once",
        ),
    ],
    "shaw.graph_labels": [
        (made(GRAPH, ("return labels, edges", "return labels")), "two tables"),
        (made(GRAPH, ("return labels, edges", "return labels, 1 * edges")), "True and"),
        (
            made(GRAPH, ("h >= 0", "True"), ("= 1, 2", "= 2, 1")),
            "index -1 quietly",
        ),
        (made(GRAPH, ("h >= 0", "h > 0")), "Word 0 can be a head"),
    ],
    "shaw.find_settings": [
        ([setting(3, 2), setting(11, 2)], "leaves 0 unused"),
        ([setting(3, 2), setting(11, 2)], "k is the largest distance"),
        ([setting(3, 4), setting(11, 2)], "leaves 4 unused"),
        ([setting(3, 3), setting(10, 2)], "leftmost for 3, rightmost for 4"),
        ([setting(3, 3), setting(11, 3)], "k is one too large"),
        ([setting(3, 3), setting(11, 1)], "k is one too small"),
        ([setting(3, 3), setting(11, 3)], "leftmost for 2, rightmost for 4"),
        ([setting(3, 3), setting(4, 2)], "needs more words"),
        ([setting(3, 3), ...], "still to be found"),
        ([setting(3, 3), {"k": 2}], "must look like"),
        ([setting(0, 3), setting(11, 2)], "from 1"),
        ([setting(3, 3)], "list of two"),
    ],
}
