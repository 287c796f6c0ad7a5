"""Axes for the drawings around the chapters, and arrows that point at things.

They are drawn narrow, so that their letters stay legible on a phone.
"""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from posenc.kit.figures.themes import color

Pair = tuple[float | int, float | int]


def new_axes(ax: Axes | None, size: Pair) -> Axes:
    """Return `ax`, or that of a new figure of `size` inches."""
    return ax if ax is not None else plt.subplots(figsize=size)[1]


def pointer(
    ax: Axes,
    start: Pair,
    end: Pair,
    *,
    style: str = "->",
    role: str = "text",
) -> None:
    """Draw a thin arrow from a label to its place."""
    look = {"arrowstyle": style, "color": color(role), "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=look)
