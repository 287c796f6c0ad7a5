r"""Scaled dot-product attention, with a place for every encoding to enter.

Companion of ``book/attention.md``. An additive encoding is a `bias` on the scores, a
multiplicative one changes `q` and `k` before the call, and `mask` says who may look at
whom.

Axis names: ``q_len`` = Q, ``k_len`` = K, ``head_dim`` = D, ``...`` = batch and heads.

References
----------
Vaswani et al. (2017), Attention Is All You Need, https://arxiv.org/abs/1706.03762,
sec. 3.2.1, eq. 1.
"""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from jaxtyping import Bool, Float

from ._arrays import relative_positions
from ._checks import check_broadcast, check_floating, check_int, check_shape


def causal_mask(
    q_len: int, k_len: int, *, q_offset: int = 0, xp: Any = np, device: Any = None
) -> Bool[Any, "{q_len} {k_len}"]:
    """Mask that lets each query attend to the keys at or before its own position.

    Parameters
    ----------
    q_len, k_len : int
        Numbers of queries and keys.
    q_offset : int, default 0
        Position of the first query; keys begin at 0. For decoding with a cache of past
        keys this is ``k_len - q_len``.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    bool array of shape (q_len, k_len)
        True where the query may attend.

    Raises
    ------
    TypeError, ValueError
        If a length or the offset is not an integer at or above 0.

    Examples
    --------
    >>> causal_mask(2, 3, q_offset=1)
    array([[ True,  True, False],
           [ True,  True,  True]])
    """
    for name, value in (("q_len", q_len), ("k_len", k_len), ("q_offset", q_offset)):
        check_int(name, value)
    return (
        relative_positions(q_len, k_len, q_offset=q_offset, xp=xp, device=device) <= 0
    )


def attention_weights(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    *,
    scale: float | None = None,
    bias: Float[Any, "..."] | None = None,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len k_len"]:
    r"""Softmax over the keys of :math:`\text{scale}\; q k^\top + \text{bias}`.

    Parameters
    ----------
    q : array of shape (..., q_len, head_dim)
        Queries.
    k : array of shape (..., k_len, head_dim)
        Keys. Leading axes broadcast against those of `q`.
    scale : float, optional
        Factor of the scores; ``1 / sqrt(head_dim)`` if not given.
    bias : array that broadcasts to (..., q_len, k_len), optional
        Added to the scaled scores.
    mask : bool array that broadcasts to (..., q_len, k_len), optional
        True = may attend, as in PyTorch.

    Returns
    -------
    array of shape (..., q_len, k_len)
        Weights. Each row sums to 1; a row whose keys are all masked is all zeros.

    Raises
    ------
    TypeError, ValueError
        If `q` or `k` does not hold floating-point numbers, or the shapes do not fit.
    """
    scores = _scores(q, k, scale)
    xp = array_namespace(scores)
    if bias is not None:
        check_floating("bias", bias, remedy="a boolean array belongs in mask")
        _check_broadcast("bias", bias, scores)
        scores = scores + bias
    if mask is not None:
        _check_broadcast("mask", mask, scores)
        if not xp.isdtype(mask.dtype, "bool"):
            msg = f"mask must be boolean (True = may attend), got {mask.dtype}"
            raise TypeError(msg)
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
    """Mixture of the values, weighted by `attention_weights`.

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
    >>> from posenc.running_example import Q, K, V
    >>> scaled_dot_product_attention(Q, K, V).round(2)
    array([[0.  , 0.15, 1.73, 1.97],
           [0.  , 0.42, 1.33, 1.82],
           [0.  , 1.58, 0.18, 0.67]])
    """
    weights = attention_weights(q, k, scale=scale, bias=bias, mask=mask)
    check_floating("v", v)
    check_shape("v", v, (k.shape[-2], "value_dim"), "one value per key")
    check_broadcast(q=q, k=k, v=v)
    return array_namespace(weights, v).matmul(weights, v)


def _scores(q: Any, k: Any, scale: float | None) -> Any:
    """Scaled products of all queries with all keys, after checking that they fit."""
    check_floating("q", q)
    check_floating("k", k)
    check_shape("q", q, ("q_len", "head_dim"))
    check_shape("k", k, ("k_len", q.shape[-1]), "keys need the head_dim of the queries")
    check_broadcast(q=q, k=k)
    xp = array_namespace(q, k)
    if scale is None:
        if q.shape[-1] == 0:
            msg = "head_dim must be at least 1, got 0: or give scale"
            raise ValueError(msg)
        scale = 1 / math.sqrt(q.shape[-1])
    return xp.matmul(q, xp.matrix_transpose(k)) * scale


def _check_broadcast(name: str, array: Any, scores: Any) -> None:
    """Raise unless `array` broadcasts to `scores`; only batch axes may be added."""
    have, want = tuple(array.shape), tuple(scores.shape)
    pairs = list(zip(have[::-1], want[::-1], strict=False))
    matrix_fits = all(a in (1, b) for a, b in pairs[:2])
    batch_fits = all(a == b or 1 in (a, b) for a, b in pairs[2:])
    if not (matrix_fits and batch_fits):
        msg = (
            f"{name} must broadcast to the scores' shape {want} (..., q_len, k_len), "
            f"got shape {have}"
        )
        raise ValueError(msg)
