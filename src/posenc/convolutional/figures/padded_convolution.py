"""Grouped convolution with three ways to treat the ends, and made-up taps for it."""

from typing import Any, Literal

import numpy as np
from jaxtyping import Float

from posenc.convolutional import grouped_convolution

#: matplotlib's color table for outputs, symmetric about 0.
OUTPUT_COLORS = "coolwarm"


#: Largest sizes that the made-up taps allow.
MAX_CHANNELS, MAX_KERNEL = 8, 12


Padding = Literal["zeros", "circular", "valid"]


PADDINGS = {
    "zeros": "zeros, as published",
    "circular": "circular",
    "valid": "none (“valid”)",
}


def example_taps(
    channels: int = MAX_CHANNELS, groups: int = 1, kernel: int = MAX_KERNEL
) -> Float[np.ndarray, "channels channels_per_group kernel"]:
    """Taps that are made up; none of them is near 0, so that every answer shows."""
    rng = np.random.default_rng(4)
    size = (MAX_CHANNELS, MAX_CHANNELS, MAX_KERNEL)
    taps = rng.uniform(0.2, 1.0, size=size) * rng.choice([-1, 1], size=size)
    return np.round(taps, 2)[:channels, : channels // groups, :kernel]


def window(kernel: int, *, crop: str = "last") -> tuple[int, int]:
    """First and last frame that a frame sees, relative to itself.

    Of an even kernel there is one output too many; `crop` tells which is dropped.
    """
    before = kernel // 2
    if crop == "first" and kernel % 2 == 0:
        before -= 1
    return -before, kernel - 1 - before


def convolve(
    x: Float[np.ndarray, "seq_len channels"],
    weight: Float[np.ndarray, "channels channels_per_group kernel"],
    *,
    groups: int,
    padding: Padding = "zeros",
    crop: str = "last",
) -> Float[np.ndarray, "seq_len channels"]:
    """Convolve in groups, with one of three ways to treat the ends.

    Parameters
    ----------
    x, weight, groups
        As in `posenc.convolutional.grouped_convolution`, but one sequence alone.
    padding : str
        One of `PADDINGS`: zeros beyond the ends, the other end, or no output at all
        (NaN here) where the window does not fit.
    crop : {"last", "first"}
        Output that is dropped if the kernel is even.
    """
    seq_len, kernel = x.shape[0], weight.shape[-1]
    first, last = window(kernel, crop=crop)
    mode: Any = "wrap" if padding == "circular" else "constant"
    padded = np.pad(x, ((-first, last), (0, 0)), mode=mode)
    out = grouped_convolution(padded[None], weight, groups=groups)[0]
    out = out[kernel // 2 : kernel // 2 + seq_len]
    if padding == "valid":
        t = np.arange(seq_len)
        out[(t + first < 0) | (t + last >= seq_len)] = np.nan
    return out


def random_taps(
    channels: int, groups: int, kernel: int
) -> Float[np.ndarray, "channels channels_per_group kernel"]:
    """Taps as a new wav2vec 2.0 has them, with variance 4 / (kernel · channels)."""
    rng = np.random.default_rng(0)
    std = (4 / (kernel * channels)) ** 0.5
    return rng.normal(size=(channels, channels // groups, kernel)) * std
