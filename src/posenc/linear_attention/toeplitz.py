r"""Linear attention under a bias of the offset. Part of `linear_attention`.

References
----------
Luo et al. (2021), Stable, Fast and Accurate: Kernelized Attention with Relative
Positional Encoding, https://arxiv.org/abs/2106.12566, sec. 3.
"""

import math
from collections.abc import Callable
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Bool, Float

from posenc.core.arrays import divide_or_zero, toeplitz
from posenc.core.checks import (
    broadcast_shape,
    check_broadcast,
    check_floating,
    check_namespace,
    check_shape,
)
from posenc.core.dtypes import any_true, cast, computing_dtype, is_traced, matmul

from .checks import check_inputs
from .feature_maps import FeatureMap, apply_feature_map, elu_plus_one
from .state import _split, hide_keys


def toeplitz_linear_attention(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    bias: Float[Any, "... num_offsets"],
    *,
    feature_map: FeatureMap = elu_plus_one,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len value_dim"]:
    r"""Apply linear attention under a bias of the offset, in O(r E L log L).

    The weight of value j is :math:`e^{b(j-i)}\,\varphi(q_i) \cdot \varphi(k_j)`, over
    the sum of all of them. The factors form a Toeplitz matrix, which the fast Fourier
    transform applies to one column :math:`\varphi(k_j)_a v_{je}` at a time.
    `toeplitz_linear_attention_full` does the same the plain way.

    Parameters
    ----------
    q, k, v, feature_map, mask
        As in `linear_attention`.
    bias : array of shape (..., q_len + k_len - 1)
        Bias of each offset key - query, from ``-(q_len - 1)`` to ``k_len - 1``; leading
        axes (heads) broadcast. ``-inf`` forbids an offset.

    Returns
    -------
    array of shape (..., q_len, value_dim)
        A query that may attend to nothing gets zeros.

    Raises
    ------
    TypeError, ValueError
        If an array does not hold floating-point numbers or the shapes do not fit; in
        eager mode also if all the factors of some query are lost in the rounding.

    Notes
    -----
    A Fourier transform mixes all positions: its rounding error is a share of the
    *largest* weight of the sequence. An offset under ``-inf`` therefore leaks about
    1e-7 (float32), and a query must have factors that sum to at least the square root
    of the machine precision, relative to the largest.
    """
    _check_toeplitz(q, k, v, bias, mask)
    q_len, k_len = q.shape[-2], k.shape[-2]
    xp = array_namespace(q, k, v, bias)
    dtype = xp.result_type(q, k, v)
    q, k, v, bias = _widen_together(q, k, v, bias)
    q, k, v, feature_map = hide_keys(q, k, v, mask, feature_map)
    q_features, k_features = (apply_feature_map(feature_map, x) for x in (q, k))
    factors = _factors(bias)
    apply = _product(factors, q_len, k_len)
    bottom = xp.sum(q_features * apply(k_features), axis=-1, keepdims=True)
    top = 0.0
    columns = (_split(x.mT, 1) for x in (q_features, k_features))
    for q_row, k_row in zip(*columns, strict=True):  # one by one: memory O(L (r + E))
        top = top + q_row.mT * apply(k_row.mT * v)
    bottom = xp.where(_allowed(factors, q_len, k_len, mask), bottom, 0.0)
    return xp.astype(divide_or_zero(top, bottom), dtype, copy=False)


def toeplitz_linear_attention_full(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    bias: Float[Any, "... num_offsets"],
    *,
    feature_map: FeatureMap = elu_plus_one,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len value_dim"]:
    """Compute `toeplitz_linear_attention` by all Q x K weights."""
    _check_toeplitz(q, k, v, bias, mask)
    xp = array_namespace(q, k, v, bias)
    dtype = xp.result_type(q, k, v)
    q, k, v, bias = _widen_together(q, k, v, bias)
    q, k, v, feature_map = hide_keys(q, k, v, mask, feature_map)
    q_features, k_features = (apply_feature_map(feature_map, x) for x in (q, k))
    factors = toeplitz(_factors(bias), q.shape[-2], k.shape[-2])
    weights = matmul(q_features, xp.matrix_transpose(k_features)) * factors
    bottom = xp.sum(weights, axis=-1, keepdims=True)
    out = divide_or_zero(matmul(weights, v), bottom)
    return xp.astype(out, dtype, copy=False)


def _product(factors: Any, q_len: int, k_len: int) -> Callable[[Any], Any]:
    """Return a function from columns (..., K, n) to T times them, (..., Q, n)."""
    xp = array_namespace(factors)
    # sum_j t[(Q-1-i) + j] u[j] is entry K-1+i of the convolution of t, reversed, and u.
    length = q_len + k_len  # what goes round the end stays before entry K-1
    if not is_traced(factors):  # a compiler would fix the length
        length = 1 << (length - 2).bit_length()  # a power of 2 is faster
    spectrum = xp.fft.rfft(xp.flip(factors, axis=-1)[..., None], n=length, axis=-2)

    def apply(columns: Any) -> Any:
        transformed = xp.fft.rfft(columns, n=length, axis=-2)
        product = xp.fft.irfft(spectrum * transformed, n=length, axis=-2)
        return product[..., max(k_len - 1, 0) :, :][..., :q_len, :]

    return apply


def _widen_together(*arrays: Any) -> list[Any]:
    """Return all arrays in the dtype to compute in, float32 for half precision."""
    xp = array_namespace(*arrays)
    return [cast(x, computing_dtype(xp, xp.result_type(*arrays))) for x in arrays]


def _factors(bias: Any) -> Any:
    """Return exp(bias), with a largest factor of 1; the scale cancels later."""
    xp = array_namespace(bias)
    if bias.shape[-1] == 0:
        return bias
    highest = xp.max(bias, axis=-1, keepdims=True)
    return xp.exp(bias - xp.where(highest == -math.inf, 0.0, highest))


def _check_toeplitz(q: Any, k: Any, v: Any, bias: Any, mask: Any) -> None:
    check_inputs(q, k, v, mask)
    check_floating("bias", bias)
    check_namespace(q=q, bias=bias)
    q_len, k_len = q.shape[-2], k.shape[-2]
    num_offsets = max(q_len + k_len - 1, 0)
    if tuple(bias.shape[-1:]) != (num_offsets,):  # to print a length would fix it
        remedy = f"one value per offset, from {1 - q_len} to {k_len - 1}"
        check_shape("bias", bias, (num_offsets,), remedy)
    check_broadcast(q=q, k=k, v=v, bias=bias[..., None])


def _allowed(factors: Any, q_len: int, k_len: int, mask: Any) -> Any:
    """Return True for queries with a factor above 0 of a visible key, (..., q_len, 1).

    In eager mode raise if a query's factors are so small, compared to the largest, 1,
    that the rounding of the Fourier transform drowns them.
    """
    xp = array_namespace(factors)

    def window_sums(values: Any) -> Any:  # query i sees offsets Q-1-i to Q-1-i + K-1
        if mask is not None:
            shape = broadcast_shape(tuple(mask.shape), (1, k_len))
            counts = xp.astype(xp.broadcast_to(mask, shape), factors.dtype).mT
            values = xp.astype(values, factors.dtype)
            return _product(values, q_len, k_len)(counts)[..., 0]
        sums = xp.cumulative_sum(values, axis=-1, include_initial=True)
        return xp.flip(sums[..., k_len : k_len + q_len] - sums[..., :q_len], axis=-1)

    allowed = window_sums(xp.astype(factors > 0, xp.int64)) > 0.5  # a count of keys
    floor = math.sqrt(xp.finfo(factors.dtype).eps)
    if not is_traced(factors):
        lost = allowed & (window_sums(factors) < floor)
        if any_true(lost):
            msg = (
                "bias must leave each query an offset whose factor exp(bias) is not "
                f"below {floor:.1e} of the largest, got less for "
                f"{int(xp.sum(xp.astype(lost, xp.int64)))} queries: use "
                "toeplitz_linear_attention_full, or float64"
            )
            raise ValueError(msg)
    return allowed[..., None]
