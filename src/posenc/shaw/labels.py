"""Labels of the edges from queries to keys, and the vectors that the labels carry.

What the forms in ``posenc.shaw`` have in common.
"""

from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_torch_array
from array_api_compat import device as device_of
from jaxtyping import Int

from posenc.core.arrays import relative_positions
from posenc.core.checks import (
    check_batch,
    check_floating,
    check_int,
    check_lengths,
    check_namespace,
    check_shape,
)
from posenc.core.dtypes import cast, integer_namespace, matmul, upcast


def relative_position_index(
    q_len: int,
    k_len: int,
    max_distance: int,
    *,
    q_offset: int = 0,
    xp: Any = np,
    device: Any = None,
) -> Int[Any, "{q_len} {k_len}"]:
    r"""Return the table row of each query and key, :math:`\mathrm{clip}(j - i, k) + k`.

    Parameters
    ----------
    q_len, k_len : int
        Numbers of queries and keys.
    max_distance : int
        The k of the formula, in tokens: all keys this far or farther to one side of the
        query share a vector. At 0 one vector serves all pairs.
    q_offset : int, default 0
        Position of the first query; keys begin at 0. Nothing is guessed where queries
        are fewer than keys: when decoding with a cache of past keys, pass
        ``k_len - q_len``.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    int64 array of shape (q_len, k_len)
        Rows in 0 … 2k. All keys k or more to the right share row 2k.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer at or above 0.

    Examples
    --------
    >>> relative_position_index(4, 4, max_distance=2)
    array([[2, 3, 4, 4],
           [1, 2, 3, 4],
           [0, 1, 2, 3],
           [0, 0, 1, 2]])
    """
    q_len, k_len, q_offset = check_lengths(q_len, k_len, q_offset)
    remedy = "0 gives a single vector"
    max_distance = check_int("max_distance", max_distance, below=2**53, remedy=remedy)
    xp = integer_namespace(xp, device)
    offsets = relative_positions(q_len, k_len, q_offset=q_offset, xp=xp, device=device)
    return xp.clip(offsets, min=-max_distance, max=max_distance) + max_distance


def position_labels(q: Any, key_table: Any, k_len: int, q_offset: int) -> Any:
    """Check `q` and the table; return `relative_position_index` of all pairs."""
    check_query(q)
    k = max_distance("key_table", key_table)
    check_namespace(q=q, key_table=key_table)
    check_shape("key_table", key_table, ("2k + 1", q.shape[-1]), "head_dim is q's")
    xp, device = array_namespace(q), device_of(q)
    return relative_position_index(
        q.shape[-2], k_len, k, q_offset=q_offset, xp=xp, device=device
    )


def value_labels(weights: Any, value_table: Any, q_offset: int) -> Any:
    """Check weights and table; return `relative_position_index` of all pairs."""
    check_floating("weights", weights)
    check_shape("weights", weights, ("q_len", "k_len"))
    k = max_distance("value_table", value_table)
    check_namespace(weights=weights, value_table=value_table)
    xp, device = array_namespace(weights), device_of(weights)
    return relative_position_index(
        *weights.shape[-2:], k, q_offset=q_offset, xp=xp, device=device
    )


def label_scores(q: Any, table: Any, labels: Any) -> Any:
    """Return each query's product with the vectors of its labels, (..., Q, K).

    Half precision gives float32, as in `label_values`.
    """
    check_batch("key_table", table, q.shape[:-2], axes=2)
    check_batch("labels", labels, q.shape[:-2], axes=2)
    xp = array_namespace(q, table)
    table = cast(table, q.dtype)
    products = matmul(q, xp.matrix_transpose(table))  # (..., Q, labels)
    shape = (*products.shape[:-1], labels.shape[-1])
    labels = xp.broadcast_to(xp.astype(labels, xp.int64), shape)
    if is_torch_array(products):  # take_along_axis would copy the labels of each head
        return products.gather(-1, labels)
    return xp.take_along_axis(products, labels, axis=-1)


def label_values(weights: Any, table: Any, labels: Any) -> Any:
    """Mix the labels' vectors by the weights of the keys that carry them."""
    check_batch("value_table", table, weights.shape[:-2], axes=2)
    xp = array_namespace(weights, table)
    labels = xp.broadcast_to(xp.astype(labels, xp.int64), weights.shape)
    wide = upcast(weights)
    shape = (*weights.shape[:-1], table.shape[-2])
    totals = xp.zeros(shape, dtype=wide.dtype, device=device_of(weights))
    if is_torch_array(totals):
        totals = totals.scatter_add(-1, labels, wide)
    else:
        rows = tuple(np.ogrid[tuple(slice(n) for n in weights.shape)][:-1])
        np.add.at(totals, (*rows, labels), wide)
    return matmul(totals, table)


def check_query(q: Any) -> None:
    """Raise unless `q` holds floating-point numbers and has two axes at least."""
    check_floating("q", q)
    check_shape("q", q, ("q_len", "head_dim"))


def check_tables(q: Any, v: Any, key_table: Any, value_table: Any) -> None:
    """Raise unless the tables fit the features of `q` and `v`, and each other."""
    for name, table, like in (
        ("key_table", key_table, q),
        ("value_table", value_table, v),
    ):
        check_floating(name, table)
        check_shape(name, table, ("labels", like.shape[-1]), "one vector per label")
    if key_table.shape[-2] != value_table.shape[-2]:
        msg = (
            "key_table and value_table must have equally many rows, one per label, got "
            f"shapes {tuple(key_table.shape)} and {tuple(value_table.shape)}"
        )
        raise ValueError(msg)


def max_distance(name: str, table: Any) -> int:
    """Read k off a table with 2k + 1 rows."""
    check_floating(name, table)
    check_shape(name, table, ("2k + 1", "head_dim"))
    rows = int(table.shape[-2])
    if rows % 2 == 0:
        msg = (
            f"{name} must have an odd number of rows, 2k + 1 for the offsets from -k "
            f"to k, got {rows} rows"
        )
        raise ValueError(msg)
    return rows // 2
