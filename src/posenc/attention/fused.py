"""Attention by PyTorch's fused kernel, where there is one; else in plain array code."""

import math
from typing import Any

from array_api_compat import is_torch_array

from posenc.core.checks import (
    broadcast_shape,
    check_attention,
    check_broadcast,
    check_floating,
)
from posenc.core.dtypes import (
    as_given,
    cast,
    computing_dtype,
    is_exported,
    is_mapped,
    joint_dtype,
    namespace,
)

from .dot_product import scaled_dot_product_attention


def attend(q: Any, k: Any, v: Any, *, bias: Any = None, mask: Any = None) -> Any:
    """`scaled_dot_product_attention` without a matrix of weights in memory.

    Arguments, result and errors are those of the plain form. The kernel wants one
    dtype, four axes, and a mask that is part of the bias; `vmap` does not know it.
    Under ``torch.autocast`` it computes in the dtype that it is given.
    """
    check_floating("v", v)
    check_attention(q, k, v, bias, mask)
    return attend_checked(q, k, v, bias=bias, mask=mask)


def attend_checked(
    q: Any, k: Any, v: Any, *, bias: Any = None, mask: Any = None, dtype: Any = None
) -> Any:
    """`attend` of arguments that fit each other; `dtype` is that of the result.

    By default it is the one that queries, keys and values are promoted to. Where half
    precision makes them in float32, the caller names the half one, to be cast to once,
    at the end.
    """
    given = [array for array in (q, k, v, bias) if array is not None]
    if not is_torch_array(q) or q.shape[-1] == 0 or is_mapped(*given):
        out = scaled_dot_product_attention(q, k, v, bias=bias, mask=mask)
        return out if dtype is None else cast(out, dtype)
    if len({array.dtype for array in given}) > 1:  # asked first: one token is quick
        dtype = joint_dtype(q, k, v) if dtype is None else dtype
        wide = computing_dtype(namespace(q), joint_dtype(q, k, v))
        q, k, v, *rest = (cast(array, wide) for array in given)
        bias = rest[0] if rest else None
    import torch  # loaded already: q is a tensor
    from torch.nn.functional import scaled_dot_product_attention as fused

    if bias is not None and mask is not None:
        bias, mask = bias.masked_fill(~mask, -math.inf), None
    added = mask if bias is None else bias
    batch = check_broadcast(q=q, k=k, v=v)
    if added is not None:
        batch = broadcast_shape(batch, tuple(added.shape[:-2])) or batch
        if len(batch) > 2:
            added = _four_axes(added, batch)
        else:  # its axes of length 1 need no copy; with three the kernel is slow
            added = added[(None,) * (4 - added.ndim)]
    with as_given(q):
        out = fused(*(_four_axes(x, batch) for x in (q, k, v)), attn_mask=added)
    if is_exported(out):  # its layout in memory depends on who traces it
        out = out.clone(memory_format=torch.contiguous_format)
    out = out.reshape(*batch, *out.shape[-2:])
    return out if dtype is None else cast(out, dtype)


def _four_axes(x: Any, batch: Any) -> Any:
    """(..., L, D) -> (B, H, L, D), with all leading axes but the last one in B."""
    x = x.expand(*batch, *x.shape[-2:])
    return x[(None,) * (4 - x.ndim)] if x.ndim <= 4 else x.flatten(0, -4)
