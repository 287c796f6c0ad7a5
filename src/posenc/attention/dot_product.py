"""Scaled dot-product attention, plain and by PyTorch's fused kernel."""

import math
from typing import Any

from array_api_compat import array_namespace, is_torch_array
from jaxtyping import Bool, Float

from posenc.core.checks import (
    broadcast_shape,
    check_attention,
    check_broadcast,
    check_floating,
    check_number,
)
from posenc.core.dtypes import (
    as_given,
    cast,
    computing_dtype,
    is_exported,
    is_wrapped,
    joint_dtype,
    matmul,
    namespace,
)


def attention_weights(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    *,
    scale: float | None = None,
    bias: Float[Any, "..."] | None = None,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len k_len"]:
    r"""Return the softmax over keys of :math:`\text{scale}\; q k^\top + \text{bias}`.

    Parameters
    ----------
    q : array of shape (..., q_len, head_dim)
        Queries. Heads stand before tokens: in flash-attention's order of axes, (batch,
        q_len, num_heads, head_dim), the heads of a token would attend to each other.
    k : array of shape (..., k_len, head_dim)
        Keys. Leading axes broadcast against those of `q`.
    scale : float, optional
        Factor of the scores; ``1 / sqrt(head_dim)`` if not given. Its size lies below
        2**64, in float64 below 2**512: with others even small scores overflow.
    bias : array that broadcasts to (..., q_len, k_len), optional
        Added to the scaled scores, in their dtype.
    mask : bool array that broadcasts to (..., q_len, k_len), optional
        True = may attend, as in torch's function `scaled_dot_product_attention`. (In
        its module `MultiheadAttention`, True hides.) A padding mask of shape (batch,
        k_len) goes in as ``mask[:, None, None, :]``. Bare, it is taken for one of shape
        (q_len, k_len) where batch = q_len: shapes cannot tell.

    Returns
    -------
    array of shape (..., q_len, k_len)
        Weights. Each row sums to 1; a row whose keys are all masked is all zeros.
        Of the dtype of `q` and `k`, whatever that of `bias`. Half precision is computed
        in float32, and rounded once at the end.

    Raises
    ------
    TypeError, ValueError
        If `q` or `k` does not hold floating-point numbers, the shapes do not fit, or
        `scale` is too large.
    """
    xp = check_attention(q, k, bias=bias, mask=mask)
    weights = _weights(q, k, _scale(q, k, scale), bias, mask)
    return cast(weights, xp.result_type(q, k))


def _weights(q: Any, k: Any, scale: Any, bias: Any, mask: Any) -> Any:
    """Compute `attention_weights` of arguments that fit, before rounding."""
    xp = array_namespace(q, k)
    scores = matmul(q, xp.matrix_transpose(k)) * scale
    if bias is not None:
        scores = scores + cast(bias, scores.dtype)
    if mask is not None:
        scores = xp.where(mask, scores, -math.inf)
    if scores.shape[-1] == 0:
        return scores
    highest = xp.max(scores, axis=-1, keepdims=True)
    # A fully masked row has the maximum -inf: subtract 0 instead, and get zeros below.
    highest = xp.where(highest == -math.inf, 0.0, highest)
    exponentials = xp.exp(scores - highest)
    total = xp.sum(exponentials, axis=-1, keepdims=True)
    return exponentials / xp.where(total == 0, 1.0, total)


def scaled_dot_product_attention(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    *,
    scale: float | None = None,
    bias: Float[Any, "..."] | None = None,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len value_dim"]:
    """Return a mixture of the values, weighted by `attention_weights`.

    Parameters
    ----------
    q, k, scale, bias, mask
        As in `attention_weights`.
    v : array of shape (..., k_len, value_dim)
        Values, one per key.

    Returns
    -------
    array of shape (..., q_len, value_dim)
        A query that may attend to nothing gets zeros.

    Raises
    ------
    TypeError, ValueError
        As in `attention_weights`, or if `v` does not fit the keys.

    Examples
    --------
    >>> from posenc.core.running_example import Q, K, V
    >>> scaled_dot_product_attention(Q, K, V).round(2)
    array([[0.  , 0.15, 1.73, 1.97],
           [0.  , 0.42, 1.33, 1.82],
           [0.  , 1.58, 0.18, 0.67]])
    """
    check_floating("v", v)
    check_attention(q, k, v, bias, mask)
    weights = _weights(q, k, _scale(q, k, scale), bias, mask)
    return cast(matmul(weights, v), joint_dtype(q, k, v))


def _scale(q: Any, k: Any, scale: Any) -> Any:
    """Return the factor of the scores."""
    if scale is None:
        if q.shape[-1] == 0:
            msg = "head_dim must be at least 1, got 0: or give scale"
            raise ValueError(msg)
        return 1 / math.sqrt(q.shape[-1])
    # The limit is the root of the scores' largest number, which leaves as much to q k.
    # The result is a Python number, since one of NumPy's would upcast the scores.
    remedy = "1 / sqrt(head_dim) is the usual one"
    below = 2.0**512 if max(q.dtype.itemsize, k.dtype.itemsize) >= 8 else 2.0**64
    return check_number("scale", scale, below=below, remedy=remedy)


def attend(q: Any, k: Any, v: Any, *, bias: Any = None, mask: Any = None) -> Any:
    """Compute `scaled_dot_product_attention` without a matrix of weights in memory.

    Arguments, result and errors are those of the plain form. The kernel takes one
    dtype, four axes, and a mask that is part of the bias; `vmap` does not support it.
    Under ``torch.autocast`` it computes in the dtype that it is given.
    """
    check_floating("v", v)
    check_attention(q, k, v, bias, mask)
    return attend_checked(q, k, v, bias=bias, mask=mask)


def attend_checked(
    q: Any, k: Any, v: Any, *, bias: Any = None, mask: Any = None, dtype: Any = None
) -> Any:
    """Compute `attend` of arguments that fit, with a result of `dtype`.

    Its default is the dtype that queries, keys and values are promoted to. Where half
    precision makes them in float32, the caller gives the half dtype, and the result is
    cast once, at the end.
    """
    given = [array for array in (q, k, v, bias) if array is not None]
    if not is_torch_array(q) or q.shape[-1] == 0 or is_wrapped(*given):
        out = scaled_dot_product_attention(q, k, v, bias=bias, mask=mask)
        return out if dtype is None else cast(out, dtype)
    if len({array.dtype for array in given}) > 1:  # a quick test, for single tokens
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
    if is_exported(out):  # its layout in memory depends on the tracer
        out = out.clone(memory_format=torch.contiguous_format)
    out = out.reshape(*batch, *out.shape[-2:])
    return out if dtype is None else cast(out, dtype)


def _four_axes(x: Any, batch: Any) -> Any:
    """Reshape (..., L, D) to (B, H, L, D), with leading axes but the last in B."""
    x = x.expand(*batch, *x.shape[-2:])
    return x[(None,) * (4 - x.ndim)] if x.ndim <= 4 else x.flatten(0, -4)
