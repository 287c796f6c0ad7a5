"""The leak at the borders: the opening, layers, and the widget's picture."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from posenc.kit.figures.themes import choose, color

from .windows import (
    OUTPUT_COLORS,
    PADDINGS,
    Padding,
    convolve,
    example_taps,
    random_taps,
    window,
)

_LEN, _KERNEL = 12, 5


def opening(ax: Axes | None = None) -> Axes:
    """Draw two windows over a sequence, and how outputs differ from the inner ones.

    The window of an inner frame holds frames alone; that of a frame near the border
    holds zeros as well. The sequence is constant, the taps are made up.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.2, 3.9))[1]
    first, last = window(_KERNEL)
    ax.set(xlim=(first - 0.7, _LEN + last - 0.3), ylim=(-3.45, choose(4.1, 4.5)))
    ax.set_axis_off()
    small: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    for t in range(first, _LEN + last):
        inside = 0 <= t < _LEN
        style: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
        if not inside:
            style = {"fc": "none", "ec": color("key"), "ls": (0, (3, 2))}
        ax.add_patch(Rectangle((t - 0.44, 0), 0.88, 0.88, **style))
        ink = color("text" if inside else "key")
        ax.text(t, 0.42, "x" if inside else "0", color=ink, **small)
    for t, role in ((1, "key"), (7, "position")):
        _cone(ax, t, first, last, role)
    sizes = leak(_LEN, example_taps(4, 2, _KERNEL), groups=2)
    sizes = 1.5 * sizes / sizes.max()
    base = -2.5
    ax.plot([-0.6, _LEN - 0.4], [base, base], color=color("line"), lw=1)
    for t, size in enumerate(sizes):
        role = "key" if size > 1e-9 else "position"
        ax.plot([t, t], [base, base + size], color=color(role), lw=5)
        ax.plot(t, base + size, "o", color=color(role), ms=6)
        ax.text(t, base - 0.35, str(t), color=color("muted"), fontsize=9, ha="center")
    words: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    ax.text(
        7,
        choose(3.85, 4.05),
        choose("only frames: relative", "only frames:\nrelative"),
        color=color("position"),
        **words,
    )
    ax.text(1, 3.85, "frames and zeros", color=color("key"), **words)
    where = (_LEN - 1) / 2, -3.25
    ax.text(*where, "equal frames: difference from the inner outputs", **words)
    return ax


def _cone(ax: Axes, t: int, first: int, last: int, role: str) -> None:
    """Draw one output frame above the frames of its window."""
    corners = [(t + first - 0.44, 0.95), (t + last + 0.44, 0.95), (t + 0.44, 2.6)]
    corners.append((t - 0.44, 2.6))
    ax.add_patch(Polygon(corners, fc=color(role), ec="none", alpha=0.22))
    box: dict[str, Any] = {"fc": color("surface"), "ec": color(role), "lw": 2}
    ax.add_patch(Rectangle((t - 0.44, 2.6), 0.88, 0.88, **box))
    at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 12}
    ax.text(t, 3.02, "y", color=color(role), **at)


def leak(
    seq_len: int,
    weight: Float[np.ndarray, "channels channels_per_group kernel"],
    *,
    groups: int,
    padding: Padding = "zeros",
    crop: str = "last",
) -> Float[np.ndarray, " seq_len"]:
    """Return each output's distance from the inner ones, for a sequence of ones.

    The inner output is that of a window which lies inside the sequence altogether.
    """
    x = np.ones((seq_len, weight.shape[0]))
    out = convolve(x, weight, groups=groups, padding=padding, crop=crop)
    inner = weight.sum(axis=(1, 2))
    return np.linalg.norm(out - inner, axis=1)


def border_distance(seq_len: int, kernel: int) -> Float[np.ndarray, " seq_len"]:
    """Return the frames from each frame to the inner part, negative on the left."""
    first, last = window(kernel)
    t = np.arange(float(seq_len))
    return np.minimum(t + first, 0) + np.maximum(t - (seq_len - 1 - last), 0)


def informed(seq_len: int, kernel: int, layers: int) -> Any:
    """Return True for frames that the padding reaches: (layers + 1, seq_len)."""
    first, last = window(kernel)
    t = np.arange(seq_len)
    count = np.arange(layers + 1)[:, None]
    return (t < -first * count) | (t >= seq_len - last * count)


def leaks(seq_len: int = 320, kernel: int = 128, ax: Axes | None = None) -> Axes:
    """Draw each output's distance from the inner ones, for three paddings.

    Parameters
    ----------
    seq_len, kernel : int
        Frames of the sequence and of the window.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw the reach of the padding after each layer of a stack.

    Parameters
    ----------
    seq_len, kernel, layers : int
        Frames of the sequence and of each window, and layers on one another.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw input, output and size of the answer, the widget's still picture.

    Parameters
    ----------
    kernel, groups, channels, seq_len : int
        Sizes; the taps are `example_taps`.
    place, channel : int
        Frame and channel of the impulse.
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
