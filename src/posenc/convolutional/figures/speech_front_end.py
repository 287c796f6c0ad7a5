"""Where the convolution stands in a model of speech."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from posenc.kit.figures.themes import color


def front_end(ax: Axes | None = None) -> Axes:
    """Way of the sound through wav2vec 2.0: samples, frames, convolution, Transformer.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
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
