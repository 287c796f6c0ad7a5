"""Two orders of one product: the opening, shapes, work, and measured cost."""

from collections.abc import Mapping
from typing import Any, Literal

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.themes import choose, color, panels

_CELL = 0.36
_MIDDLE: dict[str, Any] = {"ha": "center", "va": "center"}
_NAMES = {"query": "$Q$", "key": r"$K^\top$", "value": "$V$"}


def opening(*, seq_len: int = 7, features: int = 2, ax: Axes | None = None) -> Axes:
    """Draw three matrices multiplied in two orders: a large square or a small one.

    Parameters
    ----------
    seq_len : int, default 7
        Tokens, L.
    features : int, default 2
        Numbers of a query, a key and a value, d.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.7, 4.7))[1]
    high = seq_len * _CELL
    tall, wide = (seq_len, features), (features, seq_len)
    below = 0.9 * high + 1.5
    ax.set_axis_off()

    _title(ax, -1.05, "queries times keys first")
    x = _bracket(ax, high / 2, [("query", tall), ("key", wide)])
    start = x
    x = _block(ax, x, high / 2, (seq_len, seq_len), "muted") + 0.14
    right = _block(ax, x, high / 2, tall, "value")
    words = f"$L \\times L$: {seq_len**2} numbers"
    at = start + seq_len * _CELL / 2
    ax.text(at, high + 0.28, words, fontsize=12.5, weight="bold", **_MIDDLE)

    _title(ax, high + 0.95, "keys times values first")
    middle = below + high / 2 + 0.5
    x = _bracket(ax, middle, [("key", wide), ("value", tall)])
    x = _block(ax, x, middle, tall, "query") + 0.14
    x = _block(ax, x, middle, (features, features), "muted")
    words = f"$d \\times d$:\n{features**2} numbers"
    ax.text(x + 0.2, middle, words, fontsize=12.5, weight="bold", va="center")

    ax.set(xlim=(-0.35, right + 0.3), ylim=(middle + high / 2 + 0.1, -1.3))
    ax.set(aspect="equal")
    return ax


def _title(ax: Axes, y: float, words: str) -> None:
    ax.text(-0.2, y, words, color=color("muted"), fontsize=12.5, va="center")


def _bracket(ax: Axes, middle: float, blocks: list[tuple[str, Any]]) -> float:
    """Draw the two matrices that are multiplied first, and an arrow to the product."""
    x = 0.08
    ax.text(x - 0.22, middle, "(", fontsize=24, **_MIDDLE)
    for role, shape in blocks:
        x = _block(ax, x, middle, shape, role) + 0.14
    ax.text(x + 0.04, middle, ")", fontsize=24, **_MIDDLE)
    ax.text(x + 0.42, middle, "→", fontsize=16, **_MIDDLE)
    return x + 0.8


def _block(
    ax: Axes, x: float, middle: float, shape: tuple[int, int], role: str
) -> float:
    """Draw a matrix of empty cells with its name above; return its right edge."""
    rows, columns = shape
    top = middle - rows * _CELL / 2
    look: dict[str, Any] = {"fc": color(role), "ec": color("surface"), "lw": 0.8}
    for i in range(rows):
        for j in range(columns):
            corner = (x + j * _CELL, top + i * _CELL)
            ax.add_patch(Rectangle(corner, _CELL, _CELL, **look))
    at = (x + columns * _CELL / 2, top - 0.26)
    ax.text(*at, _NAMES.get(role, ""), color=color(role), fontsize=13.5, **_MIDDLE)
    return x + columns * _CELL


def multiplications(seq_len: int, head_dim: int) -> tuple[int, int]:
    """Count multiplications of (Q Kᵀ) V and of Q (Kᵀ V), with d numbers per row."""
    return 2 * seq_len**2 * head_dim, 2 * seq_len * head_dim**2


def numbers_between(seq_len: int, head_dim: int) -> tuple[int, int]:
    """Count the numbers of the product in the brackets, in both orders."""
    return seq_len**2, head_dim**2


_FORMULAS = (r"$(Q K^\top)\,V$", r"$Q\,(K^\top V)$")
_SYMBOLS = {
    "Q": "$Q$",
    "K": r"$K^\top$",
    "V": "$V$",
    "A": r"$Q K^\top$",
    "S": r"$K^\top V$",
}


_ROLES = {"Q": "query", "K": "key", "V": "value", "A": "position", "S": "position"}


def order_shapes(seq_len: int, head_dim: int, ax: Axes | None = None) -> Axes:
    """Draw the matrices of both orders as rectangles, to scale from a least width.

    Parameters
    ----------
    seq_len, head_dim : int
        Tokens L and numbers d of a query.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(5, 4))[1] if ax is None else ax
    longest = max(seq_len, head_dim)
    ax.set(xlim=(-0.1, 4.9), ylim=(-3.75, 0.4), aspect="equal")
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
            height, room = max(shape[name][0] / longest, 0.03), max(width, 1.0)
            corner = (x + (room - width) / 2, -0.6 - 2.1 * row - height / 2)
            shade = color(_ROLES[name])
            face: dict[str, Any] = {"fc": shade, "ec": shade, "alpha": 0.55}
            ax.add_patch(Rectangle(corner, width, height, **face))
            words = f"{_SYMBOLS[name]}\n{shape[name][0]:,}×{shape[name][1]:,}"
            at = x + room / 2, -1.4 - 2.1 * row
            ax.text(*at, words, fontsize=8, **middle)
            if i < 3:
                ax.text(
                    x + room + 0.13, -0.6 - 2.1 * row, "·=·"[i], fontsize=14, **middle
                )
            x += room + 0.26
    return ax


def order_bars(seq_len: int, head_dim: int, ax: Axes | None = None) -> Axes:
    """Draw multiplications of both orders, and the numbers that each keeps between.

    Parameters
    ----------
    seq_len, head_dim : int
        Tokens L and numbers d of a query.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw shapes and costs side by side."""
    figure, (left, right) = panels(
        1, 2, figsize=(7.2, 3.9), narrow_height=7, ratios=choose((13, 7), (1, 1))
    )
    order_shapes(seq_len, head_dim, left)
    order_bars(seq_len, head_dim, right)
    return figure


#: Names of the measured methods; a file may hold more of them, or fewer.
METHODS = {
    "softmax": "fused softmax",
    "softmax_matrix": "softmax with matrix",
    "linear": "linear with all keys",
    "linear_causal": "causal linear",
    "alibi_decay": "linear with ALiBi decay",
    "toeplitz_fft": "linear with bias (FFT)",
}


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def cost_overview(
    cells: Mapping[str, Mapping[str, Mapping[str, float]]],
    names: Mapping[str, str],
    what: Literal["ms", "mib"],
    chosen: tuple[str, str],
    *,
    log: bool,
    length: int,
) -> Figure:
    """Draw measured curves, two of them in color, and values at a length as bars.

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
    figure, (left, right) = panels(
        1, 2, figsize=(7.6, 3.8), narrow_height=7, ratios=(11, 9)
    )
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
