"""What the padding tells: the leak at the borders, and how far it gets."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from posenc.kit.figures.themes import color

from .padded_convolution import PADDINGS, Padding, convolve, random_taps, window


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


def border_distance(seq_len: int, kernel: int) -> Float[np.ndarray, " seq_len"]:
    """Frames between each frame and the inner part: negative left, positive right."""
    first, last = window(kernel)
    t = np.arange(float(seq_len))
    return np.minimum(t + first, 0) + np.maximum(t - (seq_len - 1 - last), 0)


def informed(seq_len: int, kernel: int, layers: int) -> Any:
    """Which frames the padding has reached after each layer: (layers + 1, seq_len)."""
    first, last = window(kernel)
    t = np.arange(seq_len)
    count = np.arange(layers + 1)[:, None]
    return (t < -first * count) | (t >= seq_len - last * count)


def leaks(seq_len: int = 320, kernel: int = 128, ax: Axes | None = None) -> Axes:
    """Distance of each output from the inner ones, for equal frames and three paddings.

    Parameters
    ----------
    seq_len, kernel : int
        Frames of the sequence and of the window.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.8, 3.2))[1] if ax is None else ax
    taps = random_taps(64, 16, kernel)
    first, last = window(kernel)
    for side in ((-0.5, -first - 0.5), (seq_len - last - 0.5, seq_len - 0.5)):
        ax.axvspan(*side, fc=color("raised"), zorder=0)
    looks = {
        "zeros": ("key", "-", 2.0),
        "circular": ("value", "--", 2.0),
        "valid": ("position", "-", 4.5),
    }
    for padding, words in PADDINGS.items():
        role, line, width = looks[padding]
        values = leak(
            seq_len,
            taps,
            groups=16,
            padding=padding,  # type: ignore[arg-type]
        )
        order = 3 if padding == "circular" else 2
        style: dict[str, Any] = {"color": color(role), "ls": line, "zorder": order}
        ax.plot(values, lw=width, label=words, **style)
    ax.set(xlabel="frame", ylabel="distance from inner outputs", xlim=(-2, seq_len + 1))
    ax.legend(title="padding", loc="upper center", fontsize=10)
    return ax


def reach(
    seq_len: int = 100, kernel: int = 19, layers: int = 6, ax: Axes | None = None
) -> Axes:
    """How far the padding has come in after each layer of a stack.

    Parameters
    ----------
    seq_len, kernel, layers : int
        Frames of the sequence and of each window, and layers on one another.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.8, 3.0))[1] if ax is None else ax
    reached = informed(seq_len, kernel, layers)
    colors = [mpl.colors.to_rgba(color(role)) for role in ("raised", "key")]
    shades = np.asarray(colors)[reached.astype(int)]
    edges = np.arange(seq_len + 1) - 0.5, np.arange(layers + 2) - 0.5
    ax.pcolormesh(*edges, shades, rasterized=True)
    for layer in range(1, layers + 1):
        ax.axhline(layer - 0.5, color=color("surface"), lw=2)
        inner = int((~reached[layer]).sum())
        words, where, ink = "all frames reached", (seq_len - 1) / 2, color("surface")
        if inner:
            wide = inner > seq_len / 3  # or the number alone fits
            words = f"{inner} frames alike" if wide else str(inner)
            where = float(np.flatnonzero(~reached[layer]).mean())
            ink = color("text")
        at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 10}
        ax.text(where, layer, words, color=ink, **at)
    ax.text((seq_len - 1) / 2, 0, "all frames alike", ha="center", va="center")
    ax.set(xlabel="frame", ylabel="layers", ylim=(layers + 0.5, -0.5))
    ax.set_yticks(range(layers + 1))
    ax.spines[:].set_visible(False)
    return ax
