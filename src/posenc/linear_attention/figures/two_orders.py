"""Two orders of one product: their shapes, multiplications and numbers kept."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.themes import choose, color, panels


def multiplications(seq_len: int, head_dim: int) -> tuple[int, int]:
    """Multiplications of (Q Kᵀ) V and of Q (Kᵀ V), with d numbers per row."""
    return 2 * seq_len**2 * head_dim, 2 * seq_len * head_dim**2


def numbers_between(seq_len: int, head_dim: int) -> tuple[int, int]:
    """Numbers of the product in the brackets, in both orders."""
    return seq_len**2, head_dim**2


_FORMULAS = (r"$(Q K^\top)\,V$", r"$Q\,(K^\top V)$")


_NAMES = {
    "Q": "$Q$",
    "K": r"$K^\top$",
    "V": "$V$",
    "A": r"$Q K^\top$",
    "S": r"$K^\top V$",
}


_ROLES = {"Q": "query", "K": "key", "V": "value", "A": "position", "S": "position"}


def order_shapes(seq_len: int, head_dim: int, ax: Axes | None = None) -> Axes:
    """Matrices of both orders as rectangles, to scale down to a least width.

    Parameters
    ----------
    seq_len, head_dim : int
        Tokens L and numbers d of a query.
    ax : Axes, optional
        Where to draw (default: new Axes).
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
            words = f"{_NAMES[name]}\n{shape[name][0]:,}×{shape[name][1]:,}"
            at = x + room / 2, -1.4 - 2.1 * row
            ax.text(*at, words, fontsize=8, **middle)
            if i < 3:
                ax.text(
                    x + room + 0.13, -0.6 - 2.1 * row, "·=·"[i], fontsize=14, **middle
                )
            x += room + 0.26
    return ax


def order_bars(seq_len: int, head_dim: int, ax: Axes | None = None) -> Axes:
    """Multiplications of both orders, and the numbers that each keeps in between.

    Parameters
    ----------
    seq_len, head_dim : int
        Tokens L and numbers d of a query.
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
    figure, (left, right) = panels(
        1, 2, figsize=(7.2, 3.9), narrow_height=7, ratios=choose((13, 7), (1, 1))
    )
    order_shapes(seq_len, head_dim, left)
    order_bars(seq_len, head_dim, right)
    return figure
