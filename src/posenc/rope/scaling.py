"""Angles for longer contexts: interpolation, NTK, YaRN."""

from typing import Any, Literal

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core.angles import angles, frequencies, handed_over
from posenc.core.checks import check_choice, check_even, check_positive
from posenc.core.dtypes import wide_device

from .angles import angles_dtype
from .yarn import check_scale, stretched_base, yarn_frequencies

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
    float64 array of shape (head_dim // 2,), float32 where the device has no float64
        Radians per token. Wavelengths are ``2 * pi / frequencies``.

    Raises
    ------
    TypeError, ValueError
        If a parameter breaks its rule.

    Notes
    -----
    YaRN also sharpens the softmax: see `yarn_attention_factor`. Here its ramp is that
    of the paper, linear in the turns; `yarn_frequencies` also has that of the authors'
    code and of transformers, linear in the number of the pair.

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
    scale = check_scale(scale)
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    theta = frequencies(head_dim, base=base, xp=xp, device=device)
    if method == "interpolation":
        return handed_over(theta / scale, xp, device)
    if method == "ntk":
        head_dim = check_even(
            "head_dim", head_dim, minimum=4, remedy="one pair has no last one"
        )
        stretched = stretched_base(check_positive("base", base), scale, head_dim)
        theta = frequencies(head_dim, base=stretched, xp=xp, device=device)
        return handed_over(theta, xp, device)
    return yarn_frequencies(
        head_dim,
        scale=scale,
        trained_len=trained_len,  # type: ignore[arg-type] # is checked there
        base=base,
        alpha=alpha,
        beta=beta,
        xp=xp,
        device=device,
    )


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
        device=wide_device(xp, device_of(positions)),
    )
    return xp.astype(angles(positions, theta), dtype, copy=False)
