"""For marks: two clipping distances, and pairs that have a vector of their own."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import ask_for_function


def _lopsided(
    q_len: int,
    k_len: int,
    before: int,
    after: int,
    *,
    q_offset: int = 0,
    sign: int = 1,
    shift: int | None = None,
) -> Any:
    """Return each pair's row in a table that begins with offset -before; or err."""
    out = np.zeros((q_len, k_len), dtype=np.int64)
    for i in range(q_len):
        for j in range(k_len):
            offset = sign * (j - (q_offset + i))
            out[i, j] = min(max(offset, -before), after)
    return out + (before if shift is None else shift)


_INDEX_MISTAKES: Mistakes = [
    (
        "The sign is turned: query - key. A relative position is key - query.",
        lambda q, k, b, a, q_offset: _lopsided(q, k, b, a, q_offset=q_offset, sign=-1),
    ),
    (
        "The two distances are exchanged: `before` is for keys before the query.",
        lambda q, k, b, a, q_offset: _lopsided(q, k, a, b, q_offset=q_offset),
    ),
    (
        "The rows are counted from the middle: the first row of the table belongs to "
        "the offset -before.",
        lambda q, k, b, a, q_offset: _lopsided(q, k, b, a, q_offset=q_offset, shift=0),
    ),
    (
        "`after` is added instead of `before`: the smallest offset has row 0.",
        lambda q, k, b, a, q_offset: _lopsided(q, k, b, a, q_offset=q_offset, shift=a),
    ),
    (
        "`before` is added before clipping to -before ... after. Clip first, and add "
        "it afterward.",
        lambda q, k, b, a, q_offset: _lopsided(
            q, k, b, a, q_offset=q_offset - b, shift=0
        ),
    ),
    (
        "The position of the first query is ignored. Query i stands at q_offset + i.",
        lambda q, k, b, a, q_offset: _lopsided(q, k, b, a),
    ),
]


@ask_for_function(
    "Key minus query for all pairs: a row of keys minus a column of queries.",
    "np.clip takes a lower and an upper end: they need not be alike.",
    "np.clip(key - query, -before, after) + before.",
    right=_lopsided,
    what="The index",
    problem="A pair has another row of the table.",
    mistakes=_INDEX_MISTAKES,
    held=["both ends of the table", "queries that begin at q_offset"],
    axes="(q_len, k_len)",
)
def lopsided_index(rng: Any) -> Any:
    """Rows of the table for two clipping distances, one for each side."""
    cases = [(1, 1, 1, 2, 0), (2, 2, 0, 1, 0), (3, 3, 2, 1, 0), (2, 6, 3, 1, 3)]
    drawn = rng.integers((2, 3, 1, 1, 1), (6, 9, 5, 5, 4), size=(4, 5)).tolist()
    drawn += [
        [1, 1400, 650, 600, 700],
        [700, 1, 650, 1, 0],
        [2, 3, 50_000, 50_000, 40_000],
    ]
    return [case(*some[:4], q_offset=some[4]) for some in [*cases, *drawn]]


def _inner(seq_len: int, most: int) -> int:
    """Count the pairs at most that far apart, one diagonal at a time."""
    if seq_len > 5000:  # too many to be counted: the outer ones are two triangles
        return seq_len**2 - (seq_len - most - 1) * (seq_len - most)
    return sum(seq_len - abs(r) for r in range(1 - seq_len, seq_len) if abs(r) <= most)


_INNER_MISTAKES: Mistakes = [
    (
        "Pairs exactly max_distance apart are missing.",
        lambda n, k: _inner(n, k - 1) if k else 0,
    ),
    (
        "Those are the pairs on one side of the query.",
        lambda n, k: (_inner(n, k) + n) // 2,
    ),
    ("The pairs of a word with itself are missing.", lambda n, k: _inner(n, k) - n),
    (
        "Those are the pairs beyond max_distance.",
        lambda n, k: n * n - _inner(n, k),
    ),
    (
        "Every diagonal is taken to be as long as the main one.",
        lambda n, k: n * (2 * min(k, n - 1) + 1),
    ),
]


@ask_for_function(
    "Count the pairs that are left over: those more than max_distance apart.",
    "On one side they fill a triangle of m + (m - 1) + … + 1 cells with "
    "m = seq_len - max_distance - 1.",
    "seq_len ** 2 - m * (m + 1), where m is at least 0.",
    right=_inner,
    what="The number of pairs",
    problem="The number of pairs is another one.",
    mistakes=_INNER_MISTAKES,
    held=["distances longer than the sentence", "a billion words"],
)
def inner_pairs(rng: Any) -> Any:
    """Count the pairs at most max_distance apart."""
    drawn = rng.integers((2, 1), (40, 30), size=(4, 2)).tolist()
    return [
        (2, 1),
        (3, 1),
        (4, 2),
        (5, 9),
        (7, 3),
        *map(tuple, drawn),
        (700, 600),
        (10**9, 16),
    ]
