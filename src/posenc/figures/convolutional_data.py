"""What the figures of the chapter on convolution and its widget share."""

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
    """Grouped convolution with one of three ways to treat the ends.

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


def leak(
    seq_len: int,
    weight: Float[np.ndarray, "channels channels_per_group kernel"],
    *,
    groups: int,
    padding: Padding = "zeros",
    crop: str = "last",
) -> Float[np.ndarray, " seq_len"]:
    """How far each output lies from the inner ones, for a sequence of ones.

    The inner output is that of a window which lies inside the sequence altogether.
    """
    x = np.ones((seq_len, weight.shape[0]))
    out = convolve(x, weight, groups=groups, padding=padding, crop=crop)
    inner = weight.sum(axis=(1, 2))
    return np.linalg.norm(out - inner, axis=1)


def random_taps(
    channels: int, groups: int, kernel: int
) -> Float[np.ndarray, "channels channels_per_group kernel"]:
    """Taps as a new wav2vec 2.0 has them, with variance 4 / (kernel · channels)."""
    rng = np.random.default_rng(0)
    std = (4 / (kernel * channels)) ** 0.5
    return rng.normal(size=(channels, channels // groups, kernel)) * std


def border_distance(seq_len: int, kernel: int) -> Float[np.ndarray, " seq_len"]:
    """Frames between each frame and the inner part: negative left, positive right."""
    first, last = window(kernel)
    t = np.arange(float(seq_len))
    return np.minimum(t + first, 0) + np.maximum(t - (seq_len - 1 - last), 0)


def read_out(
    outputs: Float[np.ndarray, "seq_len channels"],
    target: Float[np.ndarray, " seq_len"],
) -> Float[np.ndarray, " seq_len"]:
    """Best linear function of each output, with a constant, by least squares."""
    design = np.concatenate([outputs, np.ones((len(outputs), 1))], axis=1)
    solution = np.linalg.lstsq(design, target, rcond=1e-10)[0]
    prediction: Float[np.ndarray, " seq_len"] = design @ solution
    return prediction


def informed(seq_len: int, kernel: int, layers: int) -> Any:
    """Which frames the padding has reached after each layer: (layers + 1, seq_len)."""
    first, last = window(kernel)
    t = np.arange(seq_len)
    count = np.arange(layers + 1)[:, None]
    return (t < -first * count) | (t >= seq_len - last * count)


def scores_by_offset(
    kernel: int = 9, *, reach: int = 14
) -> dict[str, Float[np.ndarray, " offsets"]]:
    """Score of one marked token's query and another's key against key minus query.

    All other frames hold the same vector, and both stand far from the borders, so
    nothing but the position encoding can make a difference. Three encodings: a
    convolution added to the input, sinusoids added to the input, a bias like T5's.
    Offset 0, where the two would be one token, is NaN.
    """
    from posenc import sinusoidal, t5

    from .t5_data import example_bias

    rng = np.random.default_rng(2)
    channels, seq_len, middle = 8, 6 * reach, 3 * reach
    background, query, key = rng.normal(size=(3, channels))
    w_q, w_k = rng.normal(size=(2, channels, channels)) / channels**0.5
    taps = random_taps(channels, 2, kernel)
    waves = sinusoidal.sinusoidal_encoding(np.arange(seq_len), channels, base=100.0)
    bias = example_bias(32)
    found: dict[str, list[float]] = {"convolution": [], "sinusoids": [], "bias": []}
    for offset in range(-reach, reach + 1):
        x = np.tile(background, (seq_len, 1))
        x[middle], x[middle + offset] = query, key
        ways = {
            "convolution": x + convolve(x, taps, groups=2),
            "sinusoids": x + waves,
            "bias": x,
        }
        for name, z in ways.items():
            score = float(z[middle] @ w_q @ w_k.T @ z[middle + offset])
            if name == "bias":
                score += bias[int(t5.relative_position_bucket(np.asarray(offset)))]
            found[name].append(score if offset else np.nan)
    return {name: np.asarray(values) for name, values in found.items()}
