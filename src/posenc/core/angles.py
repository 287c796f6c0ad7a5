r"""Frequencies and angles, shared by every encoding that turns with position.

Feature pair :math:`i` of :math:`d` features turns by
:math:`\theta_i = b^{-2i/d}` radians per position. Sinusoids, the shift operator and
rotary embeddings all start from the same two lines, so these live here once.
"""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from jaxtyping import Float, Real

from .checks import check_positive
from .dtypes import integer_namespace


def frequencies(
    d: int, *, base: float = 10_000.0, xp: Any = np, device: Any = None
) -> Float[Any, "{d}//2"]:
    r"""Geometric progression :math:`\theta_i = b^{-2i/d}`, :math:`i = 0, \dots, d/2-1`.

    Parameters
    ----------
    d : int
        Number of features, two per frequency. Callers check it under their own name.
    base : float, default 10_000
        The b of the progression; above 0.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    float64 array of shape (d // 2,)
        Radians per position, the fastest first.

    Raises
    ------
    ValueError
        If `base` is not a finite number above 0.

    Examples
    --------
    >>> frequencies(4)
    array([1.  , 0.01])
    """
    base = check_positive("base", base)
    xp = integer_namespace(xp, device)
    i = xp.arange(d // 2, dtype=xp.float64, device=device)
    return base ** (-2 * i / d)


def tensor2tensor_frequencies(
    d: int, *, base: float = 10_000.0, xp: Any = np, device: Any = None
) -> Float[Any, "{d}//2"]:
    r"""Geometric progression from 1 down to 1/base exactly: :math:`b^{-i/(d/2 - 1)}`.

    Parameters
    ----------
    d, base, xp, device
        As in `frequencies`.

    Returns
    -------
    float64 array of shape (d // 2,)
        Radians per position, the fastest first.

    Raises
    ------
    ValueError
        As in `frequencies`.

    References
    ----------
    ``get_timing_signal_1d`` of tensor2tensor, layers/common_attention.py; there too the
    denominator is at least 1, or a single pair would divide by zero.

    Examples
    --------
    >>> tensor2tensor_frequencies(6)
    array([1.e+00, 1.e-02, 1.e-04])
    """
    base = check_positive("base", base)
    xp = integer_namespace(xp, device)
    i = xp.arange(d // 2, dtype=xp.float64, device=device)
    return base ** (-i / max(d // 2 - 1, 1))


def angles(
    positions: Real[Any, "*shape"], theta: Float[Any, " pairs"]
) -> Float[Any, "*shape pairs"]:
    r"""Angle :math:`m\,\theta_i` of every position and frequency, modulo 2π.

    Parameters
    ----------
    positions : array of any shape (...)
        Positions m, in tokens: integers or floating-point numbers.
    theta : float64 array of shape (pairs,)
        Radians per position, from `frequencies`.

    Returns
    -------
    float64 array of shape (..., pairs)
        Radians in [0, 2 pi). Always float64, whatever the dtype of `positions`: cast
        it, or its sine and cosine, to the dtype you need. Gradients flow back to both
        arguments.

    Callers check the positions, under their own name: from ``core.checks.TURNING`` on,
    an angle is wrong by more than 1e-6.

    Examples
    --------
    >>> angles(np.asarray([0, 1, 7]), np.asarray([1.0, 0.5])).round(3)
    array([[0.   , 0.   ],
           [1.   , 0.5  ],
           [0.717, 3.5  ]])
    """
    xp = array_namespace(positions, theta)
    # Near m = 2**20 neighboring float32 numbers are 0.06 to 0.12 apart: multiply and
    # reduce in float64, and only then cast.
    return (xp.astype(positions, xp.float64)[..., None] * theta) % (2 * math.pi)
