"""Matrix that shifts an encoding by some positions."""

from typing import Any

import numpy as np
from array_api_compat import is_array_api_obj
from jaxtyping import Float

from posenc.core import angles as _angles
from posenc.core.arrays import block_diagonal
from posenc.core.checks import (
    TURNING,
    check_counts_tokens,
    check_even,
    check_number,
    check_positions,
)
from posenc.core.dtypes import creation_namespace, placed, wide_device

_PAIRS = "sines and cosines come in pairs"


def shift_operator(
    offset: int | float,
    d_model: int,
    *,
    base: float = 10_000.0,
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{d_model} {d_model}"]:
    r"""Return the matrix :math:`T_k` that turns the encoding of t into that of t + k.

    Block i on the diagonal acts on the pair (sine, cosine) of frequency i:

    .. math:: & \begin{pmatrix} \sin\theta_i(t+k) \\ \cos\theta_i(t+k) \end{pmatrix}
        \\ & \quad = \begin{pmatrix} \cos\theta_i k & \sin\theta_i k \\
        -\sin\theta_i k & \cos\theta_i k \end{pmatrix}
        \begin{pmatrix} \sin\theta_i t \\ \cos\theta_i t \end{pmatrix} .

    Parameters
    ----------
    offset : int or float
        The k, in tokens; whole or not, of either sign, between -2^32 and 2^32.
    d_model : int
        Features D of the encoding, in its interleaved layout. Even.
    base : float, default 10_000
        As in `posenc.sinusoidal.sinusoidal_encoding`.
    xp, dtype, device
        Array library of the result (default NumPy), its floating-point dtype (default
        that of the library) and its device.

    Returns
    -------
    array of shape (d_model, d_model)
        Orthogonal, with :math:`T_k T_l = T_{k+l}` and :math:`T_0` the identity. Its
        row r makes the new feature r. So a table with one position per row is shifted
        by ``table @ T.T``.

    Raises
    ------
    TypeError, ValueError
        If `offset` is not a number in its range or has half precision, `d_model` is not
        even and positive, `base` is not above 0, or `dtype` is not a floating-point
        one.

    Notes
    -----
    Rotary embeddings turn (x, y) counter-clockwise, by the transpose of these blocks:
    there the pair is (cosine, sine).

    Examples
    --------
    >>> shift_operator(1, 4).round(2)
    array([[ 0.54,  0.84,  0.  ,  0.  ],
           [-0.84,  0.54,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  1.  ,  0.01],
           [ 0.  ,  0.  , -0.01,  1.  ]])
    """
    if is_array_api_obj(offset):
        check_counts_tokens("offset", offset)
    offset = check_number("offset", offset)
    d_model = check_even("d_model", d_model, remedy=_PAIRS)
    xp, dtype = creation_namespace(xp, dtype, device)
    home = wide_device(xp, device)
    theta = _angles.frequencies(d_model, base=base, xp=xp, device=home)
    k = xp.asarray(offset, dtype=xp.float64, device=home)
    check_positions("offset", k, far=TURNING)
    turn = _angles.angles(k, theta)  # (D/2,)
    cos, sin = xp.cos(turn), xp.sin(turn)
    rows = [xp.stack([cos, sin], axis=-1), xp.stack([-sin, cos], axis=-1)]
    blocks = xp.stack(rows, axis=-2)  # (D/2, 2, 2)
    return placed(block_diagonal(xp.astype(blocks, dtype)), home, device)
