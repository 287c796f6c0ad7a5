"""Relative global attention."""

import math
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from posenc.attention import attend, causal_mask
from posenc.core.checks import check_mask, check_namespace

from .checks import check_keys
from .scores import position_scores


def relative_attention(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... seq_len head_dim"],
    v: Float[Any, "... seq_len value_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    *,
    causal: bool = True,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... seq_len value_dim"]:
    r"""Relative global attention: softmax of :math:`(QK^\top + S^{rel}) / \sqrt D`.

    Parameters
    ----------
    q, k, v : arrays of shape (..., seq_len, head_dim or value_dim)
        Queries, keys and values.
    table, causal
        As in `position_scores`. If causal, no query sees a key after itself.
    mask : bool array that broadcasts to (..., seq_len, seq_len), optional
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
    check_namespace(q=q, v=v, mask=mask)
    check_keys(q, k)
    bias = position_scores(q, table, causal=causal) / math.sqrt(q.shape[-1])
    if causal:
        xp, n = array_namespace(q), q.shape[-2]
        past = causal_mask(n, n, xp=xp, device=device_of(q))
        if mask is not None:
            check_mask(mask, bias.shape)
            past = mask & past
        mask = past
    return attend(q, k, v, bias=bias, mask=mask)
