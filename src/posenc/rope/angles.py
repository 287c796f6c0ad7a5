"""Angle of every position and feature pair."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_array_api_obj, to_device
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core import angles as _angles
from posenc.core.checks import (
    TURNING,
    check_even,
    check_finite,
    check_positions,
    check_real,
)
from posenc.core.dtypes import (
    computing_dtype,
    creation_namespace,
    result_dtype,
    wide_device,
)


def rotary_angles(
    positions: Real[Any, "..."],
    head_dim: int,
    *,
    base: float = 10_000.0,
    frequencies: Float[Any, "{head_dim}//2"] | Sequence[float] | None = None,
    dtype: Any = None,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Angle :math:`m\,\theta_i` of every position and feature pair.

    Parameters
    ----------
    positions : array of any shape, often (seq_len,)
        Positions m, counted in tokens: integers, float32 or float64, between -2^32 and
        2^32 (float32: 2^24). They need not be whole (see `scaled_angles`) nor begin at
        0 (cached decoding), and may differ from one sequence to the next (left padding,
        packed sequences): see Notes.
    head_dim : int
        Features per attention head, D. Even.
    base : float, default 10_000
        The b of the geometric progression; the longest wavelength is
        ``2 * pi * base ** (1 - 2 / head_dim)`` tokens.
    frequencies : array or sequence of head_dim // 2 numbers, optional
        Radians per token of each pair, instead of the progression of `base`: those of a
        checkpoint, as from `llama3_frequencies` and the other rules. They may lie on
        the CPU, where they keep the digits that a device without float64 drops.
    dtype : optional
        Floating dtype of the result. If not given, that of `positions`; integer
        positions give the default of the library (float64 in NumPy, float32 in torch).

    Returns
    -------
    array of shape (*positions.shape, head_dim // 2)
        Angles in radians, reduced modulo 2 pi, on the device of `positions`. They are
        formed in float64 (by integers where the device has no float64, as Apple's MPS),
        so that a float32 result is right to 1e-6 at every position (times the fastest
        of `frequencies`, if that is above 1).

    Raises
    ------
    TypeError, ValueError
        If `head_dim` is not positive and even, `base` is not positive, `frequencies`
        are not one per pair, `dtype` is half precision, or `positions` holds NaN,
        infinity, numbers too narrow to count with, or one beyond its range: float64
        does not hold its angle (subtract one number from all positions).

    Notes
    -----
    If each sequence of a batch has positions of its own, the angles need an axis for
    the heads, since a query or key has shape (batch, num_heads, seq_len, head_dim):
    call ``rotary_angles(positions[:, None, :], head_dim)``.

    Examples
    --------
    >>> import numpy as np
    >>> rotary_angles(np.asarray([0.0, 1.0, 2.0]), head_dim=4)
    array([[0.  , 0.  ],
           [1.  , 0.01],
           [2.  , 0.02]])
    """
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    dtype = angles_dtype("positions", positions, dtype)
    xp = array_namespace(positions)
    device = device_of(positions)
    if frequencies is None:
        theta = _angles.frequencies(head_dim, base=base, xp=xp, device=device)
    else:
        theta = own_frequencies(frequencies, head_dim, xp=xp, device=device)
    return xp.astype(_angles.angles(positions, theta), dtype, copy=False)


def own_frequencies(frequencies: Any, head_dim: int, *, xp: Any, device: Any) -> Any:
    """float64 frequencies that the caller gives, one for each pair of `head_dim`.

    Where the device has no float64 they lie on the CPU, as in ``core.angles``.
    """
    if not is_array_api_obj(frequencies):
        frequencies = np.asarray(frequencies)
    check_real("frequencies", frequencies)
    if tuple(frequencies.shape) != (head_dim // 2,):
        msg = (
            f"frequencies must have shape ({head_dim // 2},), one for each pair of "
            f"features, got shape {tuple(frequencies.shape)}"
        )
        raise ValueError(msg)
    check_finite("frequencies", frequencies)
    if array_namespace(frequencies) is not xp:
        frequencies = xp.asarray(frequencies)
    home = wide_device(xp, device)
    if home is not device:  # such as MPS, which cannot widen them itself
        if frequencies.is_meta:  # no numbers: any will do
            frequencies = xp.zeros_like(frequencies, device=home)
        frequencies = to_device(frequencies, home)
    return to_device(xp.astype(frequencies, xp.float64, copy=False), home)


def angles_dtype(name: str, positions: Any, dtype: Any = None) -> Any:
    """Dtype for the angles of `positions`, which are checked; `dtype` if it is given.

    Half precision is refused: such numbers cannot count tokens. If it is the default of
    torch, integer positions get float32 angles.
    """
    check_real(name, positions)
    xp = array_namespace(positions)
    own = result_dtype(positions)
    check_positions(name, positions, far=TURNING)
    if dtype is None:
        return computing_dtype(xp, own)
    _, dtype = creation_namespace(xp, dtype)
    if dtype not in (xp.float32, xp.float64):
        msg = (
            f"dtype must be float32 or float64, got {dtype}: narrower angles are wrong "
            "by whole degrees; apply_rotary turns half precision by float32 angles"
        )
        raise TypeError(msg)
    return dtype
