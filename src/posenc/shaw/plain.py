"""Chapter 4 the plain way; public as ``posenc.shaw.position_scores_broadcast`` etc."""

import math
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float

from posenc.core.checks import check_floating
from posenc.core.dtypes import cast, matmul, upcast

from .labels import position_labels, value_labels


def position_scores_broadcast(
    q: Float[Any, "... q_len head_dim"],
    key_table: Float[Any, "*heads vectors head_dim"],
    k_len: int,
    *,
    q_offset: int = 0,
) -> Float[Any, "... q_len {k_len}"]:
    """Return `position_scores` as the formula reads, from B H Q K D numbers at once."""
    labels = position_labels(q, key_table, k_len, q_offset)
    vectors = _vectors(cast(key_table, q.dtype), labels)  # (..., Q, K, D)
    xp = array_namespace(q, vectors)
    scores = xp.sum(upcast(q)[..., :, None, :] * upcast(vectors), axis=-1)
    return cast(scores, q.dtype)


def position_scores_batched(
    q: Float[Any, "... q_len head_dim"],
    key_table: Float[Any, "vectors head_dim"],
    k_len: int,
    *,
    q_offset: int = 0,
) -> Float[Any, "... q_len {k_len}"]:
    """Return `position_scores` in the paper's Q products, of Q K D numbers in all.

    The vectors of query i, shape (K, D), are the same in every sequence and head; so
    the B H queries that stand at position i are multiplied with them together::

        q        (..., Q, D) -> (B H, Q, D) -> (Q, B H, D)
        vectors                                (Q, D, K)
        product                                (Q, B H, K) -> (B H, Q, K) -> (..., Q, K)

    `key_table` must be shared by the heads, shape (2k + 1, D).
    """
    _check_shared("key_table", key_table)
    labels = position_labels(q, key_table, k_len, q_offset)
    vectors = _vectors(cast(key_table, q.dtype), labels)  # (Q, K, D)
    xp = array_namespace(q, vectors)
    by_query = _swap_first_axes(q, xp)  # (Q, B H, D)
    products = matmul(by_query, xp.matrix_transpose(vectors))  # (Q, B H, K)
    products = cast(products, q.dtype)
    return _swap_back(products, q.shape[:-2], xp)


def position_values_broadcast(
    weights: Float[Any, "... q_len k_len"],
    value_table: Float[Any, "*heads vectors value_dim"],
    *,
    q_offset: int = 0,
) -> Float[Any, "... q_len value_dim"]:
    """Return `position_values` as the formula reads, from B H Q K D numbers at once."""
    labels = value_labels(weights, value_table, q_offset)
    vectors = _vectors(cast(value_table, weights.dtype), labels)  # (..., Q, K, D)
    xp = array_namespace(weights, vectors)
    values = xp.sum(upcast(weights)[..., None] * upcast(vectors), axis=-2)
    return cast(values, weights.dtype)


def position_values_batched(
    weights: Float[Any, "... q_len k_len"],
    value_table: Float[Any, "vectors value_dim"],
    *,
    q_offset: int = 0,
) -> Float[Any, "... q_len value_dim"]:
    """Return `position_values` in Q products, like `position_scores_batched`.

    ::

        weights  (..., Q, K) -> (B H, Q, K) -> (Q, B H, K)
        vectors                                (Q, K, D)
        product                                (Q, B H, D) -> (B H, Q, D) -> (..., Q, D)
    """
    _check_shared("value_table", value_table)
    labels = value_labels(weights, value_table, q_offset)
    vectors = _vectors(cast(value_table, weights.dtype), labels)  # (Q, K, D)
    xp = array_namespace(weights, vectors)
    products = matmul(_swap_first_axes(weights, xp), vectors)  # (Q, B H, D)
    products = cast(products, weights.dtype)
    return _swap_back(products, weights.shape[:-2], xp)


def _vectors(table: Any, labels: Any) -> Any:
    """Look up each label's vector, (..., Q, K, D) from (..., labels, D)."""
    xp = array_namespace(table)
    rows = xp.take(table, xp.reshape(labels, (-1,)), axis=-2)
    return xp.reshape(rows, (*table.shape[:-2], *labels.shape, table.shape[-1]))


def _swap_first_axes(x: Any, xp: Any) -> Any:
    """Reshape (..., Q, n) to (B H, Q, n), and that to (Q, B H, n)."""
    batch = math.prod(x.shape[:-2])
    return xp.permute_dims(xp.reshape(x, (batch, *x.shape[-2:])), (1, 0, 2))


def _swap_back(x: Any, batch: tuple[int, ...], xp: Any) -> Any:
    """Reshape (Q, B H, n) to (B H, Q, n), and that to (..., Q, n)."""
    return xp.reshape(xp.permute_dims(x, (1, 0, 2)), (*batch, x.shape[0], x.shape[2]))


def _check_shared(name: str, table: Any) -> None:
    check_floating(name, table)
    if table.ndim != 2:
        msg = (
            f"{name} must be shared by the heads, shape (2k + 1, head_dim), got shape "
            f"{tuple(table.shape)}: use the form without '_batched'"
        )
        raise ValueError(msg)
