"""Figures of the chapter on linear attention: lift, states, chunks, quality, cost."""

import math
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from posenc.linear_attention import elu_plus_one, polynomial_lift

from .cost import scaling_curve
from .linear_attention_curves import denominator, quality_curves, recall_curve
from .linear_attention_opening import opening
from .matrix import draw_matrix, readable_ink, signed
from .themes import color

__all__ = [
    "chunk_map",
    "circulant",
    "cost_over_length",
    "denominator",
    "elu_curve",
    "lift",
    "opening",
    "quality_curves",
    "recall_curve",
    "states",
]


def lift(*, seed: int = 4) -> Figure:
    """Points of the plane in and around a circle, before and after the lift.

    Parameters
    ----------
    seed : int, default 4
        Of the random points.
    """
    figure, (left, right) = plt.subplots(2, 1, figsize=(4.0, 6.6))
    rng = np.random.default_rng(seed)
    radius = np.concatenate([rng.uniform(0.1, 0.75, 12), rng.uniform(1.2, 1.5, 14)])
    angle = rng.uniform(0, 2 * math.pi, len(radius))
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    inside = radius < 1
    left.add_patch(Circle((0, 0), 1, fill=False, ec=color("text"), ls="--", lw=1.4))
    left.set(xlim=(-1.65, 1.65), ylim=(-1.65, 1.65), aspect="equal")
    left.set(xlabel="$x_1$", ylabel="$x_2$", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    left.set_title("two dimensions: a circle")

    def view(lifted: Any) -> Any:
        """Seen from the side; the axis of the cone of all lifted points is upright."""
        u, v, w = np.moveaxis(np.asarray(lifted), -1, 0)
        across, up = (u - w) / math.sqrt(2), (u + w) / math.sqrt(2)
        return np.stack([across, 0.95 * up + 0.14 * v], axis=-1)

    turn = np.linspace(0, 2 * math.pi, 200)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    cut = view(polynomial_lift(circle))
    look: dict[str, Any] = {"fc": color("position"), "alpha": 0.25, "zorder": 0}
    right.fill(*cut.T, ec="none", **look)
    right.plot(*cut.T, "--", color=color("text"), lw=1.4)
    for end, name in ((2.4, "$x_1^2$"), (-2.4, "$x_2^2$")):
        tip = view([max(end, 0), 0, max(-end, 0)])
        arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": color("line")}
        right.annotate("", tip, view([0, 0, 0]), arrowprops=arrow)
        right.text(tip[0], tip[1] + 0.13, name, ha="center", color=color("muted"))
    for ax, places in ((left, points), (right, view(polynomial_lift(points)))):
        for chosen, mark, role in ((inside, "o", "query"), (~inside, "^", "key")):
            ax.plot(*places[chosen].T, mark, color=color(role), ms=7)
    right.set(xlim=(-2.1, 2.1), ylim=(-0.35, 2.35))
    right.set_axis_off()
    right.set_title("three dimensions: a flat cut")
    return figure


def elu_curve(ax: Axes | None = None) -> Axes:
    """The function elu + 1 and the exponential, which it leaves at zero.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(5.0, 2.8))[1] if ax is None else ax
    x = np.linspace(-4, 3, 281)
    ax.axvline(0, color=color("line"), lw=0.8)
    ax.plot(x, np.exp(x), "--", color=color("muted"), label="$e^x$")
    ax.plot(x, elu_plus_one(x), color=color("query"), lw=2.4, label="$\\varphi(x)$")
    ax.set(xlim=(-4, 3), ylim=(0, 4.2), xlabel="$x$")
    ax.legend()
    return ax


def states(matrices: Any, titles: Any) -> Figure:
    """States of a causal sum, one after the other, with their numbers.

    Parameters
    ----------
    matrices : array of shape (steps, r, d)
        What is remembered after each token: features down, values across.
    titles : sequence of str
        Words above each.
    """
    matrices = np.asarray(matrices)
    figure, axes = plt.subplots(1, len(matrices), figsize=(4.9, 2.0))
    top = mpl.colors.to_rgb(color("value"))
    ground = mpl.colors.to_rgb(color("raised"))
    for ax, matrix, title in zip(axes, matrices, titles, strict=True):
        rows, columns = matrix.shape
        ax.set(xlim=(-0.05, columns + 0.05), ylim=(rows + 0.05, -0.05), aspect="equal")
        ax.set_axis_off()
        ax.set_title(title, fontsize=11.5)
        for i, j in np.ndindex(rows, columns):
            share = abs(matrix[i, j]) / max(np.abs(matrices).max(), 1e-9)
            fill = tuple(
                share * a + (1 - share) * b for a, b in zip(top, ground, strict=True)
            )
            look: dict[str, Any] = {"fc": fill, "ec": color("surface"), "lw": 1}
            ax.add_patch(Rectangle((j, i), 1, 1, **look))
            at: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
            words = f"{matrix[i, j]:g}"
            size = 11.5 if len(words) < 3 else 9
            ink = readable_ink(fill)
            ax.text(j + 0.5, i + 0.52, words, color=ink, fontsize=size, **at)
    return figure


def chunk_map(seq_len: int = 12, chunk: int = 4, *, ax: Axes | None = None) -> Axes:
    """Which weights the chunked form writes down, and which are in the state.

    Parameters
    ----------
    seq_len, chunk : int
        Tokens in all, and in a chunk.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.4, 4.0))[1] if ax is None else ax
    shades = np.zeros((seq_len, seq_len, 4))
    text = np.full((seq_len, seq_len), "", dtype=object)
    for i, j in np.ndindex(seq_len, seq_len):
        same = i // chunk == j // chunk
        if j > i:
            shades[i, j] = mpl.colors.to_rgba(color("raised"))
        else:
            shades[i, j] = mpl.colors.to_rgba(color("query" if same else "value"))
            text[i, j] = "w" if same else "S"
    return draw_matrix(shades, text, ax=ax)


def circulant(seq_len: int = 4, *, ax: Axes | None = None) -> Axes:
    """A Toeplitz matrix in the corner of one whose rows wrap around.

    Parameters
    ----------
    seq_len : int, default 4
        Queries and keys.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.4, 4.0))[1] if ax is None else ax
    size = 2 * seq_len - 1
    shades = np.empty((size, size, 4))
    text = np.empty((size, size), dtype=object)
    scale = mpl.colormaps["viridis"]
    for i, j in np.ndindex(size, size):
        offset = (j - i + seq_len - 1) % size - (seq_len - 1)
        own = i < seq_len and j < seq_len
        shades[i, j] = scale((offset + seq_len - 1) / (size - 1))
        if not own:
            ground = np.asarray(mpl.colors.to_rgba(color("raised")))
            shades[i, j] = 0.25 * shades[i, j] + 0.75 * ground
        text[i, j] = signed(offset, 0) if offset else "0"
    ax = draw_matrix(shades, text, ax=ax)
    ax.set(xlabel="", ylabel="")
    return ax


#: Forms in ``bench_linear_attention.json``, and their words in the legend.
_FORMS = {
    "softmax_matrix": "softmax, all weights written",
    "softmax": "softmax, fused",
    "linear_causal": "linear, causal, chunks",
    "toeplitz_fft": "linear, any bias by FFT",
}


def cost_over_length(
    cells: Mapping[str, Mapping[str, Mapping[str, float]]], *, ax: Any = None
) -> Figure:
    """Measured time and memory against length, logarithmic axes.

    Parameters
    ----------
    cells : mapping
        Length (as text) to form to ``{"ms", "mib"}``, one direction of what
        ``benchmarks/linear_attention.py`` writes.
    ax : pair of Axes, optional
        Where to draw (default: a new figure).
    """
    if ax is None:
        _, ax = plt.subplots(2, 1, figsize=(5.0, 6.6), sharex=True)
    above = scaling_curve(cells, _FORMS, "ms", ax=ax[0])
    above.set_xlabel("")
    above.legend(fontsize=10, loc="lower left", bbox_to_anchor=(0, 1))
    legend = scaling_curve(cells, _FORMS, "mib", ax=ax[1]).get_legend()
    if legend:  # one legend serves both
        legend.remove()
    figure: Figure = ax[0].figure
    return figure
