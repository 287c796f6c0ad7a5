"""Arrows in a plane, curves and scales."""

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from posenc.kit.figures.themes import choose, color

from .canvas import Pair, new_axes, pointer


def dot_products(ax: Axes | None = None) -> Axes:
    """Draw one query and three keys as arrows, with their dot products."""
    ax = _plane(ax, (4.4, 3.4), (-2.9, 3.9), (-1.7, 3.5))
    query = np.asarray([3, 1])
    _arrow(ax, query, "query")
    ax.text(3.1, 0.95, "$q$", color=color("query"), fontsize=14)
    keys = {(1, 2): (1.1, 2.1), (-1, 3): (-2.7, 2.6), (-2, -1): (-1.5, -1.55)}
    for n, (key, where) in enumerate(keys.items(), start=1):
        _arrow(ax, key, "key", style="--")
        product = f"{query @ key}".replace("-", "−")
        label = f"$k_{n}$\n$q \\cdot k_{n} = {product}$"
        ax.text(*where, label, color=color("key"), fontsize=12)
    return ax


def softmax_temperatures(ax: Axes | None = None) -> Axes:
    """Draw the weights of the scores 0, 2 and 4 at three temperatures."""
    ax = new_axes(ax, (4.6, 2.7))
    scores = np.asarray([0.0, 2.0, 4.0])
    for group, temperature in enumerate((0.5, 1, 4)):
        weights = np.exp(scores / temperature) / np.exp(scores / temperature).sum()
        for x, weight, score in zip(range(3), weights, scores, strict=True):
            ax.bar(group * 4 + x, weight, width=0.8, color=color("line"))
            above: dict[str, Any] = {"ha": "center", "fontsize": 9}  # as wide as a bar
            gap = choose(0.02, 0.11 if x == 1 else 0.02)  # or they touch
            ax.text(group * 4 + x, weight + gap, f"{weight:.2f}", **above)
            ax.text(group * 4 + x, -0.03, f"{score:g}", ha="center", va="top")
        ax.text(group * 4 + 1, -0.17, f"$T = {temperature:g}$", ha="center", va="top")
    ax.text(-0.75, -0.03, "score", ha="right", va="top", color=color("muted"))
    ax.set(xticks=[], yticks=[0, 0.5, 1], ylim=(0, 1.12), ylabel="weight")
    return ax


def rotation(ax: Axes | None = None) -> Axes:
    """Draw a complex number, and the same after a turn by 60 degrees."""
    ax = _plane(ax, (3.6, 3.1), (-0.5, 2.9), (-0.4, 2.6))
    before, phi = 2 + 0.6j, np.pi / 3
    after = before * np.exp(1j * phi)
    _arrow(ax, (before.real, before.imag), "query")
    _arrow(ax, (after.real, after.imag), "position", style="--")
    ax.text(2.08, 0.62, "$z$", color=color("query"), fontsize=14)
    label = r"$z\,e^{\mathrm{i}\varphi}$"
    ax.text(after.real, 2.1, label, color=color("position"), fontsize=14)
    arc = 0.8 * np.exp(1j * np.linspace(np.angle(before), np.angle(after), 50))
    ax.plot(arc.real, arc.imag, color=color("text"), lw=1)
    ax.text(0.66, 0.64, r"$\varphi$", fontsize=14)
    ax.text(2.85, -0.08, "real part", ha="right", va="top")
    ax.text(-0.1, 2.5, "imaginary part", ha="right", va="top", rotation=90)
    return ax


def sine(ax: Axes | None = None) -> Axes:
    """Draw the sine of angular frequency pi/4, with its period of 8 tokens marked."""
    ax = new_axes(ax, (4.6, 2.4))
    t, tokens = np.linspace(0, 16, 400), np.arange(17)
    ax.plot(t, np.sin(np.pi / 4 * t), color=color("position"), lw=1)
    ax.plot(tokens, np.sin(np.pi / 4 * tokens), "o", color=color("position"), ms=4)
    pointer(ax, (2, 1.25), (10, 1.25), style="<->")
    ax.text(6, 1.35, "period: 8 tokens", ha="center")
    ax.set(xticks=range(0, 17, 4), yticks=[-1, 0, 1], ylim=(-1.2, 1.75))
    ax.set_xlabel("position $t$ (tokens)")
    return ax


def log_scale(ax: Axes | None = None) -> Axes:
    """Draw distances 8 to 128 on a logarithmic axis, cut into eight equal steps."""
    ax = new_axes(ax, (4.8, 1.5))
    edges = 8 * 2 ** (np.arange(9) / 2)
    for number, (left, right) in enumerate(pairwise(edges)):
        ax.axvline(left, color=color("line"), lw=1)
        ax.text(np.sqrt(left * right), 0.5, str(number), ha="center", va="center")
    ax.axvline(128, color=color("line"), lw=1)
    ax.set(xscale="log", xlim=(7.7, 134), ylim=(0, 1), yticks=[])
    ax.set_xticks([8, 16, 32, 64, 128], ["8", "16", "32", "64", "128"])
    ax.minorticks_off()
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("distance $n$ (tokens)")
    return ax


def _plane(
    ax: Axes | None,
    size: Pair,
    xlim: Pair,
    ylim: Pair,
) -> Axes:
    """Draw a plane with lines through the origin, equal units and a faint grid."""
    ax = new_axes(ax, size)
    ax.set(xlim=xlim, ylim=ylim, aspect="equal")
    ax.set(xticks=range(int(xlim[0]), int(xlim[1]) + 1))
    ax.set(yticks=range(int(ylim[0]), int(ylim[1]) + 1))
    ax.grid(visible=True)
    ax.axhline(0, color=color("line"), lw=1)
    ax.axvline(0, color=color("line"), lw=1)
    ax.tick_params(length=0, labelbottom=False, labelleft=False)
    ax.spines[:].set_visible(False)
    return ax


def _arrow(ax: Axes, tip: Any, role: str, *, style: str = "-") -> None:
    """Draw an arrow from the origin to `tip`."""
    look = {"arrowstyle": "-|>,head_width=0.3,head_length=0.6", "lw": 2, "ls": style}
    arrow = {**look, "color": color(role), "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", tuple(tip), (0, 0), arrowprops=arrow)
