"""The widgets on linear attention as still pictures."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from .linear_lift import lift_overview
from .linear_widgets_data import (
    ORDER,
    WORDS,
    multiplications,
    numbers_between,
    state_step,
    tokens,
)
from .matrix import readable_ink
from .themes import color

__all__ = [
    "cost_overview",
    "lift_overview",
    "order_bars",
    "order_shapes",
    "orders_overview",
    "state_overview",
]

_FORMULAS = (
    r"$(\varphi(Q)\,\varphi(K)^\top)\,V$",
    r"$\varphi(Q)\,(\varphi(K)^\top V)$",
)
_NAMES = {"Q": r"$\varphi(Q)$", "K": r"$\varphi(K)^\top$", "V": "$V$", "A": "weights"}
_ROLES = {"Q": "query", "K": "key", "V": "value", "A": "position", "S": "position"}


def order_shapes(seq_len: int, head_dim: int, ax: Axes | None = None) -> Axes:
    """Matrices of both orders as rectangles, to scale down to a least width.

    Parameters
    ----------
    seq_len, head_dim : int
        Tokens L and features d.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(5, 4))[1] if ax is None else ax
    longest = max(seq_len, head_dim)
    ax.set(xlim=(-0.1, 4.3), ylim=(-3.75, 0.4), aspect="equal")
    ax.set_axis_off()
    shape = {
        "Q": (seq_len, head_dim),
        "K": (head_dim, seq_len),
        "V": (seq_len, head_dim),
    }
    shape |= {"A": (seq_len, seq_len), "S": (head_dim, head_dim)}
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    for row, (order, title) in enumerate(zip(("QKAV", "QSKV"), _FORMULAS, strict=True)):
        ax.text(0, 0.2 - 2.1 * row, title, fontsize=12, va="center")
        wide = [max(shape[name][1] / longest, 0.03) for name in order]
        x = 0.0
        for i, (name, width) in enumerate(zip(order, wide, strict=True)):
            height, room = max(shape[name][0] / longest, 0.03), max(width, 0.72)
            corner = (x + (room - width) / 2, -0.6 - 2.1 * row - height / 2)
            shade = color(_ROLES[name])
            face: dict[str, Any] = {"fc": shade, "ec": shade, "alpha": 0.55}
            ax.add_patch(Rectangle(corner, width, height, **face))
            words = f"{_NAMES.get(name, '$S$')}\n{shape[name][0]:,}×{shape[name][1]:,}"
            at = x + room / 2, -1.32 - 2.1 * row
            ax.text(*at, words, fontsize=9, **middle)
            if i < 3:
                ax.text(
                    x + room + 0.08, -0.6 - 2.1 * row, "·=·"[i], fontsize=14, **middle
                )
            x += room + 0.16
    return ax


def order_bars(seq_len: int, head_dim: int, ax: Axes | None = None) -> Axes:
    """Multiplications of both orders, and the numbers that each keeps in between.

    Parameters
    ----------
    seq_len, head_dim : int
        Tokens L and features d.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.4, 4))[1] if ax is None else ax
    ax.set(xlim=(0, 1.02), ylim=(-6.4, 0.8))
    ax.set_axis_off()
    setting = seq_len, head_dim
    groups = (
        ("multiplications", multiplications(*setting), ("$2L^2d$", "$2Ld^2$")),
        ("numbers in the bracket", numbers_between(*setting), ("$L^2$", "$d^2$")),
    )
    for top, (title, values, formulas) in zip((0.0, -3.5), groups, strict=True):
        ax.text(0, top + 0.5, title, fontsize=12, fontweight="bold", va="center")
        for i, (value, words) in enumerate(zip(values, formulas, strict=True)):
            y, shade = top - 0.2 - 1.3 * i, color(("key", "value")[i])
            ax.text(0, y, words, va="center")
            ax.text(1, y, f"{value:,}", va="center", ha="right")
            ax.barh(y - 0.5, value / max(values), height=0.45, color=shade)
    return ax


def orders_overview(seq_len: int, head_dim: int) -> Figure:
    """Shapes and costs side by side."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.9), width_ratios=(11, 9))
    order_shapes(seq_len, head_dim, left)
    order_bars(seq_len, head_dim, right)
    return figure


def _cells(ax: Axes, values: Any, most: float, *, gap: float = 0.0) -> None:
    """A heat map with its numbers; the last column stands apart by `gap`."""
    last = values.shape[1] - 1
    for (i, j), value in np.ndenumerate(values):
        shade = mpl.colormaps["viridis"](min(value / most, 1.0))
        x = j + gap * (j == last)
        ax.add_patch(Rectangle((x - 0.48, i - 0.47), 0.96, 0.94, fc=shade, ec="none"))
        ink: dict[str, Any] = {"color": readable_ink(shade), "fontsize": 9.5}
        ax.text(x, i, _brief(value), ha="center", va="center", **ink)
    ax.set(xlim=(-0.5, last + 0.5 + gap), ylim=(len(values) - 0.5, -0.5))
    ax.set_axis_off()


def _brief(value: float) -> str:
    whole = math.isclose(value, round(value), abs_tol=1e-9)
    return f"{value:.{0 if whole else 2 if value < 9.95 else 1}f}"


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def state_overview(t: int, slope: float) -> Figure:
    """Old state, new product and sum; weights and output beside them."""
    step, words = state_step(t, slope), WORDS[t]
    figure = plt.figure(figsize=(7.2, 4.8), layout="none")
    most = state_step(len(ORDER) - 1, 0.0).state.max()
    titles = [
        r"$\lambda S$, the state from before",
        rf"$+\ \varphi(k)\,v^\top$, “{words}”",
        "$= S$, the state now (last column: $z$)",
    ]
    axes = [figure.add_axes((0.01, y, 0.51, 0.26)) for y in (0.68, 0.345, 0.01)]
    for ax, matrix, title in zip(
        axes, (step.decayed, step.added, step.state), titles, strict=True
    ):
        _cells(ax, matrix, most, gap=0.25)
        ax.set_title(title, fontsize=11, loc="left")
    top = figure.add_axes((0.56, 0.22, 0.43, 0.72))
    bottom = figure.add_axes((0.56, 0.05, 0.43, 0.09))
    _weights(top, t, step.weights)
    _cells(bottom, step.output[None], step.output.max())
    bottom.set_title("output, by the state and by the weights", fontsize=11, loc="left")
    return figure


def _weights(ax: Axes, t: int, weights: Any) -> None:
    """Share of each token in the mixture, and its value."""
    values = tokens()["v"]
    places = np.arange(len(WORDS))
    ax.barh(places, weights, height=0.45, color=color("position"))
    for j in range(len(WORDS)):
        share = f"{100 * weights[j]:.0f} %" if j <= t else "not yet"
        words = f"{j}  {WORDS[j]}: {share}, v = {tuple(values[j].astype(int).tolist())}"
        ax.text(0, j - 0.46, words, fontsize=9, va="center")
    ax.set(ylim=(len(WORDS) - 0.5, -0.8), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.set_title(f"weights of the query “{WORDS[t]}”, t = {t}", fontsize=11, loc="left")


def cost_overview(
    cells: Mapping[str, Mapping[str, Mapping[str, float]]],
    names: Mapping[str, str],
    what: Literal["ms", "mib"],
    chosen: tuple[str, str],
    *,
    log: bool,
    length: int,
) -> Figure:
    """Measured curves, two of them in color, and the values at one length as bars.

    Parameters
    ----------
    cells : mapping
        Length (as text) to method to ``{"ms", "mib"}``.
    names : mapping
        Methods that are drawn, to their words.
    what : {"ms", "mib"}
        Time or memory.
    chosen : tuple of two str
        The methods in color.
    log : bool
        Logarithmic axes or linear ones.
    length : int
        Length of the bars, marked in the curves.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.6, 3.8), width_ratios=(11, 9))
    unit = "time (ms)" if what == "ms" else "memory (MiB)"
    styles: dict[str, dict[str, Any]] = {
        chosen[1]: {"color": color("key"), "marker": "s", "mfc": "none", "ls": "--"},
        chosen[0]: {"color": color("query"), "marker": "o"},
    }
    quiet: dict[str, Any] = {"color": color("muted"), "ls": ":", "lw": 1}
    for name, words in names.items():
        points = [(int(n), row[name][what]) for n, row in cells.items() if name in row]
        label = words if name in styles else None
        left.plot(*zip(*points, strict=True), label=label, **styles.get(name, quiet))
    left.axvline(length, color=color("position"), lw=1)
    scale = "log" if log else "linear"
    left.set(xlabel="length L (tokens)", ylabel=unit, xscale=scale, yscale=scale)
    if log:
        left.set_xticks([int(n) for n in cells], [f"{int(n):,}" for n in cells])
        left.minorticks_off()
    left.grid(visible=True)
    left.legend(fontsize=10)
    values = [cells[str(length)].get(name, {}).get(what) for name in names]
    shades = [styles.get(name, quiet)["color"] for name in names]
    right.barh(range(len(names)), [value or 0 for value in values], 0.4, color=shades)
    for i, (words, value) in enumerate(zip(names.values(), values, strict=True)):
        amount = "not measured" if value is None else _three_digits(value)
        right.text(0, i - 0.42, f"{words}: {amount}", fontsize=10, va="center")
    right.set(ylim=(len(names) - 0.5, -0.8), xticks=[], yticks=[])
    right.spines[:].set_visible(False)
    right.set_title(f"{unit} at {length:,} tokens", fontsize=11, loc="left")
    return figure
