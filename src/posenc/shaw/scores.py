"""Scores with a vector for each relative position, also for FlexAttention."""

import math
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.arrays import add_to, scores_by_rows
from posenc.core.checks import (
    check_batch,
    check_floating,
    check_int,
    check_namespace,
    check_shape,
    check_tensor,
)
from posenc.core.dtypes import cast, joint_dtype, matmul
from posenc.core.relative_positions import ScoreMod, offset_fn

from .labels import (
    check_query,
    label_scores,
    max_distance,
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
    r"""Return the scores' position part, :math:`q_i \cdot a^K_{ij}`, not yet scaled.

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
    r"""Return content plus position, :math:`q_i \cdot (k_j + a^K_{ij})`, unscaled.

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
    """Return `attention_scores`, some rows at a time, without another large matrix.

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


def score_mod(
    q: Float[Any, "batch num_heads q_len head_dim"],
    key_table: Float[Any, "*heads vectors head_dim"],
    *,
    q_offset: int = 0,
    q_positions: Any = None,
    k_positions: Any = None,
) -> ScoreMod:
    r"""Return `position_scores`, divided by :math:`\sqrt D`, for FlexAttention.

    Each query is multiplied once with the 2k + 1 vectors; every pair picks its product.
    A ``score_mod`` cannot add the vectors on the *values*. They need sums of weights,
    computed beside the kernel from the log-sum-exp that it can return.

    Parameters
    ----------
    q : tensor of shape (batch, num_heads, q_len, head_dim)
        The queries that FlexAttention is given, too.
    key_table, q_offset
        As in `position_scores`; the table is a torch tensor.
    q_positions, k_positions : integer tensors (seq_len,) or (batch, seq_len), optional
        Position of every query and key, where they are not 0, 1, … in order.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the position part added, for FlexAttention's default scale; gradients flow
        to both tensors (on a GPU: FlexAttention has no backward pass on a CPU).

    Raises
    ------
    TypeError, ValueError
        As in `position_scores` and `posenc.attention.causal_mask_mod`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    check_tensor("q", q, ("batch", "num_heads", "q_len", "head_dim"))
    far = max_distance("key_table", key_table)
    check_namespace(q=q, key_table=key_table)
    check_shape("key_table", key_table, ("2k + 1", q.shape[-1]), "head_dim is q's")
    check_batch("key_table", key_table, q.shape[:-2], axes=2)
    xp = array_namespace(q)
    products = matmul(q, xp.matrix_transpose(key_table)) / math.sqrt(q.shape[-1])
    relative = offset_fn(q_offset, q_positions, k_positions)

    def add_position(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        row = relative(batch, query, key).clamp(-far, far) + far
        return score + products[batch, head, query, row]

    return add_position
