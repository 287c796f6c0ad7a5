"""Drawings for the pages around the chapters: prerequisites and notation.

Each takes ``ax=None``, draws in the theme of the moment (see `themes`) and returns the
Axes. They are drawn narrow, so that their letters stay legible on a phone.
"""

from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc._arrays import relative_positions
from posenc.running_example import TOKENS

from .themes import color

_Pair = tuple[float | int, float | int]


def dot_products(ax: Axes | None = None) -> Axes:
    """One query and three keys as arrows, with their dot products."""
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
    """Weights of the scores 0, 2 and 4 at three temperatures."""
    ax = _axes(ax, (4.6, 2.7))
    scores = np.asarray([0.0, 2.0, 4.0])
    for group, temperature in enumerate((0.5, 1, 4)):
        weights = np.exp(scores / temperature) / np.exp(scores / temperature).sum()
        for x, weight, score in zip(range(3), weights, scores, strict=True):
            ax.bar(group * 4 + x, weight, width=0.8, color=color("line"))
            ax.text(group * 4 + x, weight + 0.02, f"{weight:.2f}", ha="center")
            ax.text(group * 4 + x, -0.03, f"{score:g}", ha="center", va="top")
        ax.text(group * 4 + 1, -0.17, f"$T = {temperature:g}$", ha="center", va="top")
    ax.text(-0.75, -0.03, "score", ha="right", va="top", color=color("muted"))
    ax.set(xticks=[], yticks=[0, 0.5, 1], ylim=(0, 1.12), ylabel="weight")
    return ax


def rotation(ax: Axes | None = None) -> Axes:
    """A complex number, and the same after a turn by 60 degrees."""
    ax = _plane(ax, (3.6, 3.1), (-0.5, 2.9), (-0.4, 2.6))
    before, phi = 2 + 0.6j, np.pi / 3
    after = before * np.exp(1j * phi)
    _arrow(ax, (before.real, before.imag), "query")
    _arrow(ax, (after.real, after.imag), "position", style="--")
    ax.text(2.08, 0.62, "$z$", color=color("query"), fontsize=14)
    label = r"$z\,e^{i\varphi}$"
    ax.text(after.real, 2.1, label, color=color("position"), fontsize=14)
    arc = 0.8 * np.exp(1j * np.linspace(np.angle(before), np.angle(after), 50))
    ax.plot(arc.real, arc.imag, color=color("text"), lw=1)
    ax.text(0.66, 0.64, r"$\varphi$", fontsize=14)
    ax.text(2.85, -0.08, "real part", ha="right", va="top")
    ax.text(-0.1, 2.5, "imaginary part", ha="right", va="top", rotation=90)
    return ax


def sine(ax: Axes | None = None) -> Axes:
    """Sine of angular frequency pi/4, with its period of 8 tokens marked."""
    ax = _axes(ax, (4.6, 2.4))
    t, tokens = np.linspace(0, 16, 400), np.arange(17)
    ax.plot(t, np.sin(np.pi / 4 * t), color=color("position"), lw=1)
    ax.plot(tokens, np.sin(np.pi / 4 * tokens), "o", color=color("position"), ms=4)
    _pointer(ax, (2, 1.25), (10, 1.25), style="<->")
    ax.text(6, 1.35, "period: 8 tokens", ha="center")
    ax.set(xticks=range(0, 17, 4), yticks=[-1, 0, 1], ylim=(-1.2, 1.75))
    ax.set_xlabel("position $t$ (tokens)")
    return ax


def relative_position_grid(ax: Axes | None = None) -> Axes:
    """Key minus query for three tokens: queries down, keys across, zero marked."""
    ax = _axes(ax, (3.6, 3.0))
    for (i, j), value in np.ndenumerate(relative_positions(3, 3)):
        _box(ax, (j, i), f"{value}".replace("-", "−"), marked=i == j)
    query: dict[str, Any] = {"color": color("query")}
    key: dict[str, Any] = {"color": color("key")}
    for n, token in enumerate(TOKENS):
        ax.text(-0.15, n + 0.5, f"{token}  {n}", ha="right", va="center", **query)
        ax.text(n + 0.5, -0.15, f"{token}\n{n}", ha="center", **key)
    ax.text(1.5, -0.95, "key position $j$", ha="center", **key)
    middle: dict[str, Any] = {"ha": "center", "va": "center", "rotation": 90}
    ax.text(-1.5, 1.5, "query position $i$", **middle, **query)
    return _bare(ax, (-1.75, 3.1), (3.1, -1.3))


def memory_line(ax: Axes | None = None) -> Axes:
    """Twelve numbers in a row, cut into rows of four and into rows of three."""
    ax = _axes(ax, (4.8, 2.2))
    for n in range(12):
        _box(ax, (n, 0), str(n), marked=n == 8)
    cuts = ((4, -0.3, -0.15, "bottom"), (3, 1.3, 0.15, "top"))
    for length, y, gap, side in cuts:
        for row in range(12 // length):
            left, right = row * length, (row + 1) * length
            ax.plot([left + 0.1, right - 0.1], [y, y], color=color("text"), lw=1)
            ax.text((left + right) / 2, y + gap, f"row {row}", ha="center", va=side)
    ax.text(6, -1.5, "shape (3, 4)", ha="center", va="center", weight="bold")
    ax.text(6, 2.5, "shape (4, 3)", ha="center", va="center", weight="bold")
    return _bare(ax, (-0.1, 12.1), (3, -2))


def log_scale(ax: Axes | None = None) -> Axes:
    """Distances 8 to 128 on a logarithmic axis, cut into eight equal steps."""
    ax = _axes(ax, (4.8, 1.5))
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


def sliding_window(ax: Axes | None = None) -> Axes:
    """Convolution: three weights under five numbers give one output."""
    ax = _axes(ax, (4.2, 2.6))
    numbers, weights = [2, 0, 1, 3, 0], [1, 2, 1]
    output = np.correlate(numbers, weights, mode="same")
    for n, (value, result) in enumerate(zip(numbers, output, strict=True)):
        _box(ax, (n, 0), str(value), marked=1 <= n <= 3)
        _box(ax, (n, 2.9), str(result), marked=n == 2)
    for n, value in enumerate(weights, start=1):
        _box(ax, (n, 1.2), str(value), role="position")
    _pointer(ax, (2.5, 2.25), (2.5, 2.85))
    for y, name in ((0.5, "input"), (1.7, "weights"), (3.4, "output")):
        ax.text(-0.2, y, name, ha="right", va="center")
    return _bare(ax, (-1.7, 5.1), (4, -0.1))


def where_position_enters(ax: Axes | None = None) -> Axes:
    """Way of a token through attention, with the four doors for position."""
    ax = _axes(ax, (4.8, 4.6))
    steps = (
        ("token $x$", "added to the input", "sinusoids, CAPE,\nconvolution"),
        ("$q = xW_Q$,  $k = xW_K$", "turns query and key", "RoPE"),
        (
            r"score $q \cdot k$",
            "added to the score",
            "Shaw, Music, XL,\nT5, Swin, ALiBi",
        ),
        ("weights (softmax)", "", ""),
        (r"output: weights $\times\;v$", "added to the value", "Shaw"),
    )
    for n, (name, door, methods) in enumerate(steps):
        y = n * 1.5
        _box(ax, (0, y), name, size=(3.1, 0.8))
        if n:
            _pointer(ax, (1.55, y - 0.68), (1.55, y - 0.02))
        if door:
            _pointer(ax, (3.9, y + 0.4), (3.15, y + 0.4), role="position")
            text = ax.text(4, y + 0.2, door, va="center", weight="bold", fontsize=10)
            text.set_color(color("position"))
            ax.text(4, y + 0.4, methods, va="top", fontsize=10)
    return _bare(ax, (-0.1, 6.9), (6.9, -0.1))


def _axes(ax: Axes | None, size: _Pair) -> Axes:
    """`ax`, or that of a new figure of `size` inches."""
    return ax if ax is not None else plt.subplots(figsize=size)[1]


def _plane(
    ax: Axes | None,
    size: _Pair,
    xlim: _Pair,
    ylim: _Pair,
) -> Axes:
    """Plane with lines through the origin, equal units and a faint grid."""
    ax = _axes(ax, size)
    ax.set(xlim=xlim, ylim=ylim, aspect="equal")
    ax.set(xticks=range(int(xlim[0]), int(xlim[1]) + 1))
    ax.set(yticks=range(int(ylim[0]), int(ylim[1]) + 1))
    ax.grid(visible=True)
    ax.axhline(0, color=color("line"), lw=1)
    ax.axvline(0, color=color("line"), lw=1)
    ax.tick_params(length=0, labelbottom=False, labelleft=False)
    ax.spines[:].set_visible(False)
    return ax


def _bare(ax: Axes, xlim: _Pair, ylim: _Pair) -> Axes:
    """Equal units, no axes: for drawings made of boxes."""
    ax.set(xlim=xlim, ylim=ylim, aspect="equal")
    ax.set_axis_off()
    return ax


def _box(
    ax: Axes,
    corner: _Pair,
    text: str,
    *,
    size: _Pair = (1.0, 1.0),
    marked: bool = False,
    role: str = "text",
) -> None:
    """Box with a text in it; a marked one is filled and bold, with a thick edge."""
    box = Rectangle(corner, *size, facecolor="none", edgecolor=color("line"))
    if marked:
        box.set(edgecolor=color("text"), linewidth=2, zorder=2)
    if marked or size != (1.0, 1.0):
        box.set_facecolor(color("raised"))
    ax.add_patch(box)
    middle = (corner[0] + size[0] / 2, corner[1] + size[1] / 2)
    label = ax.text(*middle, text, ha="center", va="center", color=color(role))
    label.set(weight="bold" if marked else "normal", zorder=3)


def _arrow(ax: Axes, tip: Any, role: str, *, style: str = "-") -> None:
    """Arrow from the origin to `tip`."""
    look = {"arrowstyle": "-|>,head_width=0.3,head_length=0.6", "lw": 2, "ls": style}
    arrow = {**look, "color": color(role), "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", tuple(tip), (0, 0), arrowprops=arrow)


def _pointer(
    ax: Axes,
    start: _Pair,
    end: _Pair,
    *,
    style: str = "->",
    role: str = "text",
) -> None:
    """Thin arrow, for what a drawing says about itself."""
    look = {"arrowstyle": style, "color": color(role), "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=look)
