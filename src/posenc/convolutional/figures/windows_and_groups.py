"""Windows of a convolution, its groups of channels, and which taps share a length."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.themes import color


def windows(seq_len: int = 5, kernel: int = 4, ax: Axes | None = None) -> Axes:
    """Draw a padded sequence and the window of every output; the last one is cropped.

    Parameters
    ----------
    seq_len, kernel : int
        Frames of the sequence and of the window.
    ax : Axes, optional
        Where to draw (default: new Axes).
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
    """Which input channels each output channel sees, without groups and with them.

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
    """Which taps share one length: by the place in the window, and by the output.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
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
