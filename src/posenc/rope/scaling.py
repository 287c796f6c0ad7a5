"""Angles for longer contexts: interpolation, NTK, YaRN."""

import math
from typing import Any, Literal

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core.angles import angles, frequencies, handed_over
from posenc.core.checks import (
    check_choice,
    check_even,
    check_flag,
    check_int,
    check_number,
    check_positive,
)
from posenc.core.dtypes import wide_device

from .angles import angles_dtype

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
    r"""Return frequencies for contexts s times as long as those of training.

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
        Factor s between the new context and the trained one; at least 1.
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
    """Return `rotary_angles` with the frequencies of `scaled_frequencies`.

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


Ramp = Literal["turns", "pairs"]


def yarn_frequencies(
    head_dim: int,
    *,
    scale: float,
    trained_len: int,
    base: float = 10_000.0,
    alpha: float = 1.0,
    beta: float = 32.0,
    ramp: Ramp = "turns",
    truncate: bool = True,
    xp: Any = np,
    device: Any = None,
) -> Float[Any, "{head_dim}//2"]:
    r"""Return YaRN's frequencies, with the ramp of the paper or with that of its code.

    .. math:: (1 - \gamma_i)\,\theta_i / s + \gamma_i\,\theta_i, \qquad
        \theta_i = b^{-2i/D} .

    Pairs are numbered from i = 0 on. Within the trained length, pair i makes
    :math:`r_i = L\,\theta_i / 2\pi` turns. With at least `beta` turns it is kept
    (:math:`\gamma_i = 1`), with at most `alpha` it is interpolated (0). Between them
    :math:`\gamma_i` is linear in the turns, or in i.

    Parameters
    ----------
    head_dim, base
        As in `rotary_angles`.
    scale : float
        Factor s between the new context and the trained one; at least 1.
    trained_len : int
        Context L of the training, in tokens.
    alpha, beta : float, default 1 and 32
        Turns below which a pair is interpolated, and above which it is kept;
        ``beta_slow`` and ``beta_fast`` in configurations.
    ramp : {'turns', 'pairs'}, default 'turns'
        'turns': linear in :math:`r_i`, as in the paper. 'pairs': linear in i, as in the
        authors' code, in transformers and so in most checkpoints.
    truncate : bool, default True
        For 'pairs': True to round the ends of the ramp outwards to whole pairs.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    float64 array of shape (head_dim // 2,), float32 where the device has no float64
        Radians per token.

    Raises
    ------
    TypeError, ValueError
        If a parameter breaks its rule; for 'pairs' also if `base` is not above 1 or
        `alpha` is 0, since no pair makes that number of turns.

    References
    ----------
    Peng et al. (2023), YaRN, https://arxiv.org/abs/2309.00071, sec. 3.2; the ramp in i:
    https://github.com/jquesnelle/yarn and ``_compute_yarn_parameters`` of
    https://github.com/huggingface/transformers.

    Examples
    --------
    >>> yarn_frequencies(4, scale=4.0, trained_len=200, base=100.0).round(3)
    array([0.996, 0.03 ])
    >>> yarn_frequencies(4, scale=4.0, trained_len=200, base=100.0, ramp="pairs")
    array([1.    , 0.0625])
    """
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    scale = check_scale(scale)
    trained_len = check_trained_len(trained_len)
    check_choice("ramp", ramp, ("turns", "pairs"))
    check_flag("truncate", truncate)
    alpha = check_number("alpha", alpha, minimum=0.0)
    beta = check_number("beta", beta)
    if alpha >= beta:
        msg = f"alpha must be below beta={beta:g}, got {alpha:g}"
        raise ValueError(msg)
    theta = frequencies(head_dim, base=base, xp=xp, device=device)
    if ramp == "turns":
        theta = ramp_in_turns(theta, scale, trained_len, alpha, beta)
        return handed_over(theta, xp, device)
    first, last = _ends_in_pairs(head_dim, base, trained_len, alpha, beta)
    if truncate:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, head_dim - 1)
    if first == last:
        last += 0.001  # as in the code: a step instead of a division by zero
    i = xp.arange(theta.shape[0], dtype=xp.float64, device=device_of(theta))
    return handed_over(_blend(theta, scale, (last - i) / (last - first)), xp, device)


def ramp_in_turns(
    theta: Any, scale: float, trained_len: int, alpha: float, beta: float
) -> Any:
    """Slow the frequencies `theta` down as far as they make few turns in training."""
    turns = trained_len * theta / (2 * math.pi)
    return _blend(theta, scale, (turns - alpha) / (beta - alpha))


def _blend(theta: Any, scale: float, ramp: Any) -> Any:
    """Return `theta` where `ramp` is at least 1, ``theta / scale`` where at most 0."""
    gamma = array_namespace(theta).clip(ramp, min=0.0, max=1.0)
    return (1 - gamma) * theta / scale + gamma * theta


def _ends_in_pairs(
    head_dim: int, base: float, trained_len: int, alpha: float, beta: float
) -> tuple[float, float]:
    """Return the pairs, not rounded, that make `beta` and `alpha` turns in training."""
    base = check_number("base", base)
    if base <= 1:
        msg = f"base must be above 1, got {base}: all pairs make the same turns"
        raise ValueError(msg)
    if alpha == 0:
        msg = "alpha must be above 0, got 0: no pair makes that number of turns"
        raise ValueError(msg)
    # L * b ** (-2 i / D) / (2 pi) = r, solved for i
    first, last = (
        head_dim * math.log(trained_len / (turns * 2 * math.pi)) / (2 * math.log(base))
        for turns in (beta, alpha)
    )
    return first, last


def yarn_attention_factor(
    scale: float, *, mscale: float = 1.0, mscale_all_dim: float = 0.0
) -> float:
    r"""Return YaRN's factor on queries and on keys, :math:`0.1 \ln s + 1`.

    YaRN divides the scores by a temperature t, with :math:`\sqrt{1/t} = 0.1 \ln s + 1`.
    Multiply queries *and* keys by this factor, or the scores by its square.

    Parameters
    ----------
    scale : float
        As in `scaled_frequencies`.
    mscale, mscale_all_dim : float, default 1 and 0
        Numbers a and c of DeepSeek's configurations: the factor is
        :math:`0.1\,a \ln s + 1` divided by :math:`0.1\,c \ln s + 1`. DeepSeek scales
        the scores by the square of this divisor besides. transformers uses the two
        numbers only if neither is 0.

    Returns
    -------
    float
        1 at scale 1, and growing slowly.

    Raises
    ------
    TypeError, ValueError
        If `scale` is below 1 or not finite, or one of the others below 0.

    References
    ----------
    Peng et al. (2023), YaRN, https://arxiv.org/abs/2309.00071, the definition of YaRN;
    the numbers are fitted to LLaMA models. The two numbers: ``yarn_get_mscale`` in
    https://huggingface.co/deepseek-ai/DeepSeek-V2/blob/main/modeling_deepseek.py.

    Examples
    --------
    >>> round(yarn_attention_factor(16.0), 3)
    1.277
    """
    scale = check_scale(scale)
    mscale = check_number("mscale", mscale, minimum=0.0)
    mscale_all_dim = check_number("mscale_all_dim", mscale_all_dim, minimum=0.0)
    grown, shared = (
        0.1 * weight * math.log(scale) + 1 for weight in (mscale, mscale_all_dim)
    )
    return grown / shared


def stretched_base(base: Any, stretch: Any, head_dim: int) -> Any:
    """Return the base that slows the last pair by `stretch`; raise unless finite."""
    try:
        stretched = base * stretch ** (head_dim / (head_dim - 2))
    except OverflowError:
        stretched = math.inf
    if not stretched < math.inf:
        msg = (
            f"base stretched by scale must be finite, got a stretch of {stretch:.3g} "
            f"for base {base:.3g}: scale is context wanted / context trained"
        )
        raise ValueError(msg)
    return stretched


def check_scale(scale: Any) -> Any:
    """Return `scale` as a float; raise unless it is a number of at least 1."""
    remedy = "context wanted / context trained"
    return check_number("scale", scale, minimum=1.0, remedy=remedy)


def check_trained_len(trained_len: Any) -> int:
    """Return `trained_len` as an integer; raise unless it is one of at least 1."""
    return check_int(
        "trained_len",
        trained_len,
        minimum=1,
        remedy="tokens of the context in training",
    )
