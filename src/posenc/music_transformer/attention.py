"""Relative global attention."""

import math
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from posenc.attention import attend_checked, causal_mask
from posenc.core.checks import check_attention, check_floating
from posenc.core.dtypes import joint_dtype

from .scores import wide_position_scores


def relative_attention(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    *,
    causal: bool = True,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... seq_len value_dim"]:
    r"""Relative global attention: softmax of :math:`(QK^\top + S^{rel}) / \sqrt D`.

    Parameters
    ----------
    q, k, v : arrays of shape (..., seq_len or k_len, head_dim or value_dim)
        Queries, keys and values. If causal, keys may be more than queries, which then
        are the last ones: for decoding with a cache.
    table, causal
        As in `position_scores`. If causal, no query sees a key after itself.
    mask : bool array that broadcasts to (..., seq_len, k_len), optional
        True = may attend; for a causal call, in addition to the causal mask.

    Returns
    -------
    array of shape (..., seq_len, value_dim)
        A query that may attend to nothing gets zeros.

    Raises
    ------
    TypeError, ValueError
        As in `attention_scores`, or if `v` or `mask` does not fit.
    """
    check_floating("v", v)
    check_attention(q, k, v, mask=mask)
    q_len, k_len = q.shape[-2], k.shape[-2]
    scores = wide_position_scores(q, table, causal, k_len)
    bias = scores / math.sqrt(q.shape[-1])
    if causal:
        options = {"xp": array_namespace(q), "device": device_of(q)}
        past = causal_mask(q_len, k_len, q_offset=k_len - q_len, **options)
        mask = past if mask is None else mask & past
    dtype = joint_dtype(q, k, v)
    return attend_checked(q, k, v, bias=bias, mask=mask, dtype=dtype)
