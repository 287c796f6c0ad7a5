"""Where the bias enters T5: one table for each stack, and no bias between the two."""

from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from posenc.kit.figures.themes import color

# All places are in inches: the figure is narrow, so that a phone shows it large.
_WIDE, _HIGH = 4.8, 7.2
_ENCODER, _DECODER = 1.22, 3.58  # middles of the two stacks
_HALF, _FRAME = 0.66, 0.8  # half the width of a part, and of a block
_TALL, _PITCH = 0.28, 0.4  # height of a part, and from one to the next
_HEAD = 0.24  # from the top of a block to its first part
_BLOCKS = (("block 0", 2.1), ("block 1", 3.65), ("last block", 5.35))
_BLOCK = _HEAD + 2 * _PITCH + _TALL + 0.07  # height of a block


def place_in_network(*, ax: Axes | None = None) -> Axes:
    """Draw T5's encoder and decoder, and the bias's way from its table to the scores.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(_WIDE, _HIGH))[1]
    ax.set(xlim=(0, _WIDE), ylim=(_HIGH, 0))
    ax.set_axis_off()
    for x, title in ((_ENCODER, "encoder"), (_DECODER, "decoder")):
        ax.text(x, 0.12, title, weight="bold", **_words("text", size=12))
        ax.text(x, 1.75, "tokens,\nno position added", **_words("text"))
        _arrow(ax, (x, 1.94), (x, 2.08))
    for name, top in _BLOCKS:
        _block(ax, _ENCODER, top, (name, "self-attention", "", "feed-forward"))
        parts = ("self-attention", "cross-attention", "feed-forward")
        _block(ax, _DECODER, top, (name, *parts))
    ends = [top + _BLOCK for _, top in _BLOCKS]
    for x in (_ENCODER, _DECODER):
        _arrow(ax, (x, ends[0]), (x, _BLOCKS[1][1] - 0.02))
        ax.text(x, (ends[1] + _BLOCKS[2][1]) / 2, "⋮", **_words("text", size=15))
    _arrow(ax, (_DECODER, ends[2]), (_DECODER, ends[2] + 0.18))
    ax.text(_DECODER, ends[2] + 0.28, "next token", **_words("text"))
    _across(ax, ends[2])
    _table(ax, _ENCODER, 1)
    _table(ax, _DECODER, -1)
    return ax


def _block(ax: Axes, x: float, top: float, names: tuple[str, ...]) -> None:
    """Frame of one block, its name and its parts; an empty name leaves a place free."""
    look: dict[str, Any] = {"fc": "none", "ec": color("line"), "lw": 0.8}
    ax.add_patch(Rectangle((x - _FRAME, top), 2 * _FRAME, _BLOCK, **look))
    title, *parts = names
    ax.text(x, top + _HEAD / 2, title, **_words("muted"))
    places = [top + _HEAD + _PITCH * i for i, name in enumerate(parts) if name]
    for y, name in zip(places, filter(None, parts), strict=True):
        edge = color("position" if name == "self-attention" else "line")
        look = {"fc": color("raised"), "ec": edge, "lw": 1.2}
        box = FancyBboxPatch((x - _HALF, y), 2 * _HALF, _TALL, **look)
        box.set_boxstyle("round", pad=0.01)
        ax.add_patch(box)
        ax.text(x, y + _TALL / 2, name, **_words("text"))
    for start, end in pairwise(places):
        _arrow(ax, (x, start + _TALL + 0.01), (x, end - 0.01))


def _across(ax: Axes, end: float) -> None:
    """From the last block of the encoder to every cross-attention."""
    x, ink = (_ENCODER + _DECODER) / 2 + 0.1, color("muted")
    heights = [top + _HEAD + _PITCH + _TALL / 2 for _, top in _BLOCKS]
    way = [end, end + 0.18, end + 0.18, heights[0]]
    ax.plot([_ENCODER, _ENCODER, x, x], way, color=ink, lw=1.2)
    for y in heights:
        _arrow(ax, (x, y), (_DECODER - _HALF - 0.02, y))
    ax.text(
        x - 0.13, (heights[0] + heights[1]) / 2, "no bias", **_words("muted", turn=90)
    )


def _table(ax: Axes, x: float, side: int) -> None:
    """Table of one stack, the bias made of it, and lines to the self-attentions."""
    ink = color("position")
    middle, outer = x + side * 0.33, x - side * 0.73  # of the table, of the bias
    for row in range(8):
        for column in range(4):
            corner = (middle - 0.2 + 0.1 * column, 0.52 + 0.09 * row)
            ax.add_patch(Rectangle(corner, 0.1, 0.09, fc="none", ec=ink, lw=0.7))
    ax.text(middle, 0.4, "table", **_words("position"))
    ax.text(middle, 1.38, "buckets × heads", **_words("position"))
    near, far = middle - side * 0.24, outer + side * 0.43
    _arrow(ax, (near, 0.88), (far, 0.88), "position")
    ax.add_patch(Rectangle((outer - 0.4, 0.48), 0.8, 0.8, fc="none", ec=ink))
    ax.text(outer, 0.88, "bias of\nall pairs", **_words("position"))
    bend = x - side * 1.03
    tops = [top + _HEAD + _TALL / 2 for _, top in _BLOCKS]
    ax.plot([bend, bend], [1.28, tops[-1]], color=ink, lw=1.4)
    for y in tops:
        _arrow(ax, (bend, y), (x - side * (_HALF + 0.02), y), "position")


def _words(role: str, *, size: float = 10, turn: float = 0) -> dict[str, Any]:
    look = {"color": color(role), "fontsize": size, "rotation": turn}
    return {"ha": "center", "va": "center", "linespacing": 1.15, **look}


def _arrow(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], role: str = "muted"
) -> None:
    look = {"arrowstyle": "->", "color": color(role), "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=look)
