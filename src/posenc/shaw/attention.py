"""Attention with vectors on keys and values, for offsets and for graphs."""

import math
from typing import Any

from jaxtyping import Bool, Float, Integer

from posenc.attention import attention_weights
from posenc.core.checks import (
    check_floating,
    check_integral,
    check_namespace,
    check_range,
    check_shape,
)
from posenc.core.dtypes import cast, joint_dtype, matmul

from .labels import (
    check_query,
    check_tables,
    label_scores,
    label_values,
    position_labels,
    value_labels,
)


def position_values(
    weights: Float[Any, "... q_len k_len"],
    value_table: Float[Any, "*heads vectors value_dim"],
    *,
    q_offset: int = 0,
) -> Float[Any, "... q_len value_dim"]:
    r"""Return the position part of the output, :math:`\sum_j \alpha_{ij} a^V_{ij}`.

    In the mirror image of `position_scores`, first the weights of all keys that share a
    vector are added up, 2k + 1 sums per query, then the vectors are mixed.
    `position_values_broadcast` and `position_values_batched` do the same with a vector
    for each pair.

    Parameters
    ----------
    weights : array of shape (..., q_len, k_len)
        Attention weights :math:`\alpha`.
    value_table : array of shape (2k + 1, value_dim) or (num_heads, 2k + 1, value_dim)
        The vectors :math:`w^V`, from offset -k to k.
    q_offset : int, default 0
        As in `relative_position_index`.

    Returns
    -------
    array of shape (..., q_len, value_dim)
        With the namespace, dtype and device of `weights`.

    Raises
    ------
    TypeError, ValueError
        If an array does not hold floating-point numbers, or as in `position_scores`.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.asarray([[1.0, 0], [0, 0], [0, 1]])  # k = 1: counts left and right
    >>> position_values(np.full((3, 3), 1 / 3), table).round(2)
    array([[0.  , 0.67],
           [0.33, 0.33],
           [0.67, 0.  ]])
    """
    labels = value_labels(weights, value_table, q_offset)
    values = label_values(weights, value_table, labels)
    return cast(values, weights.dtype)


def relative_attention(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    key_table: Float[Any, "*heads vectors head_dim"],
    value_table: Float[Any, "*heads vectors value_dim"],
    *,
    mask: Bool[Any, "..."] | None = None,
    q_offset: int = 0,
) -> Float[Any, "... q_len value_dim"]:
    r"""Attend with a vector for each relative position, on keys and on values.

    Parameters
    ----------
    q, k, v
        As in `posenc.attention.scaled_dot_product_attention`.
    key_table, value_table
        As in `position_scores` and `position_values`, with equally many rows.
    mask : bool array that broadcasts to (..., q_len, k_len), optional
        True = may attend.
    q_offset : int, default 0
        As in `relative_position_index`.

    Returns
    -------
    array of shape (..., q_len, value_dim)
        :math:`z_i` of the paper, the scores divided by :math:`\sqrt D`. A query that
        may attend to nothing gets zeros.

    Raises
    ------
    TypeError, ValueError
        As in `position_scores`; or if the tables have unequal numbers of rows, or
        `k`, `v` or `mask` does not fit.

    Notes
    -----
    This is `graph_attention` on the complete graph whose edge from i to j carries the
    label :math:`\mathrm{clip}(j - i, k) + k`.
    """
    check_floating("k", k)
    check_shape("k", k, ("k_len", "head_dim"))
    labels = position_labels(q, key_table, k.shape[-2], q_offset)
    return _attend(q, k, v, labels, key_table, value_table, mask)


def graph_attention(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    labels: Integer[Any, "*graphs q_len k_len"],
    key_table: Float[Any, "*heads labels head_dim"],
    value_table: Float[Any, "*heads labels value_dim"],
    *,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len value_dim"]:
    """Attend in a directed graph whose edges carry labels, and labels vectors.

    Parameters
    ----------
    q, k, v
        As in `posenc.attention.scaled_dot_product_attention`; one row per node.
    labels : integer array of shape (q_len, k_len)
        Label of the edge from each query node to each key node, 0 … num_labels - 1.
        Leading axes, if any, broadcast to those of the weights: for instance
        (batch, 1, q_len, k_len) for a batch of graphs.
    key_table, value_table : arrays of shape (num_labels, head_dim or value_dim)
        Vectors of the labels, any number of them; or (num_heads, num_labels, …).
    mask : bool array that broadcasts to (..., q_len, k_len), optional
        True where there is an edge (True = may attend).

    Returns
    -------
    array of shape (..., q_len, value_dim)
        A node without edges gets zeros.

    Raises
    ------
    TypeError, ValueError
        If an argument has a wrong dtype or shape, the tables have unequal numbers of
        rows, or a label is outside 0 … num_labels - 1 (in eager mode only).

    Examples
    --------
    The syntax tree of the running example, "bites" being the head of both nouns; label
    0 is a node itself, 1 its head, 2 its dependent. "dog" and "man" have no edge:

    >>> import numpy as np
    >>> from posenc.core.running_example import K, Q, V
    >>> labels = np.asarray([[0, 1, 0], [2, 0, 2], [0, 1, 0]])
    >>> edges = np.asarray([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool)
    >>> key_table = np.asarray([[0.0, 0, 0, 0], [4, 0, 0, 0], [0, 0, 2, 0]])
    >>> graph_attention(Q, K, V, labels, key_table, 0 * key_table, mask=edges).round(2)
    array([[0.  , 1.  , 0.  , 2.  ],
           [0.  , 0.27, 1.69, 1.77],
           [0.  , 0.73, 0.54, 2.  ]])
    """
    check_integral("labels", labels)
    check_floating("key_table", key_table)
    check_shape("key_table", key_table, ("labels", "head_dim"), "one vector per label")
    last = key_table.shape[-2] - 1
    check_range("labels", labels, 0, last, remedy="they are rows of the tables")
    return _attend(q, k, v, labels, key_table, value_table, mask)


def _attend(
    q: Any, k: Any, v: Any, labels: Any, key_table: Any, value_table: Any, mask: Any
) -> Any:
    """Compute `graph_attention` without checking the values of the labels."""
    tables = {"key_table": key_table, "value_table": value_table}
    check_namespace(q=q, k=k, v=v, labels=labels, **tables, mask=mask)
    check_query(q)
    for name, array in (("k", k), ("v", v)):
        check_floating(name, array)
        check_shape(name, array, ("k_len", "head_dim"), "one row per key")
    check_shape("v", v, (k.shape[-2], "value_dim"), "one row per key")
    check_tables(q, v, key_table, value_table)
    check_shape("labels", labels, (q.shape[-2], k.shape[-2]), "one label per edge")
    bias = label_scores(q, key_table, labels) / math.sqrt(q.shape[-1])
    weights = attention_weights(q, k, bias=bias, mask=mask)
    out = matmul(weights, v) + label_values(weights, value_table, labels)
    return cast(out, joint_dtype(q, k, v))
