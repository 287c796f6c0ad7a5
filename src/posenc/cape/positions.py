"""Positions after a random shift, jitter and scaling."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_torch_array
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from posenc.core.checks import (
    check_counts_tokens,
    check_finite,
    check_flag,
    check_floating,
    check_namespace,
    check_number,
    check_positions,
    check_shape,
)
from posenc.core.dtypes import wide_dtype

_FAR = 2.0**53  # no position lies beyond: see `check_positions`


def augmented_positions(
    positions: Float[Any, "*batch seq_len"],
    *,
    max_global_shift: int | float,
    max_local_shift: int | float,
    max_scale: int | float,
    rng: Any,
    mask: Bool[Any, "*#batch seq_len"] | None = None,
    center: bool = True,
) -> Float[Any, "*batch seq_len"]:
    r"""Return positions after a random shift, jitter and scaling.

    .. math:: p'_j = \lambda\,(p_j - \bar p + \Delta + \varepsilon_j)

    with one shift :math:`\Delta \sim U(-\Delta_{\max}, \Delta_{\max})` and one scale
    :math:`\log\lambda \sim U(-\log\lambda_{\max}, \log\lambda_{\max})` per sequence,
    one jitter :math:`\varepsilon_j \sim U(-\varepsilon_{\max}, \varepsilon_{\max})` per
    token, and :math:`\bar p` the mean position of the sequence. To evaluate, switch
    the randomness off. Both shifts 0 and `max_scale` 1 leave only the centering.

    Parameters
    ----------
    positions : array of shape (..., seq_len)
        Positions in any unit: tokens, or the seconds of a recording.
    max_global_shift : int or float
        :math:`\Delta_{\max}`, in the unit of `positions`; at least 0.
    max_local_shift : int or float
        :math:`\varepsilon_{\max}`, in the unit of `positions`; at least 0. Up to half
        the smallest step between neighbors, tokens keep their order.
    max_scale : int or float
        :math:`\lambda_{\max}`, at least 1.
    rng : numpy.random.Generator or torch.Generator
        Source of the randomness; the same state gives the same result. NumPy's serves
        tensors, too. For a tensor None stands for torch's own generator, whose state
        activation checkpointing restores when it runs a layer a second time.
    mask : bool array that broadcasts to `positions`, optional
        True = a token, False = padding. Padding does not count for the mean, and comes
        back as 0, whatever it held.
    center : bool, default True
        True to subtract the mean. It depends on the length of the sequence, so a causal
        decoder, which must not depend on it, needs False.

    Returns
    -------
    array of shape (..., seq_len)
        With the namespace, dtype and device of `positions`; gradients flow back to it.

    Raises
    ------
    TypeError, ValueError
        If `positions` does not hold floating-point numbers, or has half precision,
        which cannot count tokens; if (eager mode only) a token has a position that is
        not finite; if a maximum is no number, too small, or at least 2**53; if `rng` is
        no generator for `positions`, or `mask` is not boolean or does not fit.

    Notes
    -----
    First all shifts are drawn, then all scales, then all jitters, but none that is
    switched off. A single sequence thus has the same result with padding after it.

    Examples
    --------
    >>> off = dict(max_global_shift=0, max_local_shift=0, max_scale=1)
    >>> augmented_positions(np.arange(4.0), rng=np.random.default_rng(0), **off)
    array([-1.5, -0.5,  0.5,  1.5])
    >>> on = dict(max_global_shift=5, max_local_shift=0.5, max_scale=1.1)
    >>> augmented_positions(np.arange(4.0), rng=np.random.default_rng(0), **on).round(2)
    array([-0.56,  0.37,  2.09,  3.14])
    """
    max_global_shift, max_local_shift, max_scale = _check_maxima(
        max_global_shift, max_local_shift, max_scale
    )
    check_flag("center", center)
    check_floating("positions", positions, remedy="use positions * 1.0")
    check_shape("positions", positions, ("seq_len",))
    check_counts_tokens("positions", positions)
    uniform = _uniform(rng, positions)
    xp, device = array_namespace(positions), device_of(positions)
    wide = wide_dtype(xp, device)
    p = xp.astype(positions, wide)
    if mask is not None:
        _check_mask(mask, positions)
        p = xp.where(mask, p, 0.0)
    check_finite("positions", p, remedy="mark padding with a mask")
    check_positions("positions", p)
    if center:
        p = p - _mean(p, mask)
        if wide == xp.float32:  # the mean was rounded: center what it left
            p = p - _mean(p if mask is None else xp.where(mask, p, 0.0), mask)

    def draw(maximum: int | float, shape: tuple[int, ...]) -> Any:
        if maximum == 0:  # leaves the generator alone: evaluation has no side effect
            return xp.zeros(shape, dtype=wide, device=device)
        drawn = xp.asarray(uniform(shape), dtype=wide, device=device)
        return drawn * (2 * maximum) - maximum

    per_sequence = (*p.shape[:-1], 1)
    shift = draw(max_global_shift, per_sequence)
    scale = xp.exp(draw(math.log(max_scale), per_sequence))
    jitter = draw(max_local_shift, tuple(p.shape))
    p = scale * (p + shift + jitter)
    if mask is not None:
        p = xp.where(mask, p, 0.0)
    return xp.astype(p, positions.dtype)


def _mean(positions: Any, mask: Any) -> Any:
    """Return each sequence's mean, shape (..., 1); `positions` are 0 where masked."""
    xp = array_namespace(positions)
    total = xp.sum(positions, axis=-1, keepdims=True)
    if mask is None:
        return total / max(positions.shape[-1], 1)
    tokens = xp.astype(xp.broadcast_to(mask, positions.shape), positions.dtype)
    count = xp.sum(tokens, axis=-1, keepdims=True)
    return total / xp.where(count == 0, 1.0, count)


def _uniform(rng: Any, positions: Any) -> Callable[[tuple[int, ...]], Any]:
    """Return a function that draws numbers in [0, 1) from `rng`."""
    if isinstance(rng, np.random.Generator):
        return lambda shape: rng.random(shape)
    if is_torch_array(positions):
        import torch

        like: Any = {"device": positions.device}
        if isinstance(rng, torch.Generator):
            like = {"device": rng.device, "generator": rng}
        like["dtype"] = wide_dtype(torch, like["device"])
        if rng is None or isinstance(rng, torch.Generator):
            return lambda shape: torch.rand(shape, **like)
    kinds = "a numpy.random.Generator" + (
        ", a torch.Generator or None" if is_torch_array(positions) else ""
    )
    msg = f"rng must be {kinds}, got {rng!r}: make one with np.random.default_rng(seed)"
    raise TypeError(msg)


def _check_maxima(shift: Any, jitter: Any, scale: Any) -> tuple[Any, Any, Any]:
    remedy = "positions are scaled by 1/max … max"
    return (
        check_number("max_global_shift", shift, minimum=0, below=_FAR),
        check_number("max_local_shift", jitter, minimum=0, below=_FAR),
        check_number("max_scale", scale, minimum=1, below=_FAR, remedy=remedy),
    )


def _check_mask(mask: Any, positions: Any) -> None:
    xp = check_namespace(positions=positions, mask=mask)
    if not xp.isdtype(mask.dtype, "bool"):
        msg = f"mask must be boolean (True = a token), got {mask.dtype}"
        raise TypeError(msg)
    have, want = tuple(mask.shape), tuple(positions.shape)
    fits = len(have) <= len(want) and all(
        a in (1, b) for a, b in zip(have[::-1], want[::-1], strict=False)
    )
    if not fits:
        msg = f"mask must broadcast to the shape {want} of positions, got shape {have}"
        raise ValueError(msg)
