"""The shift, the scores and the reach in plain loops, right or with known mistakes.

This judges answers to the exercises, and our own code: it shares nothing with
`posenc.transformer_xl`. A mistake is made by an argument that is wrong in one place.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

#: Source column of cell (i, j), from (i, j, q_len, k_len).
Column = Callable[[int, int, int, int], int]


def right_column(i: int, j: int, q_len: int, k_len: int) -> int:
    """Move row i to the left by q_len - 1 - i."""
    return j + q_len - 1 - i


def shifted(scores: Any, column: Column = right_column) -> Any:
    """Return scores with one column per key; NaN where there is no such product."""
    q_len, k_len = np.shape(scores)
    out = np.full((q_len, k_len), np.nan)
    for i in range(q_len):
        for j in range(k_len):
            c = column(i, j, q_len, k_len)
            if 0 <= c < k_len:
                out[i, j] = scores[i][c]
    return out


def viewed(scores: Any) -> Any:
    """Return scores with one column per key, garbage included, as strides give them."""
    q_len, k_len = np.shape(scores)
    numbers = [float(x) for row in scores for x in row]
    starts = [q_len - 1 + i * (k_len - 1) for i in range(q_len)]
    return np.asarray([numbers[start : start + k_len] for start in starts])


def unshifted(
    scores: Any, key: Column = lambda i, c, q_len, k_len: c - (q_len - 1 - i)
) -> Any:
    """Return numbers per distance from numbers per key; 0 where no key is."""
    return np.nan_to_num(shifted(scores, key))


def sinusoid(distance: float, d: int) -> Any:
    """Return the encoding of one distance, its sines, then its cosines."""
    angles = [distance / 10_000 ** (2 * i / d) for i in range(d // 2)]
    return np.asarray([*map(math.sin, angles), *map(math.cos, angles)])


def position_part(
    q: Any,
    w: Any,
    v: Any,
    k_len: int,
    *,
    distance: Callable[[int, int, int], int] = lambda i, j, memory: i + memory - j,
    project: Callable[[Any, Any], Any] = lambda w, r: r @ w,
    with_v: bool = True,
) -> Any:
    """Return (q_i + v) · R_distance W for each pair; NaN for keys after the query."""
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
    """Return the weights of each row; keys beyond the diagonal score `hidden`."""
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
    """Return the first token that can change the output, going down the layers."""
    reached = {position}
    for _ in range(num_layers):
        read: set[int] = set()
        for p in reached:
            start = p - p % segment_len
            read |= set(range(max(start - memory_len, 0), p + 1))
        reached = read
    return min(reached)


def score_terms(q: Any, k: Any, vector_of_distance: Any, u: Any, v: Any) -> Any:
    """Return the terms a, b, c, d of Dai et al., sec. 3.3; NaN after the query."""
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


def attention(
    hidden: Any, memory: Any, weights: Mapping[str, Any], num_heads: int
) -> Any:
    """Attend in one layer; `weights` maps names to matrices, applied as W x."""
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
                r = (weights["position"] @ sinusoid(distance, d_model))[part]
                e.append(math.exp((q @ k + q @ r + u @ k + v @ r) / math.sqrt(size)))
                values.append((weights["value"] @ context[j])[part])
            heads.append(sum(x / sum(e) * y for x, y in zip(e, values, strict=True)))
        out[i] = weights["output"] @ np.concatenate(heads)
    return out


def close(received: Any, right: Any) -> Any:
    """Return True for cells that agree, and for those that are free."""
    return np.isnan(right) | np.isclose(received, right, rtol=1e-4, atol=1e-5)
