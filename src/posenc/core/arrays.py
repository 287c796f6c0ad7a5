"""Array helpers shared by several encodings; all work on NumPy and torch alike."""

import math
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_numpy_array, is_torch_array
from array_api_compat import device as device_of

from .dtypes import (
    cast,
    computing_dtype,
    is_exported,
    is_traced,
    is_wrapped,
    joint_dtype,
    matmul,
)


def toeplitz(values: Any, q_len: int, k_len: int) -> Any:
    """Spread one value per offset over a matrix: ``out[q, k] = values[k - q + Q - 1]``.

    A bias that depends on ``key - query`` alone has q_len + k_len - 1 distinct values,
    one per diagonal. Row q of the matrix is the window of k_len values that starts at
    Q - 1 - q, so the windows, last one first, are the rows::

        values    a  b  c  d  e        (Q = 3, K = 3; c belongs to offset 0)
        row 0           c  d  e        window 2
        row 1        b  c  d           window 1
        row 2     a  b  c              window 0

    Parameters
    ----------
    values : array of shape (..., q_len + k_len - 1)
        Value of each offset, from ``-(q_len - 1)`` to ``k_len - 1``.
    q_len, k_len : int
        Rows and columns, in tokens.

    Returns
    -------
    array of shape (..., q_len, k_len)
        A new array with the namespace, dtype and device of `values`.
    """
    xp = array_namespace(values)
    if q_len == 0 or k_len == 0:
        shape = (*values.shape[:-1], q_len, k_len)
        return xp.zeros(shape, dtype=values.dtype, device=device_of(values))
    if q_len == 1:  # one token is decoded: the values are its row
        row = values[..., None, :]
        return row.clone() if is_torch_array(row) else xp.asarray(row, copy=True)
    if is_torch_array(values) and not is_traced(values):
        # One write and no index tensor. The flip may choose another order of axes in
        # memory; attention kernels are slow unless keys are the innermost one.
        return values.contiguous().unfold(-1, k_len, 1).flip(-2).contiguous()
    if is_numpy_array(values):
        windows = np.lib.stride_tricks.sliding_window_view(values, k_len, axis=-1)
        return windows[..., ::-1, :].copy()
    offsets = relative_positions(q_len, k_len, xp=xp, device=device_of(values))
    flat = xp.take(values, xp.reshape(offsets + (q_len - 1), (-1,)), axis=-1)
    return xp.reshape(flat, (*values.shape[:-1], q_len, k_len))


def relative_positions(
    q_len: int, k_len: int, *, q_offset: int = 0, xp: Any = np, device: Any = None
) -> Any:
    """Return ``key - query``: keys at 0 … k_len - 1, queries from `q_offset` on."""
    keys = xp.arange(k_len, dtype=xp.int64, device=device)
    queries = xp.arange(q_offset, q_offset + q_len, dtype=xp.int64, device=device)
    return keys[None, :] - queries[:, None]


def block_diagonal(blocks: Any) -> Any:
    """Return a matrix with `blocks`, (n, r, r), along its diagonal, zeros beside.

    For two blocks of two rows::

        a b . .
        c d . .
        . . e f
        . . g h
    """
    xp = array_namespace(blocks)
    n, r = blocks.shape[:2]
    i = xp.arange(n, device=device_of(blocks))
    diagonal = i[:, None, None, None] == i[:, None]  # (n, 1, n, 1)
    # out[i, row, j, column] = blocks[i, row, column] if i == j else 0
    spread = xp.where(diagonal, blocks[:, :, None, :], 0.0)
    return xp.reshape(spread, (n * r, n * r))


def shift_rows(scores: Any, k_len: int) -> Any:
    """Shift row q to the left by Q - 1 - q: ``out[q, j] = scores[q, j + Q - 1 - q]``.

    Nothing is copied. Laid end to end, the rows of a matrix of width W begin W numbers
    apart; the shifted ones begin W - 1 apart, after Q - 1 numbers have been skipped::

        scores  a0 a1 a2 a3 | b0 b1 b2 b3 | c0 c1 c2 c3      (Q = 3, W = 4)
        row 0         a2 a3   b0 b1
        row 1                    b1 b2 b3   c0
        row 2                               c0 c1 c2 c3

    Cells with j > q + m, where m = W - Q, lie beyond the end of row q. They hold the
    beginning of the next one, meaningless there: ``scores[q + 1, j - q - m - 1]``.

    Parameters
    ----------
    scores : array of shape (..., Q, W)
        W >= Q, which the callers check.
    k_len : int
        Columns of the result, at most W.

    Returns
    -------
    array of shape (..., Q, k_len)
        A view wherever `scores` is contiguous. If k_len = W, neighboring rows share a
        cell, so do not write into it (it is read-only in NumPy); and where torch
        records gradients it is a copy, whose gradient is found much faster.
    """
    xp = array_namespace(scores)
    *batch, q_len, width = scores.shape
    if q_len <= 1 or k_len == 0:
        return scores[..., :k_len]
    if is_exported(scores):  # whose steps would not hold at every length
        first = xp.arange(q_len, device=device_of(scores)) * (width - 1) + q_len - 1
        cells = first[:, None] + xp.arange(k_len, device=device_of(scores))
        flat = xp.reshape(scores, (*batch, q_len * width))
        picked = flat.index_select(-1, xp.reshape(cells, (-1,)))
        return xp.reshape(picked, (*batch, q_len, k_len))
    flat = xp.reshape(scores, (*batch, q_len * width))[..., q_len - 1 :]
    rows = xp.reshape(flat[..., :-1], (*batch, q_len, width - 1))
    if k_len < width:
        return rows[..., :k_len]
    # One column is missing: that of the first cells of the next rows.
    if is_torch_array(flat):
        if flat.requires_grad or is_traced(flat):  # a compiler would fix the length
            last = xp.concat([rows[..., 1:, 0], flat[..., -1:]], axis=-1)
            return xp.concat([rows, last[..., None]], axis=-1)
        windows = flat.unfold(-1, k_len, width - 1)
        return windows[..., :q_len, :]  # there is one too many if k_len == 1
    every = np.lib.stride_tricks.sliding_window_view(flat, k_len, axis=-1)
    return every[..., :: width - 1, :][..., :q_len, :]


def divide_or_zero(top: Any, bottom: Any) -> Any:
    """Return ``top / bottom``, but 0 where `bottom`, a column, is exactly 0."""
    xp = array_namespace(top, bottom)
    return top / xp.where(bottom == 0, math.inf, bottom)  # and no gradient is 0 / 0


def add_to(scores: Any, part: Any) -> Any:
    """Return ``scores + part``, in the memory of `scores` if that can hold the sum."""
    if scores.dtype != part.dtype or is_wrapped(scores, part):
        return scores + part
    scores += part
    return scores


def stack_rows(blocks: Iterator[Any], num_rows: int) -> Any:
    """Put blocks of rows, shape (..., rows, columns), below one another.

    Each block is written to its place as soon as it is made, so that only one of them
    is held beside the result. Where torch records gradients they are concatenated
    instead: for every such write, autograd would later copy the whole matrix.
    """
    first = next(blocks)
    xp = array_namespace(first)
    if is_torch_array(first) and first.requires_grad:
        return xp.concat([first, *blocks], axis=-2)
    shape = (*first.shape[:-2], num_rows, first.shape[-1])
    if is_torch_array(first):
        out = first.new_empty(shape)  # under vmap with the axis of `first`
    else:
        out = xp.empty(shape, dtype=first.dtype, device=device_of(first))
    row = 0
    for block in chain([first], blocks):
        out[..., row : row + block.shape[-2], :] = block
        row += block.shape[-2]
    return out


def scores_by_rows(
    q: Any, k: Any, table: Any, position: Callable[[int, int], Any], rows: int
) -> Any:
    """Return ``q kᵀ`` plus a position part, which is made for some rows at a time.

    Each block is added to its rows while they are still in the cache of the processor,
    and only one is held beside the result. Where torch records gradients, the product
    is made in blocks too, and they are concatenated: for every block that is added to
    rows of a larger matrix, autograd would later copy that matrix whole.

    Parameters
    ----------
    q, k : arrays of shape (..., Q, D) and (..., K, D)
        Queries and keys.
    table : array
        What `position` is made from.
    position : function
        ``position(a, b)`` gives the part of the rows a … b - 1: all columns, or the
        first ones if the others are garbage.
    rows : int
        Rows per block.

    Returns
    -------
    array of shape (..., Q, K)
    """
    xp, q_len = array_namespace(q, k, table), q.shape[-2]
    dtype = joint_dtype(q, k)
    if is_traced(q):  # a compiler makes one graph for all lengths, and its own blocks
        scores = add_to(matmul(q, xp.matrix_transpose(k)), position(0, q_len))
        return cast(scores, dtype)
    keys = xp.matrix_transpose(k)
    blocks = [(a, min(a + rows, q_len)) for a in range(0, q_len, rows)]

    def product(a: int, b: int) -> Any:
        scores = _add_to_first(matmul(q[..., a:b, :], keys), position(a, b))
        return cast(scores, dtype)

    if blocks and _need_their_own(q, k, table):
        return xp.concat([product(a, b) for a, b in blocks], axis=-2)
    scores = matmul(q, keys)
    for a, b in blocks:
        _add_to_first(scores[..., a:b, :], position(a, b))
    return scores


def _add_to_first(scores: Any, part: Any) -> Any:
    """Add `part` to the first columns of `scores`, as many as it has."""
    columns = part.shape[-1]
    if columns == scores.shape[-1]:
        return add_to(scores, part)
    first = add_to(scores[..., :columns], part)
    if first.dtype == scores.dtype and not is_wrapped(scores, part):
        return scores  # which was written into
    xp = array_namespace(scores, part)
    rest = xp.astype(scores[..., columns:], first.dtype)
    return xp.concat([first, rest], axis=-1)


def _need_their_own(*arrays: Any) -> bool:
    """Return True if blocks need their own memory: for gradients, `vmap` and dtypes.

    Half precision is among these: one block at a time is held in float32.
    """
    dtypes = {array.dtype for array in arrays}
    wide = computing_dtype(array_namespace(*arrays), arrays[0].dtype)
    if dtypes != {wide} or is_wrapped(*arrays):
        return True
    needs_gradient = any(
        is_torch_array(array) and array.requires_grad for array in arrays
    )
    return needs_gradient and bool(array_namespace(*arrays).is_grad_enabled())
