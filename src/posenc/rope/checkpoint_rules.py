"""Frequency rules that configurations of checkpoints name, beside scaling and YaRN."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.angles import frequencies, handed_over
from posenc.core.checks import check_even, check_int, check_number, check_positive

from .scaling import check_scale, check_trained_len, ramp_in_turns, stretched_base


def llama3_frequencies(
    head_dim: int,
    *,
    scale: float,
    trained_len: int,
    base: float = 500_000.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    xp: Any = np,
    device: Any = None,
) -> Float[Any, "{head_dim}//2"]:
    r"""Return the frequencies of Llama 3.1 and later: ``rope_type: "llama3"``.

    The ramp is that of YaRN's paper with ends of its own. A pair with more than
    `high_freq_factor` turns within the trained length is kept, one with less than
    `low_freq_factor` is slowed down by `scale`, and between them the frequency is
    linear in the turns. The attention has no factor.

    Parameters
    ----------
    head_dim
        As in `rotary_angles`.
    base : float, default 500_000
        As in `rotary_angles`; the default is the base of Llama 3.
    scale : float
        ``factor`` of the configuration; at least 1.
    trained_len : int
        ``original_max_position_embeddings``, in tokens.
    low_freq_factor, high_freq_factor : float, default 1 and 4
        Turns at the ends of the ramp.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    float64 array of shape (head_dim // 2,), float32 where the device has no float64
        Radians per token.

    Raises
    ------
    TypeError, ValueError
        If a parameter breaks its rule, or `low_freq_factor` is not below
        `high_freq_factor`.

    References
    ----------
    ``apply_scaling`` in
    https://github.com/meta-llama/llama-models/blob/main/models/llama3/model.py.

    Examples
    --------
    >>> llama3_frequencies(4, scale=8.0, trained_len=100, base=100.0).round(4)
    array([1.    , 0.0298])
    """
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    scale = check_scale(scale)
    trained_len = check_trained_len(trained_len)
    low_freq_factor = check_number("low_freq_factor", low_freq_factor, minimum=0.0)
    high_freq_factor = check_number("high_freq_factor", high_freq_factor)
    if low_freq_factor >= high_freq_factor:
        msg = (
            f"low_freq_factor must be below high_freq_factor={high_freq_factor}, "
            f"got {low_freq_factor}"
        )
        raise ValueError(msg)
    theta = frequencies(head_dim, base=base, xp=xp, device=device)
    theta = ramp_in_turns(theta, scale, trained_len, low_freq_factor, high_freq_factor)
    return handed_over(theta, xp, device)


def dynamic_ntk_frequencies(
    head_dim: int,
    seq_len: int,
    *,
    scale: float,
    trained_len: int,
    base: float = 10_000.0,
    xp: Any = np,
    device: Any = None,
) -> Float[Any, "{head_dim}//2"]:
    r"""Return NTK-aware frequencies for the length at hand: ``rope_type: "dynamic"``.

    Up to the trained length L nothing changes. A longer sequence of n tokens gets the
    base :math:`b' = b\,(s\,n/L - (s - 1))^{D/(D-2)}`. So the frequencies change while a
    text grows, and cached keys, turned with earlier ones, no longer fit exactly.

    Parameters
    ----------
    head_dim, base
        As in `rotary_angles`; `head_dim` is at least 4.
    seq_len : int
        Tokens at hand, n, with those in the cache.
    scale : float
        ``factor`` of the configuration, s; at least 1. With 1 the base grows as if
        `scaled_frequencies` had the method 'ntk' and scale n / L.
    trained_len : int
        Context L of the training, in tokens.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    float64 array of shape (head_dim // 2,), float32 where the device has no float64
        Radians per token.

    Raises
    ------
    TypeError, ValueError
        If a parameter breaks its rule.

    References
    ----------
    Peng et al. (2023), YaRN, https://arxiv.org/abs/2309.00071, on dynamic scaling; the
    formula with s is that of ``_compute_dynamic_ntk_parameters`` in
    https://github.com/huggingface/transformers.

    Examples
    --------
    >>> dynamic_ntk_frequencies(4, 300, scale=1.0, trained_len=100, base=100.0)
    array([1.        , 0.03333333])
    """
    head_dim = check_even(
        "head_dim", head_dim, minimum=4, remedy="one pair has no last one"
    )
    seq_len = check_int("seq_len", seq_len)
    scale = check_scale(scale)
    trained_len = check_trained_len(trained_len)
    base = check_positive("base", base)
    longer = max(seq_len, trained_len) / trained_len
    stretch = scale * longer - (scale - 1)
    base = stretched_base(base, stretch, head_dim)
    return handed_over(
        frequencies(head_dim, base=base, xp=xp, device=device), xp, device
    )


def longrope_frequencies(
    head_dim: int,
    seq_len: int,
    *,
    short_factors: Sequence[float],
    long_factors: Sequence[float],
    trained_len: int,
    base: float = 10_000.0,
    xp: Any = np,
    device: Any = None,
) -> Float[Any, "{head_dim}//2"]:
    r"""Return the frequencies of LongRoPE, :math:`\theta_i / \lambda_i`.

    Sequences of up to `trained_len` tokens take the short factors, longer ones the long
    factors, for *all* their positions. Keys cached before the switch do not fit.

    Parameters
    ----------
    head_dim, base
        As in `rotary_angles`.
    seq_len : int
        Tokens at hand, with those in the cache.
    short_factors, long_factors : sequence of head_dim // 2 floats
        Factors :math:`\lambda_i` above 0: ``short_factor`` and ``long_factor`` of the
        configuration.
    trained_len : int
        ``original_max_position_embeddings``, in tokens.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    float64 array of shape (head_dim // 2,), float32 where the device has no float64
        Radians per token.

    Raises
    ------
    TypeError, ValueError
        If a parameter breaks its rule, or there is not one factor for each pair.

    References
    ----------
    Ding et al. (2024), LongRoPE, https://arxiv.org/abs/2402.13753; code:
    https://github.com/microsoft/LongRoPE. The switch at the trained length is that of
    Phi-3 and of ``_compute_longrope_parameters`` in transformers.

    Examples
    --------
    >>> factors = {"short_factors": [1.0, 1.0], "long_factors": [1.0, 8.0]}
    >>> longrope_frequencies(4, 101, **factors, trained_len=100, base=100.0)
    array([1.    , 0.0125])
    """
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    seq_len = check_int("seq_len", seq_len)
    trained_len = check_trained_len(trained_len)
    _check_factors("short_factors", short_factors, head_dim)
    _check_factors("long_factors", long_factors, head_dim)
    factors = long_factors if seq_len > trained_len else short_factors
    theta = frequencies(head_dim, base=base, xp=xp, device=device)
    numbers = [float(factor) for factor in factors]
    divisors = xp.asarray(numbers, dtype=xp.float64, device=device_of(theta))
    return handed_over(theta / divisors, xp, device)


def longrope_attention_factor(scale: float, trained_len: int) -> float:
    r"""Return LongRoPE's factor on queries and keys, :math:`\sqrt{1 + \ln s / \ln L}`.

    Parameters
    ----------
    scale : float
        Longest context / context of the training, s; at least 1.
    trained_len : int
        Context L of the training, in tokens; at least 2.

    Returns
    -------
    float
        1 at scale 1. It is used at every length, also before the switch.

    Raises
    ------
    TypeError, ValueError
        If a parameter breaks its rule.

    References
    ----------
    Ding et al. (2024), LongRoPE, https://arxiv.org/abs/2402.13753;
    ``_compute_longrope_parameters`` in https://github.com/huggingface/transformers.

    Examples
    --------
    >>> round(longrope_attention_factor(32.0, 4096), 3)
    1.19
    """
    scale = check_scale(scale)
    trained_len = check_int(
        "trained_len", trained_len, minimum=2, remedy="ln 1 would divide by 0"
    )
    return math.sqrt(1 + math.log(scale) / math.log(trained_len))


def proportional_frequencies(
    head_dim: int,
    *,
    fraction: float,
    scale: float = 1.0,
    base: float = 10_000.0,
    xp: Any = np,
    device: Any = None,
) -> Float[Any, "{head_dim}//2"]:
    r"""Return the frequencies of the whole head, 0 but for those of the fastest pairs.

    The first ``int(fraction * head_dim // 2)`` pairs have :math:`b^{-2i/D} / s`, with
    the D of the *whole* head; all others stand still: ``rope_type: "proportional"``.
    (Partial rotary embedding is another thing: its progression spans the features that
    it turns, and in layout 'half' it has other pairs. See `apply_partial_rotary`.)

    Parameters
    ----------
    head_dim, base
        As in `rotary_angles`.
    fraction : float
        Part of the pairs that turn, from 0 to 1: ``partial_rotary_factor``.
    scale : float, default 1
        Divides all frequencies; at least 1.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    float64 array of shape (head_dim // 2,), float32 where the device has no float64
        Radians per token; 0 for a pair that stands still.

    Raises
    ------
    TypeError, ValueError
        If a parameter breaks its rule.

    References
    ----------
    ``_compute_proportional_rope_parameters`` in
    https://github.com/huggingface/transformers, used by Gemma.

    Examples
    --------
    >>> proportional_frequencies(8, fraction=0.5)
    array([1. , 0.1, 0. , 0. ])
    """
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    scale = check_scale(scale)
    fraction = check_number("fraction", fraction, minimum=0.0)
    if fraction > 1:
        msg = f"fraction must be at most 1, got {fraction}: all pairs turn then"
        raise ValueError(msg)
    theta = frequencies(head_dim, base=base, xp=xp, device=device) / scale
    i = xp.arange(theta.shape[0], device=device_of(theta))
    return handed_over(
        xp.where(i < int(fraction * head_dim // 2), theta, 0.0), xp, device
    )


def _check_factors(name: str, factors: Any, head_dim: int) -> None:
    """Raise unless there is one finite factor above 0 for each pair."""
    try:
        numbers = [float(factor) for factor in factors]
    except (TypeError, ValueError, OverflowError):
        msg = f"{name} must be a sequence of numbers, got {factors!r}"
        raise TypeError(msg) from None
    if len(numbers) != head_dim // 2:
        msg = (
            f"{name} must hold one factor for each of the {head_dim // 2} pairs of "
            f"head_dim={head_dim}, got {len(numbers)}"
        )
        raise ValueError(msg)
    for number in numbers:
        if not 0 < number < math.inf:
            msg = f"{name} must hold finite numbers above 0, got {number}"
            raise ValueError(msg)
