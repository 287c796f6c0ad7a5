"""Linear attention, and its weights as an explicit matrix."""

from collections.abc import Iterator
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float

from posenc.core.arrays import divide_or_zero, stack_rows
from posenc.core.checks import check_int
from posenc.core.dtypes import widen
from posenc.rope import Layout

from .causal_forms import chunked_form
from .checks import check_arguments, check_inputs
from .feature_maps import FeatureMap, elu_plus_one
from .state import _empty_state, _lift, _powers, _slices


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
    >>> from posenc.core.running_example import Q, K, V
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
    >>> from posenc.core.running_example import Q, K
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
