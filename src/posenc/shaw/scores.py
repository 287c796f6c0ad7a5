"""Scores with a vector for each relative position."""

from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.arrays import add_to, scores_by_rows
from posenc.core.checks import check_floating, check_int, check_namespace, check_shape
from posenc.core.dtypes import cast, joint_dtype, matmul

from .labels import (
    check_query,
    label_scores,
    position_labels,
    relative_position_index,
)


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
        With the namespace, dtype and device of `q`; gradients flow to both arrays. A
        score beyond 65,504 is infinite in float16: the attention scales it before.

    Raises
    ------
    TypeError, ValueError
        If `q` or `key_table` does not hold floating-point numbers, the table has an
        even number of rows or another head_dim than `q`, or as in
        `relative_position_index`.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc.core.running_example import Q
    >>> table = np.asarray([[1.0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]])  # k = 1
    >>> position_scores(Q, table, 3)
    array([[0., 0., 0.],
           [1., 0., 2.],
           [0., 0., 0.]])
    """
    labels = position_labels(q, key_table, k_len, q_offset)
    return cast(label_scores(q, key_table, labels), q.dtype)


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
    labels = position_labels(q, key_table, k.shape[-2], q_offset)
    position = label_scores(q, key_table, labels)
    xp = array_namespace(q, k)
    scores = add_to(matmul(q, xp.matrix_transpose(k)), position)
    return cast(scores, joint_dtype(q, k))


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
    rows = check_int("rows", rows, minimum=1)
    _check_keys(q, k)
    position_labels(q[..., :0, :], key_table, k.shape[-2], q_offset)  # only the checks
    places = {"xp": array_namespace(q), "device": device_of(q)}
    max_distance = key_table.shape[-2] // 2

    def position(a: int, b: int) -> Any:
        labels = relative_position_index(
            b - a, k.shape[-2], max_distance, q_offset=q_offset + a, **places
        )
        return label_scores(q[..., a:b, :], key_table, labels)

    return scores_by_rows(q, k, key_table, position, rows)


def _check_keys(q: Any, k: Any) -> None:
    check_query(q)
    check_floating("k", k)
    check_namespace(q=q, k=k)
    check_shape("k", k, ("k_len", q.shape[-1]), "keys need the head_dim of the queries")
