"""Moves of positions from numbers drawn once, for any maxima."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float


class UnitDraws(NamedTuple):
    """What chance decides for one sequence, as numbers between −1 and 1.

    Attributes
    ----------
    shift, scale : float
        Shift and logarithm of the scale, as shares of their maxima.
    jitter : float array of shape (seq_len,)
        Jitter of each token, as a share of its maximum.
    """

    shift: float
    scale: float
    jitter: Float[np.ndarray, " seq_len"]


def unit_draws(seed: int, seq_len: int) -> UnitDraws:
    """Draws of a seed, in the order of `posenc.cape.augmented_positions`.

    Longer sequences begin with the jitters of shorter ones.
    """
    rng = np.random.default_rng(seed)
    shift, scale = rng.uniform(-1, 1), rng.uniform(-1, 1)
    return UnitDraws(shift, scale, rng.uniform(-1, 1, size=seq_len))


def moved(
    positions: Float[np.ndarray, " seq_len"],
    draws: UnitDraws,
    *,
    max_global_shift: float = 0.0,
    max_local_shift: float = 0.0,
    max_scale: float = 1.0,
    center: bool = True,
) -> Float[np.ndarray, " seq_len"]:
    """Return what `posenc.cape.augmented_positions` makes of these draws."""
    p = positions - positions.mean() if center else positions
    p = p + max_global_shift * draws.shift + max_local_shift * draws.jitter
    return max_scale**draws.scale * p
