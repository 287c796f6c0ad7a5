"""Rotation as a matrix."""

from typing import Any

import numpy as np
from jaxtyping import Float

from posenc.core.checks import (
    TURNING,
    check_choice,
    check_even,
    check_number,
    check_positions,
)
from posenc.core.dtypes import creation_namespace, placed, wide_device

from .angles import rotary_angles
from .layouts import Layout, split_pairs


def rotation_matrix(
    position: int | float,
    head_dim: int,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{head_dim} {head_dim}"]:
    r"""Matrix :math:`R_m` that turns a column vector at position m: :math:`R_m\,x`.

    All but 2 of the D entries of each row are zero: this is for looking at and for
    proofs; `apply_rotary` does the same with 2 products per feature.

    Parameters
    ----------
    position : int or float
        Position m, in tokens.
    head_dim, base, layout
        As in `rotary_angles` and `apply_rotary`.
    xp, dtype, device
        Array library of the result (default NumPy), its dtype (default: that of the
        library) and its device.

    Returns
    -------
    array of shape (head_dim, head_dim)
        Orthogonal, with determinant 1. ``rotation_matrix(m, ...).T @
        rotation_matrix(n, ...)`` is the matrix of position n - m.

    Raises
    ------
    TypeError, ValueError
        As in `rotary_angles` and `apply_rotary`.

    Examples
    --------
    >>> rotation_matrix(1, 4, base=100.0).round(2)
    array([[ 0.54, -0.84,  0.  ,  0.  ],
           [ 0.84,  0.54,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  1.  , -0.1 ],
           [ 0.  ,  0.  ,  0.1 ,  1.  ]])
    """
    check_choice("layout", layout, ("interleaved", "half"))
    position = check_number("position", position)
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    xp, dtype = creation_namespace(xp, dtype, device)
    home = wide_device(xp, device)
    place = xp.asarray(position, dtype=xp.float64, device=home)
    check_positions("position", place, far=TURNING)
    angles = rotary_angles(place, head_dim, base=base)
    cos, sin = xp.astype(xp.cos(angles), dtype), xp.astype(xp.sin(angles), dtype)
    first, second = split_pairs(xp.arange(head_dim, device=home), layout)
    matrix = xp.zeros((head_dim, head_dim), dtype=dtype, device=home)
    matrix[first, first], matrix[first, second] = cos, -sin
    matrix[second, first], matrix[second, second] = sin, cos
    return placed(matrix, home, device)
