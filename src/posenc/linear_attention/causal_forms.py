"""Causal linear attention as a recurrent network and in chunks."""

from collections.abc import Iterator
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float

from posenc.core.arrays import divide_or_zero, stack_rows
from posenc.core.checks import check_int
from posenc.core.dtypes import widen
from posenc.rope import Layout

from .checks import check_arguments
from .feature_maps import FeatureMap, elu_plus_one
from .state import _empty_state, _lift, _powers, _slices


def recurrent_form(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... seq_len head_dim"],
    v: Float[Any, "... seq_len value_dim"],
    *,
    feature_map: FeatureMap = elu_plus_one,
    angles: Float[Any, "... seq_len pairs"] | None = None,
    layout: Layout = "interleaved",
    rotate_denominator: bool = False,
    decay: float | Float[Any, "..."] | None = None,
) -> Float[Any, "... seq_len value_dim"]:
    r"""Causal `linear_attention` as a recurrent network: one token, one step.

    The whole past is in two sums, the state :math:`S_t = \lambda S_{t-1} + \varphi(k_t)
    v_t^\top` and the normalizer :math:`z_t = \lambda z_{t-1} + \varphi(k_t)`, whose
    sizes do not grow with t.

    Parameters
    ----------
    q, k, v, feature_map, angles, layout, rotate_denominator, decay
        As in `linear_attention` with ``causal=True``.

    Returns
    -------
    array of shape (..., seq_len, value_dim)

    Raises
    ------
    TypeError, ValueError
        As in `linear_attention`.
    """
    check_arguments(q, k, v, causal=True, angles=angles, decay=decay)
    lift = _lift(feature_map, angles, layout, rotate_denominator)
    (q_top, q_bottom), (k_top, k_bottom) = lift(q), lift(k)
    xp = array_namespace(q, k, v)
    dtype = xp.result_type(q, k, v)
    factor = _powers(decay, 2, k)[..., 1:, :1]  # decay ** 1, or 1 without decay

    def steps() -> Iterator[Any]:
        S, z = _empty_state(k_top, k_bottom, v)
        yield xp.astype(xp.matmul(q_top[..., :0, :], S), dtype, copy=False)
        for t in range(k.shape[-2]):
            now = slice(t, t + 1)
            k_column = xp.matrix_transpose(k_top[..., now, :])
            S = factor * S + k_column * widen(v[..., now, :])  # (r, 1) * (1, E)
            z = factor * z + k_bottom[..., now, :]
            top = xp.matmul(q_top[..., now, :], S)
            bottom = xp.sum(q_bottom[..., now, :] * z, axis=-1, keepdims=True)
            yield xp.astype(divide_or_zero(top, bottom), dtype, copy=False)

    return stack_rows(steps(), k.shape[-2])


def chunked_form(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... seq_len head_dim"],
    v: Float[Any, "... seq_len value_dim"],
    *,
    feature_map: FeatureMap = elu_plus_one,
    angles: Float[Any, "... seq_len pairs"] | None = None,
    layout: Layout = "interleaved",
    rotate_denominator: bool = False,
    decay: float | Float[Any, "..."] | None = None,
    chunk_size: int = 128,
) -> Float[Any, "... seq_len value_dim"]:
    r"""Causal `linear_attention`, a chunk of C tokens at a time: fast and small.

    Within a chunk the weights are an explicit matrix, as in `quadratic_form`; all
    earlier chunks are in the state, as in `recurrent_form`::

        keys          earlier chunks     this chunk (C = 3)
                                         j=0      j=1      j=2
        query i=0     λ   (S, z)         λ^0       0        0
        query i=1     λ^2 (S, z)         λ^1      λ^0       0
        query i=2     λ^3 (S, z)         λ^2      λ^1      λ^0
        next (S, z)   λ^3 (S, z)    +    the keys, weighted as in the last row

    The work is that of matrix products, C r + C E + 2 r E multiplications per token,
    and nothing but the output is as long as the sequence: features are made chunk by
    chunk, while they are in the cache.

    Parameters
    ----------
    q, k, v, feature_map, angles, layout, rotate_denominator, decay, chunk_size
        As in `linear_attention` with ``causal=True``.

    Returns
    -------
    array of shape (..., seq_len, value_dim)

    Raises
    ------
    TypeError, ValueError
        As in `linear_attention`.
    """
    check_int("chunk_size", chunk_size, minimum=1)
    check_arguments(q, k, v, causal=True, angles=angles, decay=decay)
    lift = _lift(feature_map, angles, layout, rotate_denominator)
    xp, seq_len = array_namespace(q, k, v), k.shape[-2]
    dtype = xp.result_type(q, k, v)
    powers = _powers(decay, min(chunk_size, seq_len) + 1, k)

    def fade(x: Any, factor: Any) -> Any:
        """``x * factor``; without decay all factors are 1, and a third of the time."""
        return x if decay is None else x * factor

    def chunks() -> Iterator[Any]:
        (q_top, _), (k_top, k_bottom) = lift(q, slice(0)), lift(k, slice(0))
        S, z = _empty_state(k_top, k_bottom, v)
        z = xp.matrix_transpose(z)  # a column, like S
        yield xp.astype(xp.matmul(q_top, S), dtype, copy=False)  # maybe no token at all
        for now in _slices(seq_len, chunk_size):
            count = now.stop - now.start
            within = powers[..., :count, :count]  # lambda^(i-j), and 0 for later keys
            since = powers[..., 1 : count + 1, :1]  # lambda^(i+1), from state to row i
            until = xp.matrix_transpose(within[..., -1:, :])  # from key j to the end
            (q_top, q_bottom), (k_top, k_bottom) = lift(q, now), lift(k, now)
            values = widen(v[..., now, :])

            weights = xp.matmul(q_top, xp.matrix_transpose(k_top)) * within
            top = xp.matmul(weights, values) + fade(xp.matmul(q_top, S), since)
            if q_bottom is not q_top:
                weights = xp.matmul(q_bottom, xp.matrix_transpose(k_bottom)) * within
            bottom = xp.sum(weights, axis=-1, keepdims=True)
            bottom = bottom + fade(xp.matmul(q_bottom, z), since)
            yield xp.astype(divide_or_zero(top, bottom), dtype, copy=False)

            whole = since[..., -1:, :]  # lambda^count
            columns = xp.matrix_transpose(fade(k_top, until))
            S = fade(S, whole) + xp.matmul(columns, values)
            if k_bottom is not k_top:
                columns = xp.matrix_transpose(fade(k_bottom, until))
            z = fade(z, whole) + xp.sum(columns, axis=-1, keepdims=True)

    return stack_rows(chunks(), seq_len)
