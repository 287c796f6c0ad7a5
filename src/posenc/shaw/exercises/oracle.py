"""Shaw's attention in plain loops, right or with known mistakes.

It serves the exercises' judge and tests, and shares no code with `posenc.shaw`. Each
mistake is a switch.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

#: Sentences for a learner whose results show the switch.
MISTAKES = {
    "swapped": "The sign is turned around: query - key. A relative position is key - "
    "query, so that positive means that the key comes after the query.",
    "sideless": "The side is lost: the token before the query and the token after it "
    "get one row. Keep the sign of key - query.",
    "unshifted": "k is not added after clipping. The rows then run from -k to k, and "
    "in code a negative row quietly counts from the end of the table.",
    "unclipped": "Nothing is clipped: beyond distance k the rows run out of the table, "
    "or around it.",
    "added_first": "k is added before clipping to -k ... k. All keys after the query "
    "then get row k, which is the token itself. Clip first, and add k afterward.",
    "narrow": "The clipping is one too narrow: distance k itself has a vector of its "
    "own, so clip to -k ... k.",
    "lost_row": "The last row, 2k, is never used. Both ends of the clipping count: the "
    "table has 2k + 1 rows.",
    "off_query": "The position of the first query is ignored. Query i stands at "
    "q_offset + i.",
    "wrong_offset": "The position of the first query has the wrong sign. Query i "
    "stands at q_offset + i.",
    "bottom_right": "The queries are aligned with the last keys (bottom right), "
    "wherever they stand. Query i stands at q_offset + i.",
    "one_table": "The values get the vectors of the keys. They have a table of their "
    "own, value_table.",
    "no_values": "The values get no vectors: each is v_j + a^V_ij.",
    "no_keys": "The scores get no vectors: each is q_i . (k_j + a^K_ij), over sqrt(d).",
    "half_scaled": "The position part of the score is not divided by sqrt(d). Both "
    "parts are.",
    "unscaled": "The scores are not divided by sqrt(d).",
}


def row(
    i: int, j: int, k: int, *, q_offset: int = 0, mistakes: Iterable[str] = ()
) -> int:
    """Return the row of w_{clip(j - i, k)} in a table that begins with w_{-k}."""
    mistakes = frozenset(mistakes)
    place = i + q_offset
    if "off_query" in mistakes:
        place = i
    if "wrong_offset" in mistakes:
        place = i - q_offset
    offset = place - j if "swapped" in mistakes else j - place
    if "sideless" in mistakes:
        offset = abs(offset)
    reach = k - 1 if "narrow" in mistakes and k else k
    if "added_first" in mistakes:
        return max(-reach, min(reach, offset + k))
    if "unclipped" not in mistakes:
        last = reach - 1 if "lost_row" in mistakes else reach
        offset = min(last, max(-reach, offset))
    return offset if "unshifted" in mistakes else offset + k


def index(
    q_len: int,
    k_len: int,
    k: int,
    *,
    q_offset: int = 0,
    mistakes: Iterable[str] = (),
) -> Any:
    """Return the table of `row`, shape (q_len, k_len)."""
    mistakes = frozenset(mistakes)
    if "bottom_right" in mistakes:
        q_offset = k_len - q_len
    rows = np.zeros((q_len, k_len), dtype=np.int64)
    for i in range(q_len):
        for j in range(k_len):
            rows[i, j] = row(i, j, k, q_offset=q_offset, mistakes=mistakes)
    return rows


def scores(
    q: Any,
    table: Any,
    k_len: int,
    *,
    q_offset: int = 0,
    mistakes: Iterable[str] = (),
) -> Any:
    """Return the scores' position part, q_i . a^K_ij, shape (..., q_len, k_len)."""
    rows = index(
        q.shape[-2], k_len, len(table) // 2, q_offset=q_offset, mistakes=mistakes
    )
    out = np.empty((*q.shape[:-1], k_len))
    for i, j in np.ndindex(*rows.shape):
        vector = table[rows[i, j] % len(table)]
        out[..., i, j] = (q[..., i, :] * vector).sum(axis=-1)
    return out / math.sqrt(q.shape[-1]) if "scaled" in frozenset(mistakes) else out


def position_values(weights: Any, table: Any, q_offset: int) -> Any:
    """Return the sum over j of alpha_ij a^V_ij, shape (..., q_len, head_dim)."""
    rows = index(*weights.shape[-2:], len(table) // 2, q_offset=q_offset)
    out = np.zeros((*weights.shape[:-1], table.shape[1]))
    for i, j in np.ndindex(*rows.shape):
        out[..., i, :] += weights[..., i, j, None] * table[rows[i, j]]
    return out


def attend(
    q: Any,
    k: Any,
    v: Any,
    key_table: Any,
    value_table: Any,
    *,
    mistakes: Iterable[str] = (),
) -> Any:
    """Return the outputs of one head, shape (q_len, head_dim)."""
    vectors = len(key_table)
    labels = index(len(q), len(k), vectors // 2, mistakes=mistakes) % vectors
    return graph_attention(q, k, v, labels, key_table, value_table, mistakes=mistakes)


def graph_attention(
    q: Any,
    k: Any,
    v: Any,
    labels: Any,
    key_table: Any,
    value_table: Any,
    mask: Any = None,
    *,
    mistakes: Iterable[str] = (),
) -> Any:
    """Compute eq. 3 and 4 of Shaw et al. for one head, with a label for each edge.

    A node without edges gets zeros.
    """
    mistakes = frozenset(mistakes)
    root = math.sqrt(q.shape[-1])
    out = np.zeros((len(q), v.shape[1]))
    for i in range(len(q)):
        e, mixed = [], []
        for j in range(len(k)):
            if mask is not None and not mask[i, j]:
                continue
            at = labels[i, j]
            content, position = float(q[i] @ k[j]), float(q[i] @ key_table[at])
            position *= "no_keys" not in mistakes
            if "half_scaled" in mistakes:
                e.append(content / root + position)
            else:
                e.append((content + position) / (1 if "unscaled" in mistakes else root))
            table = key_table if "one_table" in mistakes else value_table
            mixed.append(v[j] + table[at] * ("no_values" not in mistakes))
        weights = [math.exp(score - max(e)) for score in e]
        for weight, value in zip(weights, mixed, strict=True):
            out[i] += weight / sum(weights) * value
    return out
