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
from .dtypes import (
    cast,
    integer_namespace,
    is_exported,
    is_plain,
    is_traced,
    is_wrapped,
    lies_wide,
    namespace,
    placed,
    wide_device,
    wide_dtype,
)


def frequencies(
    d: int, *, base: float = 10_000.0, xp: Any = np, device: Any = None
) -> Float[Any, "{d}//2"]:
    r"""Return the geometric progression :math:`\theta_i = b^{-2i/d}`, i = 0 … d/2-1.

    Parameters
    ----------
    d : int
        Number of features, two per frequency. Callers check it under their own name.
    base : float, default 10_000
        The b of the progression; above 0.
    xp, device
        Array library of the result (default NumPy) and its device. Where that has no
        float64 the result lies on the CPU: `angles` takes it from there.

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
    i = xp.arange(d // 2, dtype=xp.float64, device=wide_device(xp, device))
    return _exact(base, i) ** (-2 * i / d)


def tensor2tensor_frequencies(
    d: int, *, base: float = 10_000.0, xp: Any = np, device: Any = None
) -> Float[Any, "{d}//2"]:
    r"""Return geometric steps from 1 to exactly 1/base: :math:`b^{-i/(d/2 - 1)}`.

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
    i = xp.arange(d // 2, dtype=xp.float64, device=wide_device(xp, device))
    return _exact(base, i) ** (-i / max(d // 2 - 1, 1))


def handed_over(theta: Any, xp: Any, device: Any) -> Any:
    """Return frequencies for the caller, on `device`: float32 if it has no float64."""
    if wide_dtype(xp, device) == xp.float64:
        return theta
    return placed(cast(theta, xp.float32), "cpu", device)


def angles(
    positions: Real[Any, "*shape"], theta: Float[Any, " pairs"]
) -> Float[Any, "*shape pairs"]:
    r"""Return the angle :math:`m\,\theta_i` of every position and frequency, modulo 2π.

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
        it, or its sine and cosine, to the dtype you need. (float32, and as right as
        that can be, on a device without float64.) Gradients flow back to both
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
    if not lies_wide(positions):
        return _angles_in_turns(positions, theta)
    # Near m = 2**20 neighboring float32 numbers are 0.06 to 0.12 apart: multiply and
    # reduce in float64, and only then cast.
    phase = xp.astype(positions, xp.float64)[..., None] * theta
    return phase % _exact(2 * math.pi, phase)


def _angles_in_turns(positions: Any, theta: Any) -> Any:
    """Compute `angles` on devices without float64, by integers that wrap around.

    A turn has 2**64 units. So the product of a whole position with the units of its
    frequency, in int64, drops the whole turns by itself, and is exact.
    """
    import torch  # loaded already, since the positions are a tensor

    step, small_step, narrow = _units(theta, positions)
    if positions.is_floating_point():
        m = positions.float()
        whole = m.trunc()
        small = ((m - whole) * 2.0**32).trunc()  # steps of 2**-32
        rest = m - whole - small * 2.0**-32  # less than one, and with the gradient
        units = whole.long()[..., None] * step + small.long()[..., None] * small_step
        turned = units.float() * (2 * math.pi * 2.0**-64) + rest[..., None] * narrow
    else:
        m = positions.float()
        units = positions.long()[..., None] * step
        turned = units.float() * (2 * math.pi * 2.0**-64)
    if theta.requires_grad or is_wrapped(theta):  # this adds 0, and the gradient
        slope = m.detach()[..., None] * narrow
        turned = turned + (slope - slope.detach())
    return torch.where(turned < 0, turned + 2 * math.pi, turned)


#: Results of `_units` on devices, kept because the CPU waits for each copy.
_KEPT: dict[Any, Any] = {}


def _units(theta: Any, positions: Any) -> tuple[Any, Any, Any]:
    """Return `_on_device` of the positions' device; kept for the next call."""
    import torch

    device = positions.device
    if is_traced(positions) or theta.requires_grad or not is_plain(theta):
        return _on_device(theta, device)
    key = (*theta.tolist(), device)
    made = _KEPT.get(key)
    if made is None:
        with torch.inference_mode(False), torch.no_grad():
            made = _on_device(theta, device)
        if all(map(is_plain, made)) and not is_wrapped(*made):
            if len(_KEPT) == 64:
                _KEPT.clear()
            _KEPT[key] = made
    return made


def _on_device(theta: Any, device: Any) -> tuple[Any, Any, Any]:
    """Return how far a step and 2**-32 of a step turn, in units, and float32 theta."""
    import torch

    turns = theta.detach().cpu().double() / (2 * math.pi)
    parts = [turns, turns * 2.0**-32]
    units = [((part - (part + 0.5).floor()) * 2.0**64).round() for part in parts]
    step, small_step = (part.long().to(device=device) for part in units)
    return step, small_step, theta.to(device=device, dtype=torch.float32)


def _exact(number: float, like: Any) -> Any:
    """Return a float64 factor of `like`; ONNX export rounds bare numbers to less."""
    if not is_exported(like):
        return number
    return namespace(like).asarray(number, dtype=like.dtype, device=like.device)
