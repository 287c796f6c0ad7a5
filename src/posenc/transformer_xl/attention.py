"""Causal attention to a memory and the segment, also for FlexAttention."""

import math
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from posenc.attention import attend_checked, causal_mask
from posenc.core.checks import (
    check_attention,
    check_floating,
    check_shape,
    check_tensor,
)
from posenc.core.dtypes import joint_dtype, matmul, upcast
from posenc.core.relative_positions import ScoreMod

from .scores import _check_distances, _check_keys, _per_head, shifted_products


def relative_attention(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    *,
    content_bias: Float[Any, "*heads head_dim"],
    position_bias: Float[Any, "*heads head_dim"],
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len value_dim"]:
    r"""Attend causally with the scores of `attention_scores`, divided by sqrt(D).

    Parameters
    ----------
    q, k, r
        As in `attention_scores`.
    v : array of shape (..., k_len, value_dim)
        Values of the memory followed by the segment. Not the v of the formula.
    content_bias, position_bias : arrays of shape (head_dim,) or (num_heads, head_dim)
        The learned vectors u and v of the formula.
    mask : bool array that broadcasts to (..., q_len, k_len), optional
        True = may attend, in addition to the causal mask.

    Returns
    -------
    array of shape (..., q_len, value_dim)
        A query that may attend to nothing gets zeros.

    Raises
    ------
    TypeError, ValueError
        As in `attention_scores`, or if `v` or `mask` does not fit.
    """
    check_floating("v", v)
    check_attention(q, k, v, mask=mask)
    _check_distances(q, r)
    check_shape("k", k, tuple(r.shape[-2:]), "as many keys as distances in r")
    q_len, k_len = q.shape[-2], k.shape[-2]
    content = upcast(q) + _per_head("content_bias", content_bias, q)
    queries = upcast(q) + _per_head("position_bias", position_bias, q)
    bias = shifted_products(queries, r) / math.sqrt(q.shape[-1])
    past = causal_mask(
        q_len,
        k_len,
        q_offset=k_len - q_len,
        xp=array_namespace(q),
        device=device_of(q),
    )
    if mask is not None:
        past = mask & past
    dtype = joint_dtype(q, k, v)
    return attend_checked(content, k, v, bias=bias, mask=past, dtype=dtype)


def score_mod(
    q: Float[Any, "batch num_heads q_len head_dim"],
    k: Float[Any, "batch num_heads k_len head_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    u: Float[Any, "*heads head_dim"],
    v: Float[Any, "*heads head_dim"],
) -> ScoreMod:
    r"""Return what `attention_scores` adds to :math:`q_i \cdot k_j`, for FlexAttention.

    The kernel makes term a, content with content, by itself. Terms b and d are one
    product of the queries with the k_len distances, where each pair picks its own; term
    c is a number for each key.

    Parameters
    ----------
    q, k : tensors of shape (batch, num_heads, q_len or k_len, head_dim)
        The queries and keys that FlexAttention is given, too.
    r, u, v
        As in `attention_scores`.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the three terms added, divided by :math:`\sqrt D`, FlexAttention's default
        scale. The keys after the query get garbage: hide them by
        ``posenc.attention.causal_mask_mod(q_offset=k_len - q_len)``. Gradients flow to
        all tensors (on a GPU: FlexAttention has no backward pass on a CPU).

    Raises
    ------
    TypeError, ValueError
        As in `attention_scores`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    check_tensor("q", q, ("batch", "num_heads", "q_len", "head_dim"))
    _check_keys(q, k, r)
    xp, scale = array_namespace(q, k, r), 1 / math.sqrt(q.shape[-1])
    queries = upcast(q) + _per_head("v", v, q)
    positions = matmul(queries, xp.matrix_transpose(r)) * scale  # column = distance
    contents = (
        xp.sum(_per_head("u", u, q) * upcast(k), axis=-1) * scale
    )  # (batch, heads, K)
    # Query i stands at key i + K - Q, whose distance to itself is in the last column.
    own = q.shape[-2] - 1

    def add_terms(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        column = (key - query + own).clamp(0, r.shape[-2] - 1)
        position = positions[batch, head, query, column]
        return score + position + contents[batch, head, key]

    return add_terms
