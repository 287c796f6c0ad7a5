"""Slope of each head, bias of every query and key, and how far a head sees."""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Integer

from posenc.core.arrays import relative_positions, toeplitz
from posenc.core.checks import (
    check_flag,
    check_heads,
    check_int,
    check_lengths,
    check_number,
    check_positive,
)
from posenc.core.dtypes import any_true, creation_namespace, is_traced, wide_dtype
from posenc.core.relative_positions import ScoreMod, offset_fn, positions_apart


def alibi_slopes(
    num_heads: int, *, xp: Any = np, dtype: Any = None, device: Any = None
) -> Float[Any, " {num_heads}"]:
    r"""Return each head's slope, :math:`m_h = 2^{-8h/H}`, :math:`h = 1, \dots, H`.

    For H not a power of two the published recipe takes the slopes of the next lower
    power p and appends every other slope of 2p heads, beginning with the first. They
    are *not* sorted, since released checkpoints have each slope at its head.

    Parameters
    ----------
    num_heads : int
        Attention heads H; at least 1.
    xp, dtype, device
        Array library of the result (default NumPy), its floating-point dtype (default
        that of the library) and its device.

    Returns
    -------
    array of shape (num_heads,)
        Positive, per token of distance.

    Raises
    ------
    TypeError, ValueError
        If `num_heads` is not an integer of at least 1, or `dtype` is not a
        floating-point one.

    Examples
    --------
    >>> alibi_slopes(4)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625])
    >>> alibi_slopes(6)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625, 0.5       ,
           0.125     ])
    """
    num_heads = check_heads(num_heads)
    xp, dtype = creation_namespace(xp, dtype, device)
    return xp.asarray(_slopes(num_heads), dtype=dtype, device=device)


def _slopes(num_heads: int) -> list[float]:
    power = 1 << (num_heads.bit_length() - 1)  # the largest one not above num_heads
    slopes = [2.0 ** (-8 * h / power) for h in range(1, power + 1)]
    if power == num_heads:
        return slopes
    return slopes + _slopes(2 * power)[::2][: num_heads - power]


def alibi_bias(
    num_heads: int,
    q_len: int,
    k_len: int,
    *,
    q_offset: int = 0,
    symmetric: bool = False,
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{num_heads} {q_len} {k_len}"]:
    r"""Return the bias :math:`-m_h (i - j)` of query i and key j, to add to the scores.

    The distance here is query minus key, as in the paper. It is the same along each
    diagonal, so Q + K - 1 values per head are computed and then laid out.
    `alibi_bias_full` computes all entries.

    Parameters
    ----------
    num_heads : int
        Attention heads H; at least 1.
    q_len, k_len : int
        Numbers of queries and keys.
    q_offset : int, default 0
        Position of the first query; keys begin at 0. For decoding with a cache of past
        keys this is ``k_len - q_len``.
    symmetric : bool, default False
        Rule for keys *after* the query. If False they get 0, as if at distance 0, and a
        causal mask must hide them. If True they get :math:`-m_h |i - j|`: a variant
        for encoders that is not in the paper.
    xp, dtype, device
        Array library of the result (default NumPy), its floating-point dtype (default
        that of the library) and its device.

    Returns
    -------
    array of shape (num_heads, q_len, k_len)
        Zero or negative. In bfloat16 neighbors far away get the same bias: with slope
        1, those at distances 256 and 257.

    Raises
    ------
    TypeError, ValueError
        If `num_heads` is not an integer of at least 1, a length or the offset is not
        one at or above 0, or `dtype` is not a floating-point one; in eager mode also if
        a bias is too large for it, as beyond -65,504 in float16.

    Examples
    --------
    >>> alibi_bias(1, 2, 4, q_offset=2) * 256  # the only slope is 2**-8
    array([[[-2., -1.,  0.,  0.],
            [-3., -2., -1.,  0.]]])
    """
    lengths = _check_lengths(num_heads, q_len, k_len, q_offset)
    num_heads, q_len, k_len, q_offset = lengths
    check_flag("symmetric", symmetric)
    xp, dtype = creation_namespace(xp, dtype, device)
    first = q_offset + q_len - 1  # the last query looking at the first key
    count = max(q_len + k_len - 1, 0)
    values = diagonals(num_heads, first, count, symmetric, xp, device)
    return toeplitz(_narrowed(values, dtype, xp), q_len, k_len)


def diagonals(
    num_heads: int, first: int, count: int, symmetric: bool, xp: Any, device: Any
) -> Any:
    """Return the bias at the distances `first`, `first` - 1, …, wide, (H, count)."""
    wide = wide_dtype(xp, device)
    slopes = alibi_slopes(num_heads, xp=xp, dtype=wide, device=device)
    distance = first - xp.arange(count, dtype=wide, device=device)
    # + 0.0 turns -0.0 into 0.0
    return -slopes[:, None] * _penalized(distance, symmetric, xp) + 0.0


def alibi_bias_full(
    num_heads: int,
    q_len: int,
    k_len: int,
    *,
    q_offset: int = 0,
    symmetric: bool = False,
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{num_heads} {q_len} {k_len}"]:
    """Return `alibi_bias`, with a product for each of the H x Q x K entries."""
    lengths = _check_lengths(num_heads, q_len, k_len, q_offset)
    num_heads, q_len, k_len, q_offset = lengths
    check_flag("symmetric", symmetric)
    xp, dtype = creation_namespace(xp, dtype, device)
    wide = wide_dtype(xp, device)
    slopes = alibi_slopes(num_heads, xp=xp, dtype=wide, device=device)
    relative = relative_positions(
        q_len, k_len, q_offset=q_offset, xp=xp, device=device
    )  # key - query: the distance with its sign turned
    distance = _penalized(xp.astype(-relative, wide), symmetric, xp)
    return _narrowed(-slopes[:, None, None] * distance + 0.0, dtype, xp)


def alibi_bias_at(
    num_heads: int,
    q_positions: Integer[Any, "*#batch q_len"],
    k_positions: Integer[Any, "*#batch k_len"],
    *,
    symmetric: bool = False,
    dtype: Any = None,
) -> Float[Any, "*batch {num_heads} q_len k_len"]:
    """Return the bias at any positions, as in padded or packed batches.

    Parameters
    ----------
    num_heads, symmetric
        As in `alibi_bias`.
    q_positions, k_positions : integer arrays of shape (..., q_len) and (..., k_len)
        Position of every query and key. Keep tokens of packed documents apart by
        a mask, such as `posenc.attention.document_mask_mod`.
    dtype
        Floating-point dtype of the result (default that of the library).

    Returns
    -------
    array of shape (..., num_heads, q_len, k_len)
        Zero or negative, with the namespace and device of the positions.

    Raises
    ------
    TypeError, ValueError
        As in `alibi_bias`, or if positions are no integers below 2^53 or their leading
        axes do not broadcast.

    Examples
    --------
    Two documents of two tokens each, in one row:

    >>> places = np.asarray([0, 1, 0, 1])
    >>> alibi_bias_at(1, places[2:], places) * 256  # the only slope is 2**-8
    array([[[ 0.,  0.,  0.,  0.],
            [-1.,  0., -1.,  0.]]])
    """
    num_heads = check_heads(num_heads)
    check_flag("symmetric", symmetric)
    relative = positions_apart(q_positions, k_positions)
    device = device_of(relative)
    xp, dtype = creation_namespace(array_namespace(relative), dtype, device)
    wide = wide_dtype(xp, device)
    slopes = alibi_slopes(num_heads, xp=xp, dtype=wide, device=device)
    distance = _penalized(xp.astype(-relative, wide), symmetric, xp)
    bias = -slopes[:, None, None] * distance[..., None, :, :] + 0.0
    return _narrowed(bias, dtype, xp)


def _narrowed(bias: Any, dtype: Any, xp: Any) -> Any:
    """Cast the bias to a dtype; raise (in eager mode) if float16 cannot hold it."""
    most = float(xp.finfo(dtype).max)
    if most < 2**53 and not is_traced(bias) and any_true(bias < -most):
        msg = (
            f"dtype must hold the bias of the farthest key, got {dtype}, which ends at "
            f"{most:.0f}: give float32, which AlibiAttention computes in"
        )
        raise ValueError(msg)
    return xp.astype(bias, dtype)


def _penalized(distance: Any, symmetric: bool, xp: Any) -> Any:
    return xp.abs(distance) if symmetric else xp.where(distance > 0, distance, 0.0)


def _check_lengths(
    num_heads: int, q_len: int, k_len: int, q_offset: int
) -> tuple[int, int, int, int]:
    num_heads = check_heads(num_heads)
    return num_heads, *check_lengths(q_len, k_len, q_offset)


def score_mod(
    num_heads: int,
    *,
    symmetric: bool = False,
    q_offset: int = 0,
    q_positions: Any = None,
    k_positions: Any = None,
    device: Any = None,
) -> ScoreMod:
    """Return `alibi_bias` for FlexAttention, without a Q x K matrix.

    Parameters
    ----------
    num_heads, symmetric, q_offset
        As in `alibi_bias`.
    q_positions, k_positions : integer tensors (seq_len,) or (batch, seq_len), optional
        Position of every query and key, where they are not 0, 1, … in order.
    device : optional
        Device of the slopes; it must be that of the queries.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the bias added. Unless `symmetric`, hide the keys after the query by
        `posenc.attention.causal_mask_mod`.

    Raises
    ------
    TypeError, ValueError
        As in `alibi_bias` and `posenc.attention.causal_mask_mod`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    import torch  # FlexAttention exists for torch alone

    slopes = alibi_slopes(num_heads, xp=torch, dtype=torch.float32, device=device)
    check_flag("symmetric", symmetric)
    relative = offset_fn(q_offset, q_positions, k_positions)

    def add_bias(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        distance = -relative(batch, query, key)
        distance = distance.abs() if symmetric else distance.clamp(min=0)
        return score - slopes[head] * distance

    return add_bias


def alibi_reach(
    slope: float, share: float, *, k_len: int | None = None, score_bound: float = 0.0
) -> int:
    r"""Return the smallest distance D whose keys up to D hold `share` of the weight.

    The head is causal, and its scores, before the bias, are anything from -B to B. The
    result holds for *all* of them. The worst are -B for the keys up to D and +B for the
    others. With :math:`\lambda = e^{-m}` and n keys the condition is

    .. math:: \lambda^{D+1} \le
       \frac{1 - p + p\, e^{2B} \lambda^n}{1 - p + p\, e^{2B}} .

    Parameters
    ----------
    slope : float
        Slope m of the head, above 0, per token.
    share : float
        Part p of the weight, above 0 and below 1.
    k_len : int, optional
        Keys n that the query may attend to, its own among them; at least 1. Without it
        there is no end to them.
    score_bound : float, default 0.0
        Bound B on the size of the scores; 0 means that all scores are equal.

    Returns
    -------
    int
        A distance in tokens; 0 if the query's own token is enough.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number in its range.

    Examples
    --------
    >>> [alibi_reach(slope, 0.5) for slope in (1 / 2, 1 / 16, 1 / 256)]
    [1, 11, 177]
    >>> alibi_reach(1 / 2, 0.5, score_bound=2.0)
    8
    """
    slope = check_positive("slope", slope)
    score_bound = check_number("score_bound", score_bound, minimum=0.0)
    share = check_number("share", share)
    if not 2 * score_bound < math.inf:
        msg = f"score_bound must be finite when doubled, got {score_bound}"
        raise ValueError(msg)
    if not 0 < share < 1:
        msg = f"share must be above 0 and below 1, got {share}"
        raise ValueError(msg)
    if k_len is not None:
        k_len = check_int("k_len", k_len, minimum=1)
    count = math.inf if k_len is None else k_len
    rest, near = math.log(1 - share), math.log(share) + 2 * score_bound
    least = np.logaddexp(rest, near - slope * count)
    needed = np.logaddexp(rest, near) - least  # m (D + 1) must not be below this
    return int(min(max(math.ceil(needed / slope), 1), count)) - 1
