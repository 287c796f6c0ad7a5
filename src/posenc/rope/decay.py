"""Curves that fade with the distance: the score, RoFormer's bound, xPos."""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_array_api_obj
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core.checks import (
    check_even,
    check_finite,
    check_namespace,
    check_number,
    check_positive,
    check_shape,
)
from posenc.core.dtypes import upcast, wide_device, wide_dtype

from .angles import angles_dtype, rotary_angles
from .layouts import Layout, check_tokens, split_pairs, to_complex
from .turns import rotary_factors


def mean_partial_sum(
    distance: Real[Any, "..."] | int | float, head_dim: int, *, base: float = 10_000.0
) -> Float[Any, "..."]:
    r"""Return RoFormer's decay curve, the mean over j of :math:`|S_j|`.

    .. math:: S_j = \sum_{i=0}^{j-1} e^{\mathrm{i}\,(m-n)\,\theta_i},
        \qquad j = 1, \dots, D/2 .

    Parameters
    ----------
    distance : number or array of any shape
        Query position minus key position, :math:`m - n`, in tokens; the sign does not
        matter.
    head_dim, base
        As in `rotary_angles`.

    Returns
    -------
    array of the same shape
        (D/2 + 1)/2 at distance 0. A trend, neither falling at every step nor itself a
        bound of the score; for that see `decay_bound`.

    Raises
    ------
    TypeError, ValueError
        As in `rotary_angles`.

    Examples
    --------
    >>> mean_partial_sum(np.asarray([0, 10, 50, 100, 250]), 128).round(2)
    array([32.5 , 17.95, 12.63, 10.23,  6.55])
    """
    sums, dtype = _partial_sums(distance, head_dim, base)
    xp = array_namespace(sums)
    return xp.astype(xp.mean(sums, axis=-1), dtype)


def decay_bound(
    q: Float[Any, "... head_dim"],
    k: Float[Any, "... head_dim"],
    distance: Real[Any, "..."] | int | float,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
) -> Float[Any, "..."]:
    r"""Return a bound of the score's size at a distance, by summation by parts.

    With one complex number :math:`h_i = q_i k_i^*` per plane and :math:`h_{D/2} = 0`,

    .. math:: \Bigl|\sum_i h_i e^{\mathrm{i}(m-n)\theta_i}\Bigr|
        &= \Bigl|\sum_{j=1}^{D/2} S_j\,(h_{j-1} - h_j)\Bigr| \\
        &\le \max_i |h_{i+1} - h_i| \; \sum_{j=1}^{D/2} |S_j| .

    The score is the real part of the sum on the left.

    Parameters
    ----------
    q, k : arrays of shape (..., head_dim)
        A query and a key before rotation.
    distance : number or array
        Query position minus key position, in tokens. Its shape and the leading axes of
        `q` and `k` broadcast against each other: one query and one key with many
        distances give one bound for each.
    base, layout
        As in `rotary_angles` and `apply_rotary`.

    Returns
    -------
    array of the broadcast shape
        Bounds of the unscaled scores, with the dtype of `q` and `k`.

    Raises
    ------
    TypeError, ValueError
        As in `apply_rotary` and `rotary_angles`, or if `k` does not fit `q`.

    References
    ----------
    Su et al. (2021), RoFormer, sec. 3.4.3, eq. 35 to 37.
    """
    check_tokens("q", q, layout)
    check_tokens("k", k, layout)
    check_shape("k", k, (q.shape[-1],), "the key needs the head_dim of the query")
    xp = check_namespace(q=q, k=k)
    if not is_array_api_obj(distance):
        distance = check_number("distance", distance)
        home = wide_device(xp, device_of(q))  # a lone number may lie elsewhere than q
        distance = xp.asarray(distance, dtype=xp.float64, device=home)
    check_namespace(q=q, distance=distance)
    h = to_complex(*split_pairs(upcast(q), layout))
    x, y = split_pairs(upcast(k), layout)
    h = h * to_complex(x, -y)  # its conjugate
    # The step after the last plane leads to zero: h_{D/2} = 0.
    steps = xp.concat([h[..., 1:] - h[..., :-1], -h[..., -1:]], axis=-1)
    largest = xp.max(xp.abs(steps), axis=-1)
    sums, _ = _partial_sums(distance, q.shape[-1], base)
    bound = largest * xp.astype(xp.sum(sums, axis=-1), largest.dtype)
    return xp.astype(bound, xp.result_type(q, k), copy=False)


def _partial_sums(distance: Any, head_dim: int, base: float) -> tuple[Any, Any]:
    """Return the sizes |S_j|, an array (..., D/2), and the dtype for their mean."""
    if not is_array_api_obj(distance):
        distance = check_number("distance", distance)
        distance = np.asarray(distance)
    xp = array_namespace(distance)
    dtype = angles_dtype("distance", distance)
    wide = wide_dtype(xp, device_of(distance))
    angles = rotary_angles(distance, head_dim, base=base, dtype=wide)
    sums = xp.cumulative_sum(rotary_factors(angles), axis=-1)
    return xp.abs(sums), dtype


def xpos_scale(
    positions: Real[Any, "..."],
    head_dim: int,
    *,
    gamma: float = 0.4,
    scale_base: float = 512.0,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Return the factors of xPos, which make the score of far pairs fade.

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
