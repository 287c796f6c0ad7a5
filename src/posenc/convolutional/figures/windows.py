"""Windows of a convolution, its groups and its padding, in a model of speech."""

from typing import Any, Literal

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from posenc.convolutional import grouped_convolution
from posenc.kit.figures.themes import color

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
    """Return made-up taps; none is near 0, so that every answer shows."""
    rng = np.random.default_rng(4)
    size = (MAX_CHANNELS, MAX_CHANNELS, MAX_KERNEL)
    taps = rng.uniform(0.2, 1.0, size=size) * rng.choice([-1, 1], size=size)
    return np.round(taps, 2)[:channels, : channels // groups, :kernel]


def window(kernel: int, *, crop: str = "last") -> tuple[int, int]:
    """Return the first and last frame that a frame sees, relative to itself.

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
    """Return taps of a new wav2vec 2.0, with variance 4 / (kernel · channels)."""
    rng = np.random.default_rng(0)
    std = (4 / (kernel * channels)) ** 0.5
    return rng.normal(size=(channels, channels // groups, kernel)) * std


def front_end(ax: Axes | None = None) -> Axes:
    """Draw the sound's path through wav2vec 2.0, from samples to the Transformer.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.4, 5.6))[1]
    ax.set(xlim=(-3.3, 3.3), ylim=(-0.55, 8.0))
    ax.set_axis_off()
    t = np.linspace(-2.6, 2.6, 600)
    wave = np.sin(9 * t) * np.exp(-((t - 0.4) ** 2)) + 0.4 * np.sin(31 * t)
    ax.plot(t, 0.35 + 0.28 * wave, color=color("muted"), lw=1)
    ax.text(0, -0.35, "sound: 16,000 samples a second", ha="center", fontsize=11)
    _box(ax, (0, 1.75), 5.2, "seven convolutions with strides", "muted")
    _frames(ax, 2.95, "muted")
    ax.text(0, 3.42, "frames x: one each 20 ms", ha="center", fontsize=11)
    _box(ax, (1.0, 4.55), 3.6, "convolution, k = 128\nGELU", "position")
    ax.plot(-2.2, 5.75, "o", ms=20, mfc="none", mec=color("text"), mew=1.4)
    ax.text(-2.2, 5.74, "+", ha="center", va="center", fontsize=15)
    _box(ax, (0, 7.15), 5.2, "Transformer: no other position", "text")
    for start, end in (
        ((0, 0.8), (0, 1.28)),
        ((0, 2.2), (0, 2.68)),
        ((1.0, 3.68), (1.0, 3.97)),
        ((-2.2, 3.25), (-2.2, 5.42)),
    ):
        ax.annotate("", end, start, arrowprops=_ARROW | {"color": color("text")})
    ax.plot([1.0, 1.0, -1.85], [5.12, 5.75, 5.75], color=color("position"), lw=1.6)
    ax.annotate(
        "",
        (-1.85, 5.75),
        (-1.5, 5.75),
        arrowprops=_ARROW | {"color": color("position")},
    )
    ax.annotate(
        "", (-2.2, 6.7), (-2.2, 6.08), arrowprops=_ARROW | {"color": color("text")}
    )
    return ax


_ARROW: dict[str, Any] = {"arrowstyle": "-|>", "lw": 1.6, "shrinkA": 0, "shrinkB": 0}


def _box(
    ax: Axes, center: tuple[float, float], width: float, words: str, role: str
) -> None:
    x, y = center
    shape = FancyBboxPatch(
        (x - width / 2, y - 0.42),
        width,
        0.84,
        boxstyle="round,pad=0.05",
        fc=color("raised"),
        ec=color(role),
        lw=1.8,
    )
    ax.add_patch(shape)
    ink = color("text" if role == "muted" else role)
    at: dict[str, Any] = {"ha": "center", "va": "center", "linespacing": 1.3}
    ax.text(x, y, words, color=ink, fontsize=11.5, **at)


def _frames(ax: Axes, y: float, role: str) -> None:
    for i in range(14):
        at = (-2.6 + 0.371 * i + 0.02, y - 0.2)
        ax.add_patch(Rectangle(at, 0.33, 0.4, fc=color("raised"), ec=color(role)))


def windows(seq_len: int = 5, kernel: int = 4, ax: Axes | None = None) -> Axes:
    """Draw a padded sequence and the window of every output; the last one is cropped.

    Parameters
    ----------
    seq_len, kernel : int
        Frames of the sequence and of the window.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.8, 3.4))[1]
    half = kernel // 2
    outputs = seq_len + 2 * half - kernel + 1
    ax.set(xlim=(-half - 2.2, seq_len + half - 0.4), ylim=(outputs - 0.3, -1.7))
    ax.set_axis_off()
    at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    for t in range(-half, seq_len + half):
        inside = 0 <= t < seq_len
        style: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
        if not inside:
            style = {"fc": "none", "ec": color("key"), "ls": (0, (3, 2))}
        ax.add_patch(Rectangle((t - 0.44, -1.55), 0.88, 0.88, **style))
        ink = color("text" if inside else "key")
        ax.text(t, -1.11, f"$x_{t}$" if inside else "0", color=ink, **at)
    for t in range(outputs):
        cropped = t >= seq_len
        role = "muted" if cropped else "position"
        bar = Rectangle((t - half - 0.4, t - 0.27), kernel - 0.2, 0.54)
        bar.set(fc=color(role), ec="none", alpha=0.15 if cropped else 0.32)
        ax.add_patch(bar)
        name = f"$y_{t}$"
        ax.text(-half - 1.25, t, name, color=color(role), **(at | {"fontsize": 12}))
        if cropped:
            middle = t - half + kernel / 2 - 0.5
            ax.text(middle, t, "cropped", color=color("muted"), **at)
        else:
            ax.plot(t, t, "o", color=color("position"), ms=6)
    return ax


def connections(channels: int = 12, groups: int = 3) -> Figure:
    """Draw the input channels of each output channel, without groups and with them.

    Parameters
    ----------
    channels, groups : int
        Channels in all, and groups of the right picture.
    """
    figure, axes = plt.subplots(1, 2, figsize=(4.8, 2.8))
    for ax, count in zip(axes, (1, groups), strict=True):
        width = channels // count
        group = np.arange(channels) // width
        seen = group[:, None] == group[None, :]
        shades = np.where(
            seen[..., None],
            mpl.colors.to_rgba(color("position")),
            mpl.colors.to_rgba(color("raised")),
        )
        edges = np.arange(channels + 1) - 0.5
        ax.pcolormesh(edges, edges, shades, edgecolors=color("surface"), linewidth=0.8)
        ax.set(aspect="equal", ylim=(channels - 0.5, -0.5), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        words = "one group" if count == 1 else f"{count} groups"
        ax.set_title(f"{words}: {seen.sum()} of {seen.size}", fontsize=11)
        ax.set(xlabel="output channel", ylabel="input channel")
    return figure


def lengths(ax: Axes | None = None) -> Axes:
    """Draw taps that share one length, by place in the window, and by output.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.8, 2.5))[1]
    ax.set(xlim=(-1.7, 13.2), ylim=(5.3, -1.5), aspect="equal")
    ax.set_axis_off()
    tables = ((0, "one length per place", True), (7.6, "one per output", False))
    for left, title, by_place in tables:
        for row in range(4):
            for place in range(5):
                shade = (place + 1) / 6 if by_place else (row + 1) / 5
                box = Rectangle((left + place, row), 0.9, 0.9, ec="none")
                box.set_facecolor(mpl.colormaps["viridis"](shade))
                ax.add_patch(box)
        words: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
        ax.text(left + 2.45, -0.9, title, **words)
        below: dict[str, Any] = words | {"color": color("muted"), "fontsize": 10.5}
        ax.text(left + 2.45, 4.5, "place in the window →", **below)
        ax.text(left - 0.55, 1.95, "← output", rotation=90, **below)
    return ax
