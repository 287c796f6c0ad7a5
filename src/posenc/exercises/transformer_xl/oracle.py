"""The shift, the scores and the reach in plain loops: the judge shares no other code.

Mistakes are made here too, by an argument that is wrong in one place.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

#: Source column of cell (i, j), from (i, j, q_len, k_len).
Column = Callable[[int, int, int, int], int]


def right_column(i: int, j: int, q_len: int, k_len: int) -> int:
    """Row i moves to the left by q_len - 1 - i."""
    return j + q_len - 1 - i


def shifted(scores: Any, column: Column = right_column) -> Any:
    """Scores with one column per key; NaN where there is no such product."""
    q_len, k_len = np.shape(scores)
    out = np.full((q_len, k_len), np.nan)
    for i in range(q_len):
        for j in range(k_len):
            c = column(i, j, q_len, k_len)
            if 0 <= c < k_len:
                out[i, j] = scores[i][c]
    return out


def valid(q_len: int, k_len: int) -> Any:
    """Cells whose key does not come after the query, as booleans."""
    cells = [[j <= i + k_len - q_len for j in range(k_len)] for i in range(q_len)]
    return np.asarray(cells, dtype=bool).reshape(q_len, k_len)


def sinusoid(distance: float, d: int) -> Any:
    """Sines, then cosines, of the distance: the encoding of one distance."""
    angles = [distance / 10_000 ** (2 * i / d) for i in range(d // 2)]
    return np.asarray([*map(math.sin, angles), *map(math.cos, angles)])


def position_part(
    q: Any,
    w: Any,
    v: Any,
    k_len: int,
    *,
    distance: Callable[[int, int, int], int] = lambda i, j, memory: i + memory - j,
    project: Callable[[Any, Any], Any] = lambda w, r: w @ r,
    with_v: bool = True,
) -> Any:
    """(q_i + v) · W R_distance for each pair; NaN for keys after the query."""
    q_len, d = q.shape
    memory = k_len - q_len
    out = np.full((q_len, k_len), np.nan)
    for i in range(q_len):
        for j in range(i + memory + 1):
            r = project(w, sinusoid(distance(i, j, memory), d))
            out[i, j] = (q[i] + v if with_v else q[i]) @ r
    return out


def softmax(
    scores: Any,
    *,
    diagonal: int | None = None,
    hidden: float = -math.inf,
) -> Any:
    """Weights of each row; keys beyond the diagonal have the score `hidden`."""
    q_len, k_len = scores.shape
    diagonal = k_len - q_len if diagonal is None else diagonal
    out = np.zeros((q_len, k_len))
    for i in range(q_len):
        row = [scores[i, j] if j <= i + diagonal else hidden for j in range(k_len)]
        top = max(row)
        exponentials = [math.exp(e - top) for e in row]
        out[i] = np.asarray(exponentials) / sum(exponentials)
    return out


def first_reached(
    position: int, segment_len: int, memory_len: int, num_layers: int
) -> int:
    """First token that can change the output, by walking down the layers."""
    reached = {position}
    for _ in range(num_layers):
        read: set[int] = set()
        for p in reached:
            start = p - p % segment_len
            read |= set(range(max(start - memory_len, 0), p + 1))
        reached = read
    return min(reached)
