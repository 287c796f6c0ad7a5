"""Variants of RoPE's angles; public as ``posenc.rope.<name>``."""

import math
from typing import Any, Literal

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from ._angles import angles, float_dtype, frequencies
from ._checks import (
    check_choice,
    check_even,
    check_finite,
    check_int,
    check_number,
    check_positive,
    check_real,
)

Scaling = Literal["interpolation", "ntk", "yarn"]


def scaled_frequencies(
    head_dim: int,
    *,
    scale: float,
    method: Scaling,
    base: float = 10_000.0,
    trained_len: int | None = None,
    alpha: float = 1.0,
    beta: float = 32.0,
    xp: Any = np,
    device: Any = None,
) -> Float[Any, "{head_dim}//2"]:
    r"""Frequencies for contexts s times as long as those of training.

    ===============  ===============================================================
    method           frequency of pair i, from :math:`\theta_i = b^{-2i/D}`
    ===============  ===============================================================
    'interpolation'  :math:`\theta_i / s`: positions are squeezed into the trained
                     range
    'ntk'            :math:`b'^{-2i/D}` with :math:`b' = b\,s^{D/(D-2)}`: the first
                     pair is kept, the last is slowed down by s
    'yarn'           :math:`(1 - \gamma_i)\,\theta_i / s + \gamma_i\,\theta_i` with
                     :math:`\gamma_i` from 0 to 1 as the number of turns within the
                     trained length, :math:`r_i = L\,\theta_i / 2\pi`, goes from
                     `alpha` to `beta`
    ===============  ===============================================================

    Parameters
    ----------
    head_dim, base
        As in `rotary_angles`; with 'ntk', `head_dim` is at least 4.
    scale : float
        Factor s between the context wanted and the trained one; at least 1.
    method : {'interpolation', 'ntk', 'yarn'}
        See the table.
    trained_len : int, optional
        Context L of the training, in tokens. 'yarn' needs it; the others do not use it.
    alpha, beta : float, default 1 and 32
        Turns below which a pair is interpolated, and above which it is kept ('yarn').
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    float64 array of shape (head_dim // 2,)
        Radians per token. Wavelengths are ``2 * pi / frequencies``.

    Raises
    ------
    TypeError, ValueError
        If a parameter breaks its rule.

    Notes
    -----
    YaRN also sharpens the softmax: see `yarn_attention_factor`. Its paper lets gamma
    grow linearly in the turns r, as here; the authors' code, and libraries after it,
    lets it grow linearly in the pair's number i between the (rounded) pairs that make
    `beta` and `alpha` turns. The ends agree, the ramp between differs.

    References
    ----------
    Chen et al. (2023), Extending Context Window of Large Language Models via Positional
    Interpolation, https://arxiv.org/abs/2306.15595.
    Peng et al. (2023), YaRN: Efficient Context Window Extension of Large Language
    Models, https://arxiv.org/abs/2309.00071, which also writes down the "NTK-aware"
    method, first published in a forum post of 2023.

    Examples
    --------
    >>> scaled_frequencies(4, scale=8.0, method="interpolation", base=100.0)
    array([0.125 , 0.0125])
    >>> scaled_frequencies(4, scale=8.0, method="ntk", base=100.0)
    array([1.    , 0.0125])
    """
    check_choice("method", method, ("interpolation", "ntk", "yarn"))
    _check_scale(scale)
    check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    theta = frequencies(head_dim, base=base, xp=xp, device=device)
    if method == "interpolation":
        return theta / scale
    if method == "ntk":
        check_even("head_dim", head_dim, minimum=4, remedy="one pair has no last one")
        stretched = base * scale ** (head_dim / (head_dim - 2))
        return frequencies(head_dim, base=stretched, xp=xp, device=device)
    check_int(
        "trained_len", trained_len, minimum=1, remedy="'yarn' counts turns within it"
    )
    check_number("alpha", alpha, minimum=0.0)
    check_number("beta", beta)
    if alpha >= beta:
        msg = f"alpha must be below beta={beta}, got {alpha}"
        raise ValueError(msg)
    turns = trained_len * theta / (2 * math.pi)
    gamma = xp.clip((turns - alpha) / (beta - alpha), min=0.0, max=1.0)
    return (1 - gamma) * theta / scale + gamma * theta


def scaled_angles(
    positions: Real[Any, "..."],
    head_dim: int,
    *,
    scale: float,
    method: Scaling,
    base: float = 10_000.0,
    trained_len: int | None = None,
    alpha: float = 1.0,
    beta: float = 32.0,
) -> Float[Any, "... {head_dim}//2"]:
    """`rotary_angles` with the frequencies of `scaled_frequencies`.

    Parameters
    ----------
    positions : array of any shape
        As in `rotary_angles`.
    head_dim, scale, method, base, trained_len, alpha, beta
        As in `scaled_frequencies`.

    Returns
    -------
    array of shape (*positions.shape, head_dim // 2)
        Angles in radians for `apply_rotary`, with the dtype rule of `rotary_angles`.

    Raises
    ------
    TypeError, ValueError
        As in `rotary_angles` and `scaled_frequencies`.

    Examples
    --------
    With scale 2, position 6 gets the angles that position 3 had in training:

    >>> scaled_angles(np.asarray([6.0]), 4, scale=2.0, method="interpolation")
    array([[3.  , 0.03]])
    """
    dtype = angles_dtype("positions", positions)
    xp = array_namespace(positions)
    theta = scaled_frequencies(
        head_dim,
        scale=scale,
        method=method,
        base=base,
        trained_len=trained_len,
        alpha=alpha,
        beta=beta,
        xp=xp,
        device=device_of(positions),
    )
    return xp.astype(angles(positions, theta), dtype, copy=False)


def yarn_attention_factor(scale: float) -> float:
    r"""Factor of YaRN on queries and on keys, :math:`0.1 \ln s + 1`.

    YaRN divides the scores by a temperature t, with :math:`\sqrt{1/t} = 0.1 \ln s + 1`.
    Multiply queries *and* keys by this factor, or the scores by its square.

    Parameters
    ----------
    scale : float
        As in `scaled_frequencies`.

    Returns
    -------
    float
        1 at scale 1, and growing slowly.

    Raises
    ------
    ValueError
        If `scale` is below 1 or not finite.

    References
    ----------
    Peng et al. (2023), YaRN, https://arxiv.org/abs/2309.00071, the definition of YaRN;
    the numbers are fitted to LLaMA models.

    Examples
    --------
    >>> round(yarn_attention_factor(16.0), 3)
    1.277
    """
    _check_scale(scale)
    return 0.1 * math.log(scale) + 1


def xpos_scale(
    positions: Real[Any, "..."],
    head_dim: int,
    *,
    gamma: float = 0.4,
    scale_base: float = 512.0,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Factors of xPos, which make the score of far pairs fade.

    .. math:: \zeta_i^{\,n / B}, \qquad
        \zeta_i = \frac{2i/D + \gamma}{1 + \gamma}, \quad i = 0, \dots, D/2 - 1 .

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
    >>> xpos_scale(np.asarray([0.0, 512.0]), 4).round(4)
    array([[1.    , 1.    ],
           [0.2857, 0.6429]])
    """
    check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    check_positive("gamma", gamma)
    check_positive("scale_base", scale_base)
    xp = array_namespace(positions)
    dtype = angles_dtype("positions", positions)
    i = xp.arange(head_dim // 2, dtype=xp.float64, device=device_of(positions))
    zeta = (2 * i / head_dim + gamma) / (1 + gamma)  # (D/2,)
    exponent = xp.astype(positions, xp.float64)[..., None] / scale_base
    log_factors = exponent * xp.log(zeta)  # (..., D/2)
    in_range = xp.abs(log_factors) < math.log(xp.finfo(dtype).max)
    check_finite(
        "the factors of xPos and their inverses",
        xp.where(in_range, 0.0, math.inf),
        remedy="subtract one number from the positions of queries and keys alike; "
        "only their offsets matter",
    )
    return xp.astype(xp.exp(log_factors), dtype, copy=False)


def axial_angles(
    rows: Real[Any, "..."],
    columns: Real[Any, "..."],
    head_dim: int,
    *,
    base: float = 10_000.0,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Angles for two dimensions: rows turn half of the pairs, columns the rest.

    Each half is a RoPE of its own with D/2 features, so the frequencies of both are
    :math:`b^{-4i/D}`, :math:`i = 0, \dots, D/4 - 1`, rows first. The score then depends
    on the offset of the rows and that of the columns only.

    Parameters
    ----------
    rows, columns : arrays of one shape, often (seq_len,)
        Coordinates of each token, counted in patches. A grid of height h and width w,
        read row by row, has ``rows = n // w`` and ``columns = n % w``.
    head_dim : int
        Features per attention head, D. A multiple of 4.
    base : float, default 10_000
        As in `rotary_angles`. Images are short: vision models often use 100.

    Returns
    -------
    array of shape (*rows.shape, head_dim // 2)
        Angles in radians for `apply_rotary`, with the dtype rule of `rotary_angles`.

    Raises
    ------
    TypeError, ValueError
        As in `rotary_angles`; if `head_dim` is not a multiple of 4, or `rows` and
        `columns` have different shapes.

    References
    ----------
    Heo et al. (2024), Rotary Position Embedding for Vision Transformer,
    https://arxiv.org/abs/2403.13298, sec. 3 ("axial" frequencies; it uses base 100).

    Examples
    --------
    >>> n = np.arange(4.0)  # two rows of two
    >>> axial_angles(n // 2, n % 2, head_dim=4)
    array([[0., 0.],
           [0., 1.],
           [1., 0.],
           [1., 1.]])
    """
    check_even("head_dim", head_dim, minimum=4)
    if head_dim % 4:
        msg = (
            f"head_dim must be a multiple of 4, got {head_dim}: "
            "rows and columns take half of the pairs each"
        )
        raise ValueError(msg)
    if rows.shape != columns.shape:
        msg = (
            f"rows and columns must have one shape, got {tuple(rows.shape)} and "
            f"{tuple(columns.shape)}: a token has one of each"
        )
        raise ValueError(msg)
    dtype = angles_dtype("rows", rows)
    angles_dtype("columns", columns)
    xp = array_namespace(rows, columns)
    theta = frequencies(head_dim // 2, base=base, xp=xp, device=device_of(rows))
    both = xp.concat([angles(rows, theta), angles(columns, theta)], axis=-1)
    return xp.astype(both, dtype, copy=False)


def angles_dtype(name: str, positions: Any, dtype: Any = None) -> Any:
    """Dtype for the angles of `positions`, which are checked; `dtype` if it is given.

    Half precision is refused: such numbers cannot count tokens. If it is the default of
    torch, integer positions get float32 angles.
    """
    xp = array_namespace(positions)
    check_real(name, positions)
    wide = (xp.float32, xp.float64)
    if xp.isdtype(positions.dtype, "real floating") and positions.dtype not in wide:
        msg = (
            f"{name} must hold integers, float32 or float64, got {positions.dtype}: "
            "narrower numbers cannot count tokens (after 256 bfloat16 knows 258)"
        )
        raise TypeError(msg)
    check_finite(name, positions)
    own = float_dtype(positions)
    if dtype is None:
        return own if own in wide else xp.float32
    if not xp.isdtype(dtype, "real floating"):
        msg = f"dtype must be a floating-point dtype, got {dtype}"
        raise TypeError(msg)
    return dtype


def _check_scale(scale: float) -> None:
    check_number("scale", scale, minimum=1.0, remedy="context wanted / context trained")
