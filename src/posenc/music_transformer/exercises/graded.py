"""For marks: the skew undone, and who sees a key."""

from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import ROLLED, skewed, visible


def _unskewed(scores: Any) -> Any:
    """Return products in the columns of their offsets, zeros where there are none."""
    length = len(scores)
    out = np.zeros((length, length))
    for i in range(length):
        for j in range(i + 1):
            out[i, j - i + length - 1] = scores[i, j]
    return out


def _agree(received: Any, right: Any) -> Any:
    """Return True for cells that agree, and for cells of no key, which are free."""
    free = ~np.tri(len(right), dtype=bool)[:, ::-1]
    return np.isclose(received, right, rtol=1e-5, atol=1e-6) | free


_UNSKEW_MISTAKES: Mistakes = [
    (
        "The matrix is skewed once more. Here products move from keys to offsets.",
        skewed,
    ),
    ("Nothing has moved: column j still belongs to key j.", lambda scores: scores),
    (
        ROLLED.partition(",")[0]
        + ", or one too many: key i belongs to the last column.",
        lambda s: np.stack([np.roll(row, -i) for i, row in enumerate(s)]),
    ),
    (
        "Column 0 is taken for offset 0. The last column is.",
        lambda scores: _unskewed(scores)[:, ::-1],
    ),
    (
        "Rows and columns are swapped: queries go down.",
        lambda scores: _unskewed(scores.T),
    ),
]


@ask_for_function(
    "Key j of query i has the offset j - i. Which column belongs to it?",
    "Column j - i + L - 1: row i moves L - 1 - i places to the right.",
    "np.roll(row, L - 1 - i) for each row, or pad, reshape and drop, the other way.",
    right=_unskewed,
    what="The matrix of products",
    problem="A product does not stand in the column of its offset.",
    mistakes=_UNSKEW_MISTAKES,
    held=["every product of a visible key"],
    shown=["scores"],
    close=_agree,
)
def unskew(rng: Any) -> Any:
    """Skewed scores, with a column for each key, back in columns of offsets."""
    return [(np.round(rng.normal(size=(n, n)), 2),) for n in (1, 2, 3, 4, 7)]


def _count(key: int, block: int, seq_len: int) -> int:
    """Count the queries that see a key, one by one."""
    return sum(key in visible(query, block) for query in range(seq_len))


_COUNT_MISTAKES: Mistakes = [
    (
        "That is a window that slides with the key. Blocks stand still.",
        lambda key, block, n: min(n, key + block) - key,
    ),
    (
        "Those are the queries of its own block. Those of the next block see it, too.",
        lambda key, block, n: min(n, (key // block + 1) * block) - key,
    ),
    (
        "The queries before the key are among them. No query sees a later key.",
        lambda key, block, n: min(n, (key // block + 2) * block) - key // block * block,
    ),
    (
        "The sequence has an end: there are no queries beyond it.",
        lambda key, block, n: (key // block + 2) * block - key,
    ),
    (
        "The query at the key's own place is missing: it sees its own key.",
        lambda key, block, n: min(n, (key // block + 2) * block) - key - 1,
    ),
]


@ask_for_function(
    "Which is the first query that sees key j? In which block is the last one?",
    "From query j on, to the end of the block behind that of key j.",
    "That end is (j // block + 2) * block, or the end of the sequence.",
    right=_count,
    what="The number of queries",
    problem="Another number of queries sees this key.",
    mistakes=_COUNT_MISTAKES,
    held=["own block and the next one", "the end of the sequence"],
)
def queries_that_see(rng: Any) -> Any:
    """How many queries of local attention see a key."""
    cases = [
        (0, 1, 1),
        (0, 2, 6),
        (1, 2, 3),
        (5, 3, 12),
        (7, 4, 40),
        (270, 3, 300),
        (3, 260, 300),
    ]
    for block, more in rng.integers(1, 9, size=(4, 2)).tolist():
        key = int(rng.integers(0, 30))
        cases.append((key, block, key + more))
    return cases
