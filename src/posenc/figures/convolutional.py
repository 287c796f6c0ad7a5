"""Figures of the chapter on convolution: windows, groups, the leak at the borders."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from . import convolutional_data as shared
from .convolutional_data import OUTPUT_COLORS, PADDINGS, Padding
from .convolutional_opening import front_end, opening
from .themes import color

__all__ = [
    "connections",
    "contrast",
    "front_end",
    "leaks",
    "lengths",
    "opening",
    "overview",
    "reach",
    "recovered",
    "windows",
]


def windows(seq_len: int = 5, kernel: int = 4, ax: Axes | None = None) -> Axes:
    """Padded sequence, and the window of every output; the last one is cropped.

    Parameters
    ----------
    seq_len, kernel : int
        Frames of the sequence and of the window.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.2, 3.9))[1]
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
    """Which input channels each output channel sees, without groups and with them.

    Parameters
    ----------
    channels, groups : int
        Channels in all, and groups of the right picture.
    """
    figure, axes = plt.subplots(1, 2, figsize=(5.6, 3.1))
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
        ax.set(xlabel="input channel", ylabel="output channel")
    return figure


def leaks(seq_len: int = 320, kernel: int = 128, ax: Axes | None = None) -> Axes:
    """Distance of each output from the inner ones, for equal frames and three paddings.

    Parameters
    ----------
    seq_len, kernel : int
        Frames of the sequence and of the window.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(6.6, 3.4))[1] if ax is None else ax
    taps = shared.random_taps(64, 16, kernel)
    first, last = shared.window(kernel)
    for side in ((-0.5, -first - 0.5), (seq_len - last - 0.5, seq_len - 0.5)):
        ax.axvspan(*side, fc=color("raised"), zorder=0)
    looks = {
        "zeros": ("key", "-", 2.0),
        "circular": ("value", "--", 2.0),
        "valid": ("position", "-", 4.5),
    }
    for padding, words in PADDINGS.items():
        role, line, width = looks[padding]
        values = shared.leak(
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


def recovered(seq_len: int = 320, kernel: int = 128, ax: Axes | None = None) -> Axes:
    """What a linear read-out makes of the outputs for equal frames: a ramp, then 0.

    Parameters
    ----------
    seq_len, kernel : int
        Frames of the sequence and of the window.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(6.6, 3.2))[1] if ax is None else ax
    outputs = shared.convolve(
        np.ones((seq_len, 128)), shared.random_taps(128, 16, kernel), groups=16
    )
    found = shared.read_out(outputs, shared.border_distance(seq_len, kernel))
    first, last = shared.window(kernel)
    for side in ((-0.5, -first - 0.5), (seq_len - last - 0.5, seq_len - 0.5)):
        ax.axvspan(*side, fc=color("raised"), zorder=0)
    ax.plot(found, color=color("position"), lw=2.4)
    ax.set(xlabel="frame", ylabel="read out of its output", xlim=(-2, seq_len + 1))
    words: dict[str, Any] = {"ha": "center", "fontsize": 10.5, "color": color("muted")}
    ax.text((seq_len - 1) / 2, 5, "one and the same output", **words)
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
    ax = plt.subplots(figsize=(6.4, 3.2))[1] if ax is None else ax
    known = shared.informed(seq_len, kernel, layers)
    colors = [mpl.colors.to_rgba(color(role)) for role in ("raised", "key")]
    shades = np.asarray(colors)[known.astype(int)]
    edges = np.arange(seq_len + 1) - 0.5, np.arange(layers + 2) - 0.5
    ax.pcolormesh(*edges, shades, rasterized=True)
    for layer in range(1, layers + 1):
        ax.axhline(layer - 0.5, color=color("surface"), lw=2)
        inner = int((~known[layer]).sum())
        words = f"{inner} frames alike" if inner else "every frame knows"
        wide = inner > seq_len / 4  # or the words stand on the left part
        ink = color("text" if wide else "surface")
        where = (seq_len - 1) / (2 if wide or not inner else 5)
        at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 10}
        ax.text(where, layer, words, color=ink, **at)
    ax.text((seq_len - 1) / 2, 0, "all frames alike", ha="center", va="center")
    ax.set(xlabel="frame", ylabel="layers", ylim=(layers + 0.5, -0.5))
    ax.set_yticks(range(layers + 1))
    ax.spines[:].set_visible(False)
    return ax


def contrast(kernel: int = 9, reach: int = 14) -> Figure:
    """Score of two marked tokens against their offset, for three encodings.

    Parameters
    ----------
    kernel : int
        Frames of the convolution's window.
    reach : int
        Largest offset.
    """
    figure, axes = plt.subplots(3, 1, figsize=(5.6, 5.4), sharex=True)
    scores = shared.scores_by_offset(kernel, reach=reach)
    titles = {
        "convolution": "convolution, added to the input",
        "sinusoids": "sinusoids, added to the input",
        "bias": "a bias for each bucket, added to the score",
    }
    offsets = np.arange(-reach, reach + 1)
    first, last = shared.window(kernel)
    for ax, (name, title), role in zip(
        axes, titles.items(), ("position", "query", "key"), strict=True
    ):
        if name == "convolution":
            bound = max(-first, last) + 0.5
            ax.axvspan(-bound, bound, fc=color("raised"), zorder=0)
        ax.plot(offsets, scores[name], "-o", color=color(role), ms=4)
        ax.set_title(title, fontsize=11, loc="left")
        ax.set_ylabel("score")
    axes[-1].set_xlabel("relative position (key − query)", color=color("position"))
    return figure


def lengths(ax: Axes | None = None) -> Axes:
    """Which taps share one length: by the place in the window, and by the output.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.8, 2.9))[1]
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
        Sizes; the taps are `convolutional_data.example_taps`.
    place, channel : int
        Where the impulse is.
    impulse : bool
        One impulse, or ones everywhere.
    padding, crop
        As in `convolutional_data.convolve`.
    """
    taps = shared.example_taps(channels, groups, kernel)
    x = np.zeros((seq_len, channels))
    x[(place, channel) if impulse else ...] = 1
    setting: dict[str, Any] = {"groups": groups, "padding": padding, "crop": crop}
    out = shared.convolve(x, taps, **setting)
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
    size = size if impulse else shared.leak(seq_len, taps, **setting)
    axes[2].plot(size, "-o", color=color("position"), ms=4)
    axes[2].set_ylim(bottom=-0.05)
    what = "size of answer" if impulse else "off inner output"
    axes[2].set(xlabel="frame", ylabel=what)
    return figure
