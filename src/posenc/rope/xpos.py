"""Factors of xPos, which make the score of far pairs fade."""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core.checks import check_even, check_finite, check_positive
from posenc.core.dtypes import wide_dtype

from .angles import angles_dtype


def xpos_scale(
    positions: Real[Any, "..."],
    head_dim: int,
    *,
    gamma: float = 0.4,
    scale_base: float = 512.0,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Factors of xPos, which make the score of far pairs fade.

    .. math:: & \zeta_i^{\,n / B}, \qquad
        \zeta_i = \frac{2i/D + \gamma}{1 + \gamma}, \\ & i = 0, \dots, D/2 - 1 .

    A query at position n is multiplied by :math:`\zeta^{n/B}`, a key at m by
    :math:`\zeta^{-m/B}`: ``pair_scale`` and ``1 / pair_scale`` in `apply_rotary`. The
    product :math:`\zeta^{(n-m)/B}` depends on the offset alone and shrinks with it if
    the query comes later (causal attention); for keys after the query it *grows*.

    Parameters
    ----------
    positions : array of any shape
        As in `rotary_angles`.
    head_dim : int
        Features per attention head, D. Even.
    gamma : float, default 0.4
        Slowest fading for large values; above 0.
    scale_base : float, default 512
        Distance B, in tokens, over which pair i fades by the factor :math:`\zeta_i`.

    Returns
    -------
    array of shape (*positions.shape, head_dim // 2)
        Between 0 and 1 at positions above 0, with the dtype rule of `rotary_angles`.

    Raises
    ------
    TypeError, ValueError
        As in `rotary_angles`; if `gamma` or `scale_base` is not positive; or (in eager
        mode) if a position is so far from 0 that the factor or its inverse leaves the
        range of its dtype: about 36,000 tokens in float32 with the default settings.

    References
    ----------
    Sun et al. (2022), A Length-Extrapolatable Transformer,
    https://arxiv.org/abs/2212.10554. The 512 is that of the authors' code, torchscale's
    ``XPOS``, which also counts positions from the middle of the sequence.

    Examples
    --------
    >>> import numpy as np
    >>> xpos_scale(np.asarray([0.0, 512.0]), 4).round(4)
    array([[1.    , 1.    ],
           [0.2857, 0.6429]])
    """
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    gamma = check_positive("gamma", gamma)
    scale_base = check_positive("scale_base", scale_base)
    dtype = angles_dtype("positions", positions)
    xp = array_namespace(positions)
    device = device_of(positions)
    wide = wide_dtype(xp, device)
    i = xp.arange(head_dim // 2, dtype=wide, device=device)
    zeta = (2 * i / head_dim + gamma) / (1 + gamma)  # (D/2,)
    with np.errstate(over="ignore"):  # refused below
        exponent = xp.astype(positions, wide)[..., None] / scale_base
    log_factors = exponent * xp.log(zeta)  # (..., D/2)
    in_range = xp.abs(log_factors) < math.log(xp.finfo(dtype).max)
    check_finite(
        "the factors of xPos (zeta ** (positions / scale_base)) and their inverses",
        xp.where(in_range, 0.0, math.inf),
        remedy="subtract one number from the positions of queries and keys alike; "
        "only their offsets matter",
    )
    return xp.astype(xp.exp(log_factors), dtype, copy=False)
