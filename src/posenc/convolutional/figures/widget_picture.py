"""The widget on convolution as a still picture: input, output, size of the answer."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from posenc.kit.figures.themes import color

from .borders import leak
from .padded_convolution import OUTPUT_COLORS, Padding, convolve, example_taps


def overview(
    *,
    kernel: int = 6,
    groups: int = 2,
    channels: int = 4,
    seq_len: int = 14,
    place: int = 5,
    channel: int = 1,
    impulse: bool = True,
    padding: Padding = "zeros",
    crop: str = "last",
) -> Figure:
    """Input, output and size of the answer: the widget as a still picture.

    Parameters
    ----------
    kernel, groups, channels, seq_len : int
        Sizes; the taps are `example_taps`.
    place, channel : int
        Where the impulse is.
    impulse : bool
        One impulse, or ones everywhere.
    padding, crop
        As in `convolve`.
    """
    taps = example_taps(channels, groups, kernel)
    x = np.zeros((seq_len, channels))
    x[(place, channel) if impulse else ...] = 1
    setting: dict[str, Any] = {"groups": groups, "padding": padding, "crop": crop}
    out = convolve(x, taps, **setting)
    figure, axes = plt.subplots(3, 1, figsize=(5.0, 4.8), sharex=True)
    edges = np.arange(seq_len + 1) - 0.5, np.arange(channels + 1) - 0.5
    for ax, values, words in zip(
        axes, (x, out), ("input channel", "output channel"), strict=False
    ):
        top = max(float(np.nanmax(np.abs(values), initial=0)), 1e-9)
        norm = mpl.colors.CenteredNorm(halfrange=top)
        shades = mpl.colormaps[OUTPUT_COLORS](norm(np.nan_to_num(values.T)))
        shades[np.isnan(values.T)] = mpl.colors.to_rgba(color("surface"))
        ax.pcolormesh(*edges, shades, edgecolors=color("surface"), linewidth=0.6)
        ax.set(ylabel=words, yticks=range(channels))
        ax.set_ylim(channels - 0.5, -0.5)
        ax.spines[:].set_visible(False)
    size = np.linalg.norm(out, axis=1)
    size = size if impulse else leak(seq_len, taps, **setting)
    axes[2].plot(size, "-o", color=color("position"), ms=4)
    axes[2].set_ylim(bottom=-0.05)
    what = "size of answer" if impulse else "off inner output"
    axes[2].set(xlabel="frame", ylabel=what)
    return figure
