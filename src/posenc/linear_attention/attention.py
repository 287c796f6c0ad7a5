"""Linear attention, and its weights as an explicit matrix."""

from collections.abc import Iterator
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Bool, Float

from posenc.core.arrays import divide_or_zero, stack_rows
from posenc.core.checks import check_flag, check_int
from posenc.core.dtypes import cast, is_traced, matmul
from posenc.rope import Layout

from .causal_forms import chunked_form
from .checks import check_arguments
from .feature_maps import FeatureMap, elu_plus_one
from .state import (
    CHUNK_SIZE,
    Lift,
    _positions,
    _powers,
    _runs_all_at_once,
    _split,
    _split_angles,
    hide_keys,
)


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
    mask: Bool[Any, "..."] | None = None,
    chunk_size: int = CHUNK_SIZE,
) -> Float[Any, "... q_len value_dim"]:
    r"""Mix the values with weights from a kernel, in time linear in the length.

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
        each token alone, since it is called on one chunk after the other. Features that
        are not positive give weights of both signs.
    angles : array of shape (seq_len, r / 2), optional
        Rotates pair i of the *features* of query and key n by ``angles[n, i]`` radians,
        see `posenc.rope.rotary_angles`. Needs q_len = k_len.
    layout : {'interleaved', 'half'}, default 'interleaved'
        Features of a pair, as in `posenc.rope.apply_rotary`.
    rotate_denominator : bool, default False
        RoFormer (eq. 19) rotates the numerator only, so that the denominator stays a
        sum of positive numbers. True rotates both, to show what goes wrong.
    decay : float or array that broadcasts to the axes before (seq_len, head_dim)
        The factor :math:`\lambda` in (0, 1] by which a weight shrinks with each step of
        distance; an array of shape (num_heads,) gives each head its own. ALiBi with
        slope m is :math:`\lambda = e^{-m}`. Needs `causal`.
    mask : bool array that broadcasts to (..., 1, k_len), optional
        True = may be attended, as in `posenc.attention.attention_weights`, but with one
        row for all queries, for padding. Keys and values that are hidden are not read;
        they keep their places, which the steps of `decay` count.
    chunk_size : int, default 128
        Tokens whose features exist at the same time, and per step of the causal sum.
        It changes speed, memory and rounding, nothing else.

    Returns
    -------
    array of shape (..., q_len, value_dim)
        Where the denominator is exactly 0 (no keys, all of them hidden, or features
        that are all 0), zeros.
        Half precision is summed in float32, also under ``torch.autocast``.

    Raises
    ------
    TypeError, ValueError
        If an array does not hold floating-point numbers, shapes do not fit, or an
        option is out of its range.

    Notes
    -----
    Nothing is added to the denominator. One that is tiny or, with features of both
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
    check_flag("causal", causal)
    if causal:
        return chunked_form(
            q,
            k,
            v,
            feature_map=feature_map,
            angles=angles,
            layout=layout,
            rotate_denominator=rotate_denominator,
            decay=decay,
            mask=mask,
            chunk_size=chunk_size,
        )
    size: int | None = check_int("chunk_size", chunk_size, minimum=1)
    check_arguments(q, k, v, causal=causal, angles=angles, decay=decay, mask=mask)
    q, k, v, feature_map = hide_keys(q, k, v, mask, feature_map)
    lift = Lift.of(q, k, v, feature_map, layout, rotate_denominator)
    xp = array_namespace(q, k, v)
    if is_traced(k) or _runs_all_at_once(q, k, v):  # as in chunked_form
        size = None
    S = z = 0.0
    turns = _split_angles(angles, size)
    pieces = zip(_split(k, size), _split(v, size), turns, strict=False)
    for keys, values, turn in pieces:
        k_top, k_bottom = lift(keys, turn)
        S = S + matmul(k_top.mT, cast(values, lift.wide))  # once for all queries
        z = z + xp.sum(k_bottom.mT, axis=-1, keepdims=True)

    def chunks() -> Iterator[Any]:
        turns = _split_angles(angles, size)
        for queries, turn in zip(_split(q, size), turns, strict=False):
            q_top, q_bottom = lift(queries, turn)
            out = divide_or_zero(matmul(q_top, S), matmul(q_bottom, z))
            yield cast(out, lift.dtype)

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
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len k_len"]:
    """Return the weight of each value in `linear_attention` as an explicit matrix.

    Parameters
    ----------
    q, k, causal, feature_map, angles, layout, rotate_denominator, decay, mask
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
    check_flag("causal", causal)
    check_arguments(q, k, k, causal=causal, angles=angles, decay=decay, mask=mask)
    q, k, _, feature_map = hide_keys(q, k, k, mask, feature_map)
    lift = Lift.of(q, k, k, feature_map, layout, rotate_denominator)
    return cast(_weights(lift, q, k, causal, angles, decay), lift.dtype)


def _weights(lift: Lift, q: Any, k: Any, causal: bool, angles: Any, decay: Any) -> Any:
    """Compute `linear_attention_weights` in its wide dtype."""
    (q_top, q_bottom), (k_top, k_bottom) = lift(q, angles), lift(k, angles)
    xp = array_namespace(q_top, k_top)
    top, bottom = matmul(q_top, k_top.mT), matmul(q_bottom, k_bottom.mT)
    if causal:
        powers = _powers(
            decay, _positions(k, k.shape[-2]), lift.wide
        )  # 0 for later keys
        top, bottom = top * powers, bottom * powers
    return divide_or_zero(top, xp.sum(bottom, axis=-1, keepdims=True))


def quadratic_form(
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
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len value_dim"]:
    """Compute `linear_attention` by all Q x K weights, then their mixture.

    Takes the arguments of `linear_attention` but `chunk_size`.
    """
    check_flag("causal", causal)
    check_arguments(q, k, v, causal=causal, angles=angles, decay=decay, mask=mask)
    q, k, v, feature_map = hide_keys(q, k, v, mask, feature_map)
    lift = Lift.of(q, k, v, feature_map, layout, rotate_denominator)
    weights = _weights(lift, q, k, causal, angles, decay)
    return cast(matmul(weights, cast(v, lift.wide)), lift.dtype)
