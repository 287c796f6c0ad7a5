r"""Linear attention: a kernel instead of the softmax, with rotation and decay.

Companion of ``book/linear_attention.md``. Softmax attention weighs value j with
:math:`\exp(q_i \cdot k_j)` over the sum of all of them. With a kernel
:math:`\varphi(q_i) \cdot \varphi(k_j)` in place of the exponential, the sum over the
keys can be done once for all queries:

.. math:: o_i = \frac{\sum_j \varphi(q_i)^\top \varphi(k_j)\, v_j^\top}
                     {\sum_j \varphi(q_i)^\top \varphi(k_j)}
              = \frac{\varphi(q_i)^\top S}{\varphi(q_i)^\top z},\qquad
    S = \sum_j \varphi(k_j)\, v_j^\top,\quad z = \sum_j \varphi(k_j)

Position enters by rotating the features in the numerator, by a state that decays in the
causal sums, :math:`S_t = \lambda S_{t-1} + \varphi(k_t) v_t^\top`, or by any bias of
the offset, as a Toeplitz matrix. `quadratic_form`, `recurrent_form` and `chunked_form`
compute the same; `linear_attention` picks the fast one.

Axis names: ``q_len`` = Q, ``k_len`` = K, ``seq_len`` = L where both are equal,
``head_dim`` = D, ``value_dim`` = E, ``...`` = batch and heads; r features.

References
----------
Katharopoulos et al. (2020), Transformers are RNNs, https://arxiv.org/abs/2006.16236,
sec. 3.2 to 3.4.
Su et al. (2021), RoFormer, https://arxiv.org/abs/2104.09864, eq. 19 (the rotation).
Luo et al. (2021), Stable, Fast and Accurate: Kernelized Attention with Relative
Positional Encoding, https://arxiv.org/abs/2106.12566 (the Toeplitz matrix).
"""

import numbers
from collections.abc import Iterator
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float

from ._arrays import (
    divide_or_zero,
    relative_positions,
    stack_rows,
    widen,
    working_dtype,
)
from ._checks import check_choice, check_int
from ._feature_maps import (
    FeatureMap,
    apply_feature_map,
    elu_plus_one,
    orthogonal_projection,
    polynomial_lift,
    positive_random_features,
)
from ._linear_attention_checks import check_arguments, check_inputs
from ._linear_attention_toeplitz import (
    toeplitz_linear_attention,
    toeplitz_linear_attention_full,
)
from .rope import Layout, apply_rotary

__all__ = [
    "FeatureMap",
    "Layout",
    "chunked_form",
    "elu_plus_one",
    "linear_attention",
    "linear_attention_weights",
    "orthogonal_projection",
    "polynomial_lift",
    "positive_random_features",
    "quadratic_form",
    "recurrent_form",
    "toeplitz_linear_attention",
    "toeplitz_linear_attention_full",
]

_ALL = slice(None)


def linear_attention(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    *,
    causal: bool = False,
    feature_map: FeatureMap = elu_plus_one,
    angles: Float[Any, "... seq_len pairs"] | None = None,
    layout: Layout = "interleaved",
    rotate_denominator: bool = False,
    decay: float | Float[Any, "..."] | None = None,
    chunk_size: int = 128,
) -> Float[Any, "... q_len value_dim"]:
    r"""Mixture of the values with weights from a kernel, in time linear in the length.

    Parameters
    ----------
    q : array of shape (..., q_len, head_dim)
        Queries.
    k : array of shape (..., k_len, head_dim)
        Keys. Leading axes broadcast against those of `q`.
    v : array of shape (..., k_len, value_dim)
        Values, one per key.
    causal : bool, default False
        If True each query attends to the keys at or before its own position, and
        q_len must equal k_len.
    feature_map : callable, default `elu_plus_one`
        The map :math:`\varphi`, from (..., n, head_dim) to (..., n, r). It must treat
        each token alone: it is called on one chunk after the other. Give it positive
        features unless you want weights of both signs.
    angles : array of shape (seq_len, r / 2), optional
        Rotates pair i of the *features* of query and key n by ``angles[n, i]`` radians,
        see `posenc.rope.rotary_angles`. Needs q_len = k_len.
    layout : {'interleaved', 'half'}, default 'interleaved'
        Which features form a pair, as in `posenc.rope.apply_rotary`.
    rotate_denominator : bool, default False
        RoFormer (eq. 19) rotates the numerator only, so that the denominator stays a
        sum of positive numbers. True rotates both, to show what goes wrong.
    decay : float or array that broadcasts to the axes before (seq_len, head_dim)
        The factor :math:`\lambda` in (0, 1] by which a weight shrinks with each step of
        distance; an array of shape (num_heads,) gives each head its own. ALiBi with
        slope m is :math:`\lambda = e^{-m}`. Needs `causal`.
    chunk_size : int, default 128
        Tokens whose features exist at the same time, and per step of the causal sum.
        It changes speed, memory and rounding, nothing else.

    Returns
    -------
    array of shape (..., q_len, value_dim)
        Where the denominator is exactly 0 (no keys, or features that are all 0), zeros.

    Raises
    ------
    TypeError, ValueError
        If an array does not hold floating-point numbers, shapes do not fit, or an
        option is out of its range.

    Notes
    -----
    Nothing is added to the denominator: one that is tiny or, with features of both
    signs or `rotate_denominator`, crosses zero, gives large values of either sign.

    A decay cannot be folded into the features of a long sequence:
    :math:`\lambda^{i-j} = \lambda^i \lambda^{-j}`, and the second factor overflows
    float32 at :math:`e^{88}`. All powers used here are between 0 and 1.

    Examples
    --------
    >>> from posenc.running_example import Q, K, V
    >>> linear_attention(Q, K, V).round(2)
    array([[0.  , 0.72, 0.93, 1.63],
           [0.  , 0.8 , 0.85, 1.55],
           [0.  , 1.  , 0.65, 1.35]])
    >>> linear_attention(Q, K, V, causal=True).round(2)
    array([[0.  , 2.  , 0.  , 0.  ],
           [0.  , 1.39, 0.  , 1.22],
           [0.  , 1.  , 0.65, 1.35]])
    """
    options: dict[str, Any] = {
        "feature_map": feature_map,
        "angles": angles,
        "layout": layout,
        "rotate_denominator": rotate_denominator,
    }
    check_int("chunk_size", chunk_size, minimum=1)
    if causal:
        return chunked_form(q, k, v, decay=decay, chunk_size=chunk_size, **options)
    check_arguments(q, k, v, causal=causal, angles=angles, decay=decay)
    lift, xp = _lift(**options), array_namespace(q, k, v)
    dtype = xp.result_type(q, k, v)

    def chunks() -> Iterator[Any]:
        (q_top, _), (k_top, k_bottom) = lift(q, slice(0)), lift(k, slice(0))
        S, z = _empty_state(k_top, k_bottom, v)
        for now in _slices(k.shape[-2], chunk_size):  # once for all queries
            k_top, k_bottom = lift(k, now)
            S = S + xp.matmul(xp.matrix_transpose(k_top), widen(v[..., now, :]))
            z = z + xp.sum(k_bottom, axis=-2, keepdims=True)
        yield xp.astype(xp.matmul(q_top, S), dtype, copy=False)  # maybe no token at all
        for now in _slices(q.shape[-2], chunk_size):
            q_top, q_bottom = lift(q, now)
            bottom = xp.sum(q_bottom * z, axis=-1, keepdims=True)
            yield xp.astype(
                divide_or_zero(xp.matmul(q_top, S), bottom), dtype, copy=False
            )

    return stack_rows(chunks(), q.shape[-2])


def linear_attention_weights(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    *,
    causal: bool = False,
    feature_map: FeatureMap = elu_plus_one,
    angles: Float[Any, "... seq_len pairs"] | None = None,
    layout: Layout = "interleaved",
    rotate_denominator: bool = False,
    decay: float | Float[Any, "..."] | None = None,
) -> Float[Any, "... q_len k_len"]:
    """Weight of each value in `linear_attention`, as an explicit matrix.

    Parameters
    ----------
    q, k, causal, feature_map, angles, layout, rotate_denominator, decay
        As in `linear_attention`.

    Returns
    -------
    array of shape (..., q_len, k_len)
        Rows sum to 1, or to 0 where the denominator is 0. With `angles` and without
        `rotate_denominator` they sum to anything, and entries may be negative.

    Raises
    ------
    TypeError, ValueError
        As in `linear_attention`.

    Examples
    --------
    >>> from posenc.running_example import Q, K
    >>> linear_attention_weights(Q, K, causal=True).round(2)
    array([[1.  , 0.  , 0.  ],
           [0.39, 0.61, 0.  ],
           [0.33, 0.35, 0.33]])
    """
    check_arguments(q, k, k, causal=causal, angles=angles, decay=decay)
    lift = _lift(feature_map, angles, layout, rotate_denominator)
    (q_top, q_bottom), (k_top, k_bottom) = lift(q), lift(k)
    xp = array_namespace(q, k)
    top = xp.matmul(q_top, xp.matrix_transpose(k_top))
    bottom = xp.matmul(q_bottom, xp.matrix_transpose(k_bottom))
    if causal:
        powers = _powers(decay, k.shape[-2], k)  # 0 for later keys
        top, bottom = top * powers, bottom * powers
    weights = divide_or_zero(top, xp.sum(bottom, axis=-1, keepdims=True))
    return xp.astype(weights, xp.result_type(q, k), copy=False)


def quadratic_form(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    **options: Any,
) -> Float[Any, "... q_len value_dim"]:
    """`linear_attention` the plain way: all Q x K weights, then their mixture.

    Takes the arguments of `linear_attention` but `chunk_size`.
    """
    weights = linear_attention_weights(q, k, **options)
    check_inputs(q, k, v)
    return array_namespace(weights, v).matmul(weights, v)


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


def _slices(length: int, size: int) -> Iterator[slice]:
    """Cut `length` rows into pieces of `size`, the last of which may be shorter."""
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))


def _lift(
    feature_map: FeatureMap, angles: Any, layout: Layout, rotate_denominator: bool
) -> Any:
    """Make the map from tokens to their features in the numerator and denominator."""
    check_choice("layout", layout, ("interleaved", "half"))

    def lift(tokens: Any, rows: slice = _ALL) -> tuple[Any, Any]:
        features = apply_feature_map(feature_map, widen(tokens[..., rows, :]))
        if angles is None:
            return features, features
        if 2 * angles.shape[-1] != features.shape[-1]:
            msg = (
                f"angles must have one column per pair of the {features.shape[-1]} "
                f"features, got shape {tuple(angles.shape)}: feature_map decides how "
                "many features there are"
            )
            raise ValueError(msg)
        rotated = apply_rotary(features, angles[..., rows, :], layout=layout)
        return rotated, (rotated if rotate_denominator else features)

    return lift


def _empty_state(k_top: Any, k_bottom: Any, v: Any) -> tuple[Any, Any]:
    """State (r, E) and normalizer (1, r) before the first token: sums over no keys."""
    xp = array_namespace(k_top, v)
    S = xp.matmul(xp.matrix_transpose(k_top[..., :0, :]), widen(v[..., :0, :]))
    return S, xp.sum(k_bottom[..., :0, :], axis=-2, keepdims=True)


def _powers(decay: Any, length: int, like: Any) -> Any:
    """Matrix of decay ** (i - j) for queries i and keys j <= i, with 0 for j > i."""
    xp, device = array_namespace(like), device_of(like)
    steps = -relative_positions(length, length, xp=xp, device=device)
    steps = xp.astype(steps, xp.float64)
    powers = xp.astype(steps >= 0, xp.float64)
    if decay is not None:
        if isinstance(decay, numbers.Real):
            decay = xp.asarray(decay, dtype=xp.float64, device=device)
        factor = array_namespace(like, decay).astype(decay, xp.float64)
        powers = powers * factor[..., None, None] ** xp.abs(steps)
    return xp.astype(powers, working_dtype(like))
