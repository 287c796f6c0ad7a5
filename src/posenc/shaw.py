r"""Relative positions as vectors: one vector per clipped offset, on keys and on values.

Companion of ``book/shaw.md``. The pair of query i and key j has two learned vectors,
:math:`a^K_{ij}` and :math:`a^V_{ij}`, which depend on the relative position
:math:`j - i` (key minus query) alone, and no longer change beyond a maximal distance k:

.. math::

    e_{ij} = \frac{q_i \cdot (k_j + a^K_{ij})}{\sqrt d} , \qquad
    z_i = \sum_j \alpha_{ij} (v_j + a^V_{ij}) , \qquad
    a_{ij} = w_{\mathrm{clip}(j - i, k)} .

So a table holds 2k + 1 vectors. Row k belongs to the query's own position, the rows
below k to keys on its left, the rows above k to keys on its right.

Axis names: ``q_len`` = Q, ``k_len`` = K, ``head_dim`` = D, ``...`` = batch and heads.
A table of shape (2k + 1, D) is shared by all heads, as in the text of the paper; one of
shape (num_heads, 2k + 1, D) gives each head its own.

References
----------
Shaw, Uszkoreit and Vaswani (2018), Self-Attention with Relative Position
Representations, https://arxiv.org/abs/1803.02155: sec. 3.1 with eq. 3 and 4 (the two
vectors), 3.2 (clipping and graphs), 3.3 with eq. 5 (products in batches).
"""

import math
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Bool, Float, Integer

from ._arrays import scores_by_rows
from ._checks import (
    check_floating,
    check_int,
    check_integral,
    check_range,
    check_shape,
)
from ._labels import (
    check_query,
    check_tables,
    label_scores,
    label_values,
    position_labels,
    relative_position_index,
    value_labels,
)
from ._shaw_plain import (
    position_scores_batched,
    position_scores_broadcast,
    position_values_batched,
    position_values_broadcast,
)
from .attention import attention_weights

__all__ = [
    "attention_scores",
    "attention_scores_blocked",
    "graph_attention",
    "position_scores",
    "position_scores_batched",
    "position_scores_broadcast",
    "position_values",
    "position_values_batched",
    "position_values_broadcast",
    "relative_attention",
    "relative_position_index",
]


def position_scores(
    q: Float[Any, "... q_len head_dim"],
    key_table: Float[Any, "*heads vectors head_dim"],
    k_len: int,
    *,
    q_offset: int = 0,
) -> Float[Any, "... q_len {k_len}"]:
    r"""Position part of the scores, :math:`q_i \cdot a^K_{ij}`, not yet scaled.

    A query meets no more than 2k + 1 different vectors. So multiply it with each of
    them once, and let every pair pick its product: 2k + 1 products of D numbers
    per query instead of K. `position_scores_broadcast` and `position_scores_batched`
    do the same with a vector for each pair.

    Parameters
    ----------
    q : array of shape (..., q_len, head_dim)
        Queries.
    key_table : array of shape (2k + 1, head_dim) or (num_heads, 2k + 1, head_dim)
        The vectors :math:`w^K`, from offset -k to k.
    k_len : int
        Number of keys.
    q_offset : int, default 0
        As in `relative_position_index`.

    Returns
    -------
    array of shape (..., q_len, k_len)
        With the namespace, dtype and device of `q`; gradients flow to both arrays.

    Raises
    ------
    TypeError, ValueError
        If `q` or `key_table` does not hold floating-point numbers, the table has an
        even number of rows or another head_dim than `q`, or as in
        `relative_position_index`.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc.running_example import Q
    >>> table = np.asarray([[1.0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]])  # k = 1
    >>> position_scores(Q, table, 3)
    array([[0., 0., 0.],
           [1., 0., 2.],
           [0., 0., 0.]])
    """
    labels = position_labels(q, key_table, k_len, q_offset)
    return label_scores(q, key_table, labels)


def attention_scores(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    key_table: Float[Any, "*heads vectors head_dim"],
    *,
    q_offset: int = 0,
) -> Float[Any, "... q_len k_len"]:
    r"""Content plus position, :math:`q_i \cdot (k_j + a^K_{ij})`, unscaled.

    `attention_scores_blocked` gives the same with less memory.

    Parameters
    ----------
    q : array of shape (..., q_len, head_dim)
        Queries.
    k : array of shape (..., k_len, head_dim)
        Keys.
    key_table, q_offset
        As in `position_scores`.

    Returns
    -------
    array of shape (..., q_len, k_len)
        The numerator of :math:`e_{ij}`.

    Raises
    ------
    TypeError, ValueError
        As in `position_scores`, or if `k` does not fit `q`.
    """
    _check_keys(q, k)
    position = position_scores(q, key_table, k.shape[-2], q_offset=q_offset)
    xp = array_namespace(q, k)
    scores = xp.matmul(q, xp.matrix_transpose(k))
    scores += position  # in place: one matrix less
    return scores


def attention_scores_blocked(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    key_table: Float[Any, "*heads vectors head_dim"],
    *,
    q_offset: int = 0,
    rows: int = 128,
) -> Float[Any, "... q_len k_len"]:
    """`attention_scores`, some rows at a time: no other matrix beside the result.

    Parameters
    ----------
    q, k, key_table, q_offset
        As in `attention_scores`.
    rows : int, default 128
        Queries per block.

    Returns
    -------
    array of shape (..., q_len, k_len)
        That of `attention_scores`.

    Raises
    ------
    TypeError, ValueError
        As in `attention_scores`, or if `rows` is not a positive integer.
    """
    check_int("rows", rows, minimum=1)
    _check_keys(q, k)
    position_labels(q[..., :0, :], key_table, k.shape[-2], q_offset)  # only the checks

    def position(a: int, b: int) -> Any:
        queries, first = q[..., a:b, :], q_offset + a
        return position_scores(queries, key_table, k.shape[-2], q_offset=first)

    return scores_by_rows(q, k, key_table, position, rows)


def position_values(
    weights: Float[Any, "... q_len k_len"],
    value_table: Float[Any, "*heads vectors value_dim"],
    *,
    q_offset: int = 0,
) -> Float[Any, "... q_len value_dim"]:
    r"""Position part of the output, :math:`\sum_j \alpha_{ij} a^V_{ij}`.

    The mirror image of `position_scores`: first add up the weights of all keys that
    share a vector, 2k + 1 sums per query, then mix the vectors.
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
    return label_values(weights, value_table, labels)


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
    r"""Attention with a vector for each relative position, on keys and on values.

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
    """Attention in a directed graph whose edges carry labels, and labels vectors.

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
    >>> from posenc.running_example import K, Q, V
    >>> labels = np.asarray([[0, 1, 0], [2, 0, 2], [0, 1, 0]])
    >>> edges = np.asarray([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool)
    >>> key_table = np.asarray([[0.0, 0, 0, 0], [4, 0, 0, 0], [0, 0, 2, 0]])
    >>> graph_attention(Q, K, V, labels, key_table, 0 * key_table, mask=edges).round(2)
    array([[0.  , 1.  , 0.  , 2.  ],
           [0.  , 0.27, 1.69, 1.77],
           [0.  , 0.73, 0.54, 2.  ]])
    """
    check_integral("labels", labels)
    check_shape("key_table", key_table, ("labels", "head_dim"), "one vector per label")
    last = key_table.shape[-2] - 1
    check_range("labels", labels, 0, last, remedy="they are rows of the tables")
    return _attend(q, k, v, labels, key_table, value_table, mask)


def _check_keys(q: Any, k: Any) -> None:
    check_query(q)
    check_floating("k", k)
    check_shape("k", k, ("k_len", q.shape[-1]), "keys need the head_dim of the queries")


def _attend(
    q: Any, k: Any, v: Any, labels: Any, key_table: Any, value_table: Any, mask: Any
) -> Any:
    """`graph_attention`, but for the values of the labels, which must be right."""
    check_query(q)
    for name, array in (("k", k), ("v", v)):
        check_floating(name, array)
        check_shape(name, array, ("k_len", "head_dim"), "one row per key")
    check_shape("v", v, (k.shape[-2], "value_dim"), "one row per key")
    check_tables(q, v, key_table, value_table)
    check_shape("labels", labels, (q.shape[-2], k.shape[-2]), "one label per edge")
    bias = label_scores(q, key_table, labels) / math.sqrt(q.shape[-1])
    weights = attention_weights(q, k, bias=bias, mask=mask)
    content = array_namespace(weights, v).matmul(weights, v)
    return content + label_values(weights, value_table, labels)
