"""Binary digits of positions, sharp and smooth."""

import math
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Integer, Real

from posenc.core.checks import as_int64, check_int, check_integral, check_range
from posenc.core.dtypes import wide_device

from .encoding import _check_positions, _sine


def binary_encoding(
    positions: Integer[Any, "*shape"], num_bits: int
) -> Integer[Any, "*shape {num_bits}"]:
    """Return the binary digits of each position, the lowest first.

    Digit j = 0, 1, 2, … toggles every 2^j steps and so has the period 2^(j + 1): every
    vector is bounded and each position has its own, but there is nothing in between.

    Parameters
    ----------
    positions : integer array of any shape (...)
        Positions, in tokens: 0 … 2^num_bits - 1.
    num_bits : int
        Digits per position, 1 … 63. L positions need ``(L - 1).bit_length()`` of them.

    Returns
    -------
    array of shape (..., num_bits)
        Digits 0 and 1, with the dtype of `positions`. Numbers are written the other way
        round; reverse the last axis to print them.

    Raises
    ------
    TypeError, ValueError
        If `positions` does not hold integers, or (eager mode only) one of them is
        negative or needs more digits.

    Examples
    --------
    >>> import numpy as np
    >>> binary_encoding(np.asarray([0, 1, 2, 6]), 3)
    array([[0, 0, 0],
           [1, 0, 0],
           [0, 1, 0],
           [0, 1, 1]])
    """
    check_integral("positions", positions)
    num_bits = check_int("num_bits", num_bits, minimum=1)
    if num_bits > 63:
        msg = f"num_bits must be at most 63, got {num_bits}: int64 holds no more"
        raise ValueError(msg)
    xp = array_namespace(positions)
    number = as_int64("positions", positions)
    remedy = "raise num_bits, or count positions from 0"
    check_range("positions", number, 0, 2**num_bits - 1, remedy=remedy)
    digit = xp.arange(num_bits, dtype=xp.int64, device=device_of(positions))
    return xp.astype((number[..., None] >> digit) & 1, positions.dtype)


def continuous_binary_encoding(
    positions: Real[Any, "*shape"], d_model: int
) -> Float[Any, "*shape {d_model}"]:
    r"""Return smooth binary digits: :math:`\sin(2\pi m / 2^{j+1})`, j from 0.

    Feature j has the period of binary digit j, so all of them return to their start
    after 2^D steps: a closed curve. At whole positions the first is always zero.

    Parameters
    ----------
    positions : array of any shape (...)
        Positions m, in tokens.
    d_model : int
        Features D, odd or even.

    Returns
    -------
    array of shape (..., d_model)
        Dtype as in `sinusoidal_encoding`.

    Raises
    ------
    TypeError, ValueError
        As in `sinusoidal_encoding` for `positions`, or if `d_model` is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> continuous_binary_encoding(np.asarray([0.5, 1.0, 2.0]), 3).round(2)
    array([[1.  , 0.71, 0.38],
           [0.  , 1.  , 0.71],
           [0.  , 0.  , 1.  ]])
    """
    d_model = check_int("d_model", d_model, minimum=1)
    _check_positions(positions)
    xp, device = array_namespace(positions), device_of(positions)
    home = wide_device(xp, device)
    j = xp.arange(1, d_model + 1, dtype=xp.float64, device=home)
    return _sine(positions, 2 * math.pi / 2**j)
