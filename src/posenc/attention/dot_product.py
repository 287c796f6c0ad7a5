"""Scaled dot-product attention and its weights."""

import math
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Bool, Float

from posenc.core.checks import (
    check_broadcast,
    check_fits_scores,
    check_floating,
    check_mask,
    check_shape,
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
        check_fits_scores("bias", bias, scores)
        scores = scores + bias
    if mask is not None:
        check_mask(mask, scores)
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
    >>> from posenc.core.running_example import Q, K, V
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
