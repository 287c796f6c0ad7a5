"""Which product first: the picture that opens the chapter on linear attention."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.kit.figures.themes import color

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
        Where to draw (default: new Axes).
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
    """Matrix of empty cells with its name above; returns its right edge."""
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
