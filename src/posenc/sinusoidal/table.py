"""Encodings of consecutive positions, by adding angles."""

from typing import Any

import numpy as np
from jaxtyping import Float

from posenc.core import angles as _angles
from posenc.core.checks import TURNING, check_int, check_offset
from posenc.core.dtypes import (
    creation_namespace,
    is_exported,
    placed,
    wide_device,
)

from .encoding import Frequencies, Layout, _check_options, _theta, sinusoidal_encoding


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
