"""Where the bias enters T5: one table for each stack, and no bias between the two."""

from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from posenc.kit.figures.themes import color

_ENCODER, _DECODER = 3.5, 8.1  # middles of the two stacks
_HALF = 1.15  # half the width of a part
_TALL, _PITCH = 0.54, 0.83  # height of a part, and from one to the next
_BLOCKS = (("block 0", 0.75), ("block 1", 3.4), ("last block", 6.8))


def place_in_network(*, ax: Axes | None = None) -> Axes:
    """Encoder and decoder of T5, and the way of the bias from its table to the scores.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(8.8, 6.4))[1]
    ax.set(xlim=(-0.1, 11.9), ylim=(10.2, -0.75))
    ax.set_axis_off()
    for x, title in ((_ENCODER, "encoder"), (_DECODER, "decoder")):
        at: dict[str, Any] = {"ha": "center", "va": "center"}
        ax.text(x, -0.5, title, weight="bold", fontsize=12, **at)
        ax.text(x, 0.02, "tokens, no position added", fontsize=9.5, **at)
        _arrow(ax, (x, 0.25), (x, 0.72))
    for name, top in _BLOCKS:
        _block(ax, _ENCODER, top, ("self-attention", "", "feed-forward"))
        _block(ax, _DECODER, top, ("self-attention", "cross-attention", "feed-forward"))
        ax.text(_ENCODER - 0.1, top + _PITCH + _TALL / 2, name, **_small("right"))
    end = _BLOCKS[-1][1] + 2 * _PITCH + _TALL
    for x in (_ENCODER, _DECODER):
        ax.text(x, 6.25, "⋮", ha="center", va="center", fontsize=15)
        _arrow(ax, (x, 2.97), (x, 3.38))
        _arrow(ax, (x, 5.62), (x, 6.02))
        _arrow(ax, (x, 6.48), (x, 6.78))
    _arrow(ax, (_DECODER, end + 0.02), (_DECODER, end + 0.45))
    ax.text(_DECODER, end + 0.7, "next token", ha="center", va="center", fontsize=10.5)
    _across(ax, end)
    _table(ax, 0.85, 1)
    _table(ax, 10.75, -1)
    return ax


def _block(ax: Axes, x: float, top: float, names: tuple[str, ...]) -> None:
    """Parts of one block from top to bottom; an empty name leaves its place free."""
    places = [top + _PITCH * i for i, name in enumerate(names) if name]
    for y, name in zip(places, filter(None, names), strict=True):
        edge = color("position" if name == "self-attention" else "line")
        look: dict[str, Any] = {"fc": color("raised"), "ec": edge, "lw": 1.2}
        box = FancyBboxPatch((x - _HALF, y), 2 * _HALF, _TALL, **look)
        box.set_boxstyle("round", pad=0.02)
        ax.add_patch(box)
        word: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 10}
        ax.text(x, y + _TALL / 2, name, **word)
    for start, end in pairwise(places):
        _arrow(ax, (x, start + _TALL + 0.02), (x, end - 0.02))


def _across(ax: Axes, end: float) -> None:
    """From the last block of the encoder to every cross-attention."""
    x, ink = 5.8, color("muted")
    heights = [top + _PITCH + _TALL / 2 for _, top in _BLOCKS]
    way = [end + 0.02, end + 0.45, end + 0.45, heights[0]]
    ax.plot([_ENCODER, _ENCODER, x, x], way, color=ink, lw=1.2)
    for y in heights:
        _arrow(ax, (x, y), (_DECODER - _HALF - 0.03, y))
    ax.text(x - 0.15, 4.9, "no bias", rotation=90, **_small("right"))


def _table(ax: Axes, x: float, side: int) -> None:
    """Table of one stack, the bias made of it, and lines to the self-attentions."""
    ink = color("position")
    for row in range(8):
        for column in range(4):
            corner = (x - 0.4 + 0.2 * column, 0.02 + 0.2 * row)
            ax.add_patch(Rectangle(corner, 0.2, 0.2, fc="none", ec=ink, lw=0.8))
    at: dict[str, Any] = {"ha": "center", "va": "center", "color": ink}
    ax.text(x, -0.3, "table", fontsize=10.5, **at)
    ax.text(x, 2.05, "buckets\n× heads", fontsize=9.5, linespacing=1.15, **at)
    _arrow(ax, (x, 2.5), (x, 3.0), "position")
    ax.add_patch(Rectangle((x - 0.62, 3.05), 1.24, 1.24, fc="none", ec=ink))
    ax.text(x, 3.67, "bias of\nall pairs", fontsize=10, linespacing=1.2, **at)
    stack = _ENCODER if side > 0 else _DECODER
    near, far = x + side * 0.62, stack - side * (_HALF + 0.03)
    bend = near + side * 0.35
    tops = [top + _TALL / 2 for _, top in _BLOCKS]
    ax.plot([near, bend], [4.0, 4.0], color=ink, lw=1.4)
    ax.plot([bend, bend], [tops[0], tops[-1]], color=ink, lw=1.4)
    for y in tops:
        _arrow(ax, (bend, y), (far, y), "position")


def _small(align: str) -> dict[str, Any]:
    return {"ha": align, "va": "center", "fontsize": 9, "color": color("muted")}


def _arrow(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], role: str = "muted"
) -> None:
    look = {"arrowstyle": "->", "color": color(role), "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=look)
