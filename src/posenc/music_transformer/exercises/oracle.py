"""The skew and its scores, by moving numbers one at a time.

This judges answers to the exercises, and our own code: it shares nothing with
`posenc.music_transformer`.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

#: Mistakes that several exercises name.
PADDED_RIGHT = (
    "The column of zeros is on the wrong side. It belongs on the left, before the "
    "products: on the right, every row ends up one place too far to the left."
)
DROPPED_LAST = (
    "The last row is dropped, not the first. The first one holds the pad and products "
    "that nobody needs."
)
UNTOUCHED = "The products are still in the columns of the offsets: nothing has moved."
REVERSED = (
    "You took column i - j, as if column 0 were offset 0. Column c of the products "
    "belongs to offset c - (L - 1): the last one is offset 0."
)
TRANSPOSED = "Rows and columns are swapped: queries go down, keys across."
ROLLED = (
    "Row i is turned by i columns, one too few. The product of offset 0 stands in "
    "column L - 1, and has to come to column i."
)

ROLLED_RIGHT = (
    "Your rows move to the right. They must move to the left, row i by L - 1 - i "
    "places."
)


def skewed(products: Any, *, right: bool = False, drop_last: bool = False) -> Any:
    """Skew an (L, L) array, garbage included; or make a mistake."""
    seq_len = len(products)
    line = []
    for row in products.tolist():
        line += [*row, 0.0] if right else [0.0, *row]
    rows = [line[n : n + seq_len] for n in range(0, len(line), seq_len)]
    return np.asarray(rows[:-1] if drop_last else rows[1:]).reshape(seq_len, seq_len)


def lower_part(products: Any) -> Any:
    """Return the lower triangle of the skew, by the definition; zeros above."""
    seq_len = len(products)
    out = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        for j in range(i + 1):
            out[i, j] = products[i, j - i + seq_len - 1]
    return out


def both_sides(products: Any) -> Any:
    """Return products (L, 2L - 1) of both sides in the columns of their keys."""
    seq_len = len(products)
    out = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        for j in range(seq_len):
            out[i, j] = products[i, j - i + seq_len - 1]
    return out


def position_scores(
    q: Any, table: Any, *, first: bool = False, flip: bool = False
) -> Any:
    """Return the lower triangle of q_i . w_(j - i); for j = i the last row is used.

    Mistaken: `first` takes the first L rows of a longer table, `flip` turns the rows
    that it takes upside down.
    """
    seq_len = len(q)
    rows = table[:seq_len] if first else table[len(table) - seq_len :]
    rows = rows[::-1] if flip else rows
    out = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        for j in range(i + 1):
            vector = rows[seq_len - 1 - (i - j)]
            out[i, j] = sum(
                float(a) * float(b) for a, b in zip(q[i], vector, strict=True)
            )
    return out


def source(i: int, j: int, seq_len: int) -> tuple[int, int]:
    """Return the product's row and column in cell (i, j) after a skew; -1 for a pad."""
    line = [(r, c) for r in range(seq_len) for c in range(-1, seq_len)]
    return line[seq_len : len(line)][i * seq_len + j]


def landing(i: int, c: int, seq_len: int) -> tuple[int, int]:
    """Return the cell where product (i, c) lands; row -1 is dropped."""
    line = [(r, k) for r in range(seq_len) for k in range(-1, seq_len)]
    rows = [line[n : n + seq_len] for n in range(0, len(line), seq_len)]
    row = next(n for n, row in enumerate(rows) if (i, c) in row)
    return row - 1, rows[row].index((i, c))


def visible(query: int, block: int) -> list[int]:
    """Return the keys of local attention, up to the query, of two blocks."""
    own = query // block
    return [k for k in range(query + 1) if k // block in (own - 1, own)]


def agree(out: Any, right: Any) -> Any:
    """Return True for cells that agree, and above the diagonal, where all are free."""
    return np.isclose(out, right, rtol=1e-5, atol=1e-6) | ~np.tri(
        len(right), dtype=bool
    )


def scores_of_offsets(
    q: Any,
    vector_of_offset: Mapping[int, Any],
    k_len: int | None = None,
    q_offset: int = 0,
) -> Any:
    """Return q_i . w_(j - i) for one head; NaN where the offset has no vector."""
    k_len = len(q) if k_len is None else k_len
    out = np.full((len(q), k_len), np.nan)
    for i in range(len(q)):
        for j in range(k_len):
            if (offset := j - (i + q_offset)) in vector_of_offset:
                out[i, j] = np.dot(q[i], vector_of_offset[offset])
    return out


def attention(
    q: Any,
    k: Any,
    v: Any,
    vector_of_offset: Mapping[int, Any],
    may_attend: Callable[[int, int], bool],
) -> Any:
    """Return softmax((Q K^T + S_rel) / sqrt(D)) V for one head, over allowed pairs."""
    out = np.zeros((len(q), v.shape[1]))
    for i in range(len(q)):
        keys = [j for j in range(len(k)) if may_attend(i, j)]
        e = [np.dot(q[i], k[j] + vector_of_offset[j - i]) for j in keys]
        e = [math.exp(x / math.sqrt(q.shape[1])) for x in e]
        for x, j in zip(e, keys, strict=True):
            out[i] += x / sum(e) * v[j]
    return out
