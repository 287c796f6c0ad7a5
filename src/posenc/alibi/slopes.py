"""Slope of each head."""

from typing import Any

import numpy as np
from jaxtyping import Float

from posenc.core.checks import check_heads
from posenc.core.dtypes import creation_namespace


def alibi_slopes(
    num_heads: int, *, xp: Any = np, dtype: Any = None, device: Any = None
) -> Float[Any, " {num_heads}"]:
    r"""Slope of each head: :math:`m_h = 2^{-8h/H}`, :math:`h = 1, \dots, H`.

    For H not a power of two the published recipe takes the slopes of the next lower
    power p and appends every other slope of 2p heads, beginning with the first. They
    are *not* sorted, on purpose: a released checkpoint expects each slope at its head.

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
