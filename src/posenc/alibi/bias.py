"""Bias of every query and key: the slope times the distance."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Integer

from posenc.core.arrays import relative_positions, toeplitz
from posenc.core.checks import check_flag, check_heads, check_lengths
from posenc.core.dtypes import (
    creation_namespace,
    is_known,
    is_traced,
    wide_dtype,
)
from posenc.core.relative_positions import positions_apart

from .slopes import alibi_slopes


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
    r"""Bias :math:`-m_h (i - j)` of query i and key j, to be added to the scores.

    The distance here is query minus key, as in the paper. It is the same along each
    diagonal, so Q + K - 1 values per head are computed and then laid out.
    `alibi_bias_full` does the same the plain way.

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
        What keys *after* the query get. If False they get 0, as if at distance 0, and a
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
    """Bias at the distances `first`, `first` - 1, …: wide, of shape (H, count)."""
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
    """`alibi_bias` the plain way: a product for each of the H x Q x K entries."""
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
    """Bias of queries and keys at any positions: padded or packed batches, gaps.

    Parameters
    ----------
    num_heads, symmetric
        As in `alibi_bias`.
    q_positions, k_positions : integer arrays of shape (..., q_len) and (..., k_len)
        Position of every query and key. Tokens of packed documents must not see each
        other: that is a mask's work, such as `posenc.attention.document_mask_mod`.
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
    if most < 2**53 and not is_traced(bias) and is_known(bias < -most):
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
