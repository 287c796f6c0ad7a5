r"""Absolute positions as numbers, binary digits and sinusoids.

Companion of ``book/sinusoidal.md``, which walks from the position itself to the
encoding of the Transformer, each step mending what the one before it lacks: fractions,
binary digits, digits made smooth, slower frequencies, sine and cosine in pairs.

Axis names: ``positions`` may have any shape ``...``; ``d_model`` = D is appended.

References
----------
Vaswani et al. (2017), Attention Is All You Need, https://arxiv.org/abs/1706.03762,
sec. 3.5.
"""

import math
from typing import Any, Literal

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Integer, Real

from . import _angles
from ._arrays import creation_namespace
from ._checks import (
    check_choice,
    check_even,
    check_finite,
    check_int,
    check_integral,
    check_range,
    check_real,
)

Layout = Literal["interleaved", "half"]
Frequencies = Literal["paper", "tensor2tensor"]


def normalized_position(
    positions: Real[Any, "*shape"], seq_len: int
) -> Float[Any, "*shape"]:
    """Position as a fraction of the sequence: bounded, but its step depends on L.

    Parameters
    ----------
    positions : array of any shape
        Positions, in tokens.
    seq_len : int
        Length L of the sequence, in tokens; at least 1 unless there are no positions.

    Returns
    -------
    array of the same shape
        ``positions / seq_len``, in [0, 1) for 0 … L - 1. Dtype as in
        `sinusoidal_encoding`.

    Raises
    ------
    TypeError, ValueError
        If `positions` does not hold real, finite numbers or `seq_len` is too small.

    Examples
    --------
    >>> normalized_position(np.arange(4), 4)
    array([0.  , 0.25, 0.5 , 0.75])
    """
    _check_positions(positions)
    check_int("seq_len", seq_len, minimum=1 if 0 not in positions.shape else 0)
    dtype = _angles.float_dtype(positions)
    return array_namespace(positions).astype(positions, dtype) / max(seq_len, 1)


def binary_encoding(
    positions: Integer[Any, "*shape"], num_bits: int
) -> Integer[Any, "*shape {num_bits}"]:
    """Binary digits of each position, the lowest first.

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
        round: reverse the last axis to print them.

    Raises
    ------
    TypeError, ValueError
        If `positions` does not hold integers, or (eager mode only) one of them is
        negative or needs more digits.

    Examples
    --------
    >>> binary_encoding(np.asarray([0, 1, 2, 6]), 3)
    array([[0, 0, 0],
           [1, 0, 0],
           [0, 1, 0],
           [0, 1, 1]])
    """
    check_integral("positions", positions)
    check_int("num_bits", num_bits, minimum=1)
    if num_bits > 63:
        msg = f"num_bits must be at most 63, got {num_bits}: int64 holds no more"
        raise ValueError(msg)
    xp = array_namespace(positions)
    number = xp.astype(positions, xp.int64)
    remedy = "raise num_bits, or count positions from 0"
    check_range("positions", number, 0, 2**num_bits - 1, remedy=remedy)
    digit = xp.arange(num_bits, dtype=xp.int64, device=device_of(positions))
    return xp.astype((number[..., None] >> digit) & 1, positions.dtype)


def continuous_binary_encoding(
    positions: Real[Any, "*shape"], d_model: int
) -> Float[Any, "*shape {d_model}"]:
    r"""Binary digits made smooth: :math:`\sin(2\pi m / 2^j)`, :math:`j = 1, \dots, D`.

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
        If `positions` does not hold real, finite numbers or `d_model` is below 1.

    Examples
    --------
    >>> continuous_binary_encoding(np.asarray([0.5, 1.0, 2.0]), 3).round(2)
    array([[1.  , 0.71, 0.38],
           [0.  , 1.  , 0.71],
           [0.  , 0.  , 1.  ]])
    """
    check_int("d_model", d_model, minimum=1)
    _check_positions(positions)
    xp, device = array_namespace(positions), device_of(positions)
    j = xp.arange(1, d_model + 1, dtype=xp.float64, device=device)
    return _sine(positions, 2 * math.pi / 2**j)


def geometric_sine_encoding(
    positions: Real[Any, "*shape"], d_model: int, *, base: float = 10_000.0
) -> Float[Any, "*shape {d_model}"]:
    r"""One sine per feature, much slower: :math:`\sin(m\,b^{-j/D})`, j from 0.

    The last step before `sinusoidal_encoding`, whose sines are the features with even j
    of this one and whose cosines take the places of those with odd j.

    Parameters
    ----------
    positions : array of any shape (...)
        Positions m, in tokens.
    d_model : int
        Features D, odd or even.
    base : float, default 10_000
        The b of the progression; above 0.

    Returns
    -------
    array of shape (..., d_model)
        Dtype as in `sinusoidal_encoding`.

    Raises
    ------
    TypeError, ValueError
        If `positions` does not hold real, finite numbers, `d_model` is below 1 or
        `base` is not above 0.

    Examples
    --------
    >>> geometric_sine_encoding(np.asarray([0.0, 1.0, 2.0]), 2).round(2)
    array([[0.  , 0.  ],
           [0.84, 0.01],
           [0.91, 0.02]])
    """
    check_int("d_model", d_model, minimum=1)
    _check_positions(positions)
    xp, device = array_namespace(positions), device_of(positions)
    # b^(-j/D) for D features is b^(-2j/2D): the frequencies of 2D features in pairs.
    theta = _angles.frequencies(2 * d_model, base=base, xp=xp, device=device)
    return _sine(positions, theta)


def sinusoidal_encoding(
    positions: Real[Any, "*shape"],
    d_model: int,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
    frequencies: Frequencies = "paper",
) -> Float[Any, "*shape {d_model}"]:
    r"""Sine and cosine of each frequency, as added to the input of the Transformer.

    .. math:: \mathrm{PE}_{m, 2i} = \sin(m\,\theta_i), \qquad
        \mathrm{PE}_{m, 2i+1} = \cos(m\,\theta_i), \qquad \theta_i = b^{-2i/D} .

    `sinusoidal_table` gives the same for the positions 0, 1, 2, …, faster.

    Parameters
    ----------
    positions : array of any shape (...)
        Positions m, in tokens; whole or not, of either sign.
    d_model : int
        Features D. Even.
    base : float, default 10_000
        The b of the progression; above 0. It is no maximal length: the longest
        wavelength is ``2 * pi * base ** (1 - 2 / d_model)`` tokens.
    layout : {'interleaved', 'half'}, default 'interleaved'
        Order of the features: sine and cosine side by side as in the paper, or all
        sines and then all cosines. Weights trained with one are wrong for the other.
    frequencies : {'paper', 'tensor2tensor'}, default 'paper'
        The exponent of the base: -2i/D, or -i/(D/2 - 1) as in the authors' code, whose
        slowest frequency is 1/base exactly.

    Returns
    -------
    array of shape (..., d_model)
        With the namespace, device and floating-point dtype of `positions`; integers
        give the library's default dtype. Right to 1e-6 in float32 up to position 2^20:
        angles are formed in float64. Gradients flow back to `positions`.

    Raises
    ------
    TypeError, ValueError
        If `positions` does not hold real, finite numbers (finiteness in eager mode
        only), `d_model` is not even and positive, `base` is not above 0, or an option
        is unknown.

    Notes
    -----
    ``layout="half", frequencies="tensor2tensor"`` is the encoding of tensor2tensor.

    Examples
    --------
    >>> sinusoidal_encoding(np.asarray([0.0, 1.0]), 4).round(2)
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.84, 0.54, 0.01, 1.  ]])
    >>> sinusoidal_encoding(np.asarray([0.0, 1.0]), 4, layout="half").round(2)
    array([[0.  , 0.  , 1.  , 1.  ],
           [0.84, 0.01, 0.54, 1.  ]])
    """
    _check_positions(positions)
    _check_options(d_model, layout, frequencies)
    xp, device = array_namespace(positions), device_of(positions)
    theta = _theta(d_model, base, frequencies, xp, device)
    phase = _angles.angles(positions, theta)  # (..., D/2)
    sin, cos = xp.sin(phase), xp.cos(phase)
    if layout == "half":
        features = xp.concat([sin, cos], axis=-1)  # [s0 s1 … c0 c1 …]
    else:
        pairs = xp.stack([sin, cos], axis=-1)  # (..., D/2, 2)
        features = xp.reshape(pairs, (*positions.shape, d_model))  # [s0 c0 s1 c1 …]
    return xp.astype(features, _angles.float_dtype(positions))


def sinusoidal_table(
    seq_len: int,
    d_model: int,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
    frequencies: Frequencies = "paper",
    offset: int = 0,
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{seq_len} {d_model}"]:
    r"""`sinusoidal_encoding` at consecutive positions, by adding angles.

    Position :math:`m = 64a + b` needs no sine of its own: as complex numbers,
    :math:`e^{im\theta} = e^{i64a\theta}\,e^{ib\theta}`, so that L/64 + 64 rows of sines
    and cosines and one product give the table. At 4,096 positions that is 32 times
    fewer of them.

    Parameters
    ----------
    seq_len : int
        Number of positions L; 0 gives an empty table.
    d_model, base, layout, frequencies
        As in `sinusoidal_encoding`.
    offset : int, default 0
        Position of the first row, in tokens.
    xp, dtype, device
        Array library of the result (default NumPy), its floating-point dtype (default
        that of the library) and its device.

    Returns
    -------
    array of shape (seq_len, d_model)
        In float32 within 2e-7 of the exact values for positions up to 1e6.

    Raises
    ------
    TypeError, ValueError
        If a length or the offset is not an integer at or above 0, or as in
        `sinusoidal_encoding`.

    Examples
    --------
    >>> sinusoidal_table(2, 4).round(2)
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.84, 0.54, 0.01, 1.  ]])
    """
    check_int("seq_len", seq_len)
    check_int("offset", offset)
    _check_options(d_model, layout, frequencies)
    xp, dtype = creation_namespace(xp, dtype)
    theta = _theta(d_model, base, frequencies, xp, device)
    # m = offset + 64a + b. With C = i exp(-i(offset + 64a)theta), F = exp(-ib theta),
    # C F = i exp(-i m theta) = sin(m theta) + i cos(m theta): in memory, sine, cosine.
    rows = -(-seq_len // _SPLIT)  # of the coarse table: the last may be cut off
    a = xp.arange(rows, dtype=xp.float64, device=device)
    b = xp.arange(_SPLIT, dtype=xp.float64, device=device)
    coarse = _angles.angles(offset + _SPLIT * a, theta)  # (L/64, D/2)
    fine = _angles.angles(b, theta)  # (64, D/2)
    complex_dtype = xp.complex128 if dtype == xp.float64 else xp.complex64
    C = xp.astype(xp.sin(coarse) + 1j * xp.cos(coarse), complex_dtype)
    F = xp.astype(xp.cos(fine) - 1j * xp.sin(fine), complex_dtype)
    product = xp.reshape(C[:, None, :] * F, (rows * _SPLIT, d_model // 2))[:seq_len]
    if layout == "half":
        table = xp.concat([xp.real(product), xp.imag(product)], axis=-1)
    else:
        real = xp.float64 if dtype == xp.float64 else xp.float32
        table = product.view(real)  # [s0+ic0 s1+ic1 …] read as [s0 c0 s1 c1 …]
    return xp.astype(table, dtype, copy=False)


#: Rows of the fine table of `sinusoidal_table`: the square root of 4,096.
_SPLIT = 64


def _sine(positions: Any, theta: Any) -> Any:
    """Sine of every position and frequency, in the dtype of the encoding."""
    xp = array_namespace(positions)
    phase = _angles.angles(positions, theta)
    return xp.astype(xp.sin(phase), _angles.float_dtype(positions))


def _theta(d_model: int, base: float, frequencies: str, xp: Any, device: Any) -> Any:
    """Radians per position of each pair: float64, shape (d_model // 2,)."""
    paper = _angles.frequencies(d_model, base=base, xp=xp, device=device)
    if frequencies == "paper":
        return paper
    i = xp.arange(d_model // 2, dtype=xp.float64, device=device)
    # tensor2tensor, layers/common_attention.py, get_timing_signal_1d: the denominator
    # is at least 1, or a single pair would divide by zero.
    return base ** (-i / max(d_model // 2 - 1, 1))


def _check_positions(positions: Any) -> None:
    check_real("positions", positions)
    check_finite("positions", positions)


def _check_options(d_model: int, layout: str, frequencies: str) -> None:
    check_even("d_model", d_model, remedy="sines and cosines come in pairs")
    check_choice("layout", layout, ("interleaved", "half"))
    check_choice("frequencies", frequencies, ("paper", "tensor2tensor"))
