"""Causal attention to a memory and the segment."""

import math
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from posenc.attention import attend_checked, causal_mask
from posenc.core.checks import check_attention, check_floating, check_shape
from posenc.core.dtypes import joint_dtype, widen

from .scores import _check_distances, _per_head, shifted_products


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
    r"""Causal attention with the scores of `attention_scores`, divided by sqrt(D).

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
    content = widen(q) + _per_head("content_bias", content_bias, q)
    queries = widen(q) + _per_head("position_bias", position_bias, q)
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
