"""Sines, and sines and cosines, of every position and frequency."""

from typing import Any, Literal

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core import angles as _angles
from posenc.core.checks import (
    TURNING,
    check_choice,
    check_even,
    check_int,
    check_offset,
    check_positions,
    check_real,
)
from posenc.core.dtypes import (
    cast,
    computing_dtype,
    creation_namespace,
    is_exported,
    placed,
    result_dtype,
    wide_device,
)

Layout = Literal["interleaved", "half"]


Frequencies = Literal["paper", "tensor2tensor"]


def geometric_sine_encoding(
    positions: Real[Any, "*shape"], d_model: int, *, base: float = 10_000.0
) -> Float[Any, "*shape {d_model}"]:
    r"""Return one slow sine per feature: :math:`\sin(m\,b^{-j/D})`, j from 0.

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
        As in `sinusoidal_encoding`, but that `d_model` must be at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> geometric_sine_encoding(np.asarray([0.0, 1.0, 2.0]), 2).round(2)
    array([[0.  , 0.  ],
           [0.84, 0.01],
           [0.91, 0.02]])
    """
    d_model = check_int("d_model", d_model, minimum=1)
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
    r"""Return sine and cosine of each frequency, as added to the Transformer's input.

    .. math:: \mathrm{PE}_{m, 2i} &= \sin(m\,\theta_i), \\
        \mathrm{PE}_{m, 2i+1} &= \cos(m\,\theta_i), \qquad \theta_i = b^{-2i/D} .

    `sinusoidal_table` gives the same for the positions 0, 1, 2, …, and is faster for a
    few hundred of them or more.

    Parameters
    ----------
    positions : array of any shape (...)
        Positions m, in tokens; whole or not, of either sign, between -2^32 and 2^32
        (in float32 2^24, since it does not hold all greater integers).
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
        give the library's default dtype. Right to 1e-6 in float32 at every position:
        angles are formed in float64, or by integers where the device has none (MPS).
        Gradients flow back to `positions`.

    Raises
    ------
    TypeError, ValueError
        If `positions` does not hold real numbers in their range (which is read in
        eager mode only), or those of half precision, which cannot count tokens (in
        bfloat16 258 follows 256); if `d_model` is not even and positive, `base` is not
        above 0, or an option is unknown.

    Notes
    -----
    ``layout="half", frequencies="tensor2tensor"`` is the encoding of tensor2tensor.

    Examples
    --------
    >>> import numpy as np
    >>> sinusoidal_encoding(np.asarray([0.0, 1.0]), 4).round(2)
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.84, 0.54, 0.01, 1.  ]])
    >>> sinusoidal_encoding(np.asarray([0.0, 1.0]), 4, layout="half").round(2)
    array([[0.  , 0.  , 1.  , 1.  ],
           [0.84, 0.01, 0.54, 1.  ]])
    """
    _check_positions(positions)
    d_model = _check_options(d_model, layout, frequencies)
    xp, device = array_namespace(positions), device_of(positions)
    theta = _theta(d_model, base, frequencies, xp, device)
    phase = _angles.angles(positions, theta)  # (..., D/2)
    sin, cos = xp.sin(phase), xp.cos(phase)
    if layout == "half":
        features = xp.concat([sin, cos], axis=-1)  # [s0 s1 … c0 c1 …]
    else:
        pairs = xp.stack([sin, cos], axis=-1)  # (..., D/2, 2)
        features = xp.reshape(pairs, (*positions.shape, d_model))  # [s0 c0 s1 c1 …]
    return xp.astype(features, result_dtype(positions))


def _sine(positions: Any, theta: Any) -> Any:
    """Return the sine of every position and frequency, in the encoding's dtype."""
    xp = array_namespace(positions)
    phase = _angles.angles(positions, theta)
    return xp.astype(xp.sin(phase), result_dtype(positions))


def _theta(d_model: int, base: float, frequencies: str, xp: Any, device: Any) -> Any:
    """Return radians per position of each pair: float64, shape (d_model // 2,)."""
    rule = {
        "paper": _angles.frequencies,
        "tensor2tensor": _angles.tensor2tensor_frequencies,
    }[frequencies]
    return rule(d_model, base=base, xp=xp, device=device)


def _check_positions(positions: Any) -> None:
    check_real("positions", positions)
    check_positions("positions", positions, far=TURNING)


def _check_options(d_model: int, layout: str, frequencies: str) -> int:
    check_choice("layout", layout, ("interleaved", "half"))
    check_choice("frequencies", frequencies, ("paper", "tensor2tensor"))
    return check_even("d_model", d_model, remedy="sines and cosines come in pairs")


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
    r"""Return `sinusoidal_encoding` at consecutive positions, by adding angles.

    Position :math:`m = 64a + b` needs no sine of its own. As complex numbers,
    :math:`e^{\mathrm{i}m\theta} = e^{\mathrm{i}64a\theta}\,e^{\mathrm{i}b\theta}`.
    So L/64 + 64 rows of sines and cosines and one product give the table. At 4,096
    positions that is 32 times fewer of them.

    Parameters
    ----------
    seq_len : int
        Number of positions L; 0 gives an empty table.
    d_model, base, layout, frequencies
        As in `sinusoidal_encoding`.
    offset : int, default 0
        Position of the first row, in tokens; below 2^32.
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
    seq_len = check_int("seq_len", seq_len)
    offset = check_offset("offset", offset, far=TURNING)
    d_model = _check_options(d_model, layout, frequencies)
    xp, dtype = creation_namespace(xp, dtype, device)
    if is_exported(xp.empty(0)):  # one rule for all lengths, no complex numbers
        whole = xp.float64 if dtype == xp.float64 else xp.int64
        m = xp.arange(offset, offset + seq_len, dtype=whole, device=device)
        plain = sinusoidal_encoding(
            m, d_model, base=base, layout=layout, frequencies=frequencies
        )
        return xp.astype(plain, dtype, copy=False)
    home = wide_device(xp, device)
    theta = _theta(d_model, base, frequencies, xp, home)
    # m = offset + 64a + b. With C = i exp(-i(offset + 64a)theta), F = exp(-ib theta),
    # C F = i exp(-i m theta) = sin(m theta) + i cos(m theta): in memory, sine, cosine.
    rows = -(-seq_len // _SPLIT)  # of the coarse table: the last may be cut off
    a = xp.arange(rows, dtype=xp.float64, device=home)
    b = xp.arange(_SPLIT, dtype=xp.float64, device=home)
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
    return placed(xp.astype(table, dtype, copy=False), home, device)


#: Rows of the fine table of `sinusoidal_table`: the square root of 4,096.
_SPLIT = 64


def normalized_position(
    positions: Real[Any, "*shape"], seq_len: int
) -> Float[Any, "*shape"]:
    """Return positions as fractions of the sequence, in steps that depend on L.

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
        As in `sinusoidal_encoding` for `positions`, or if `seq_len` is too small.

    Examples
    --------
    >>> import numpy as np
    >>> normalized_position(np.arange(4), 4)
    array([0.  , 0.25, 0.5 , 0.75])
    """
    check_real("positions", positions)
    check_positions("positions", positions)
    least = 1 if 0 not in positions.shape else 0
    seq_len = check_int("seq_len", seq_len, minimum=least, below=2**53)
    dtype = result_dtype(positions)
    wide = computing_dtype(array_namespace(positions), dtype)
    return cast(cast(positions, wide) / max(seq_len, 1), dtype)
