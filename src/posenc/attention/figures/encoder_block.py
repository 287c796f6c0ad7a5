"""One block of an encoder: where rows meet, and where each row is alone."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch

from posenc.core import running_example as example
from posenc.kit.figures.themes import choose, color

_LANES = (0.0, 1.25, 2.5)  # one for each token


_ASIDE = 3.35  # where the names of the parts begin


_THICK = 2.4  # width of the lines around a part


#: Parts that treat each row alone, and how far down they stand.
_ALONE = (
    ("project", "heads joined,\nand projected", 2.8),
    ("+", "residual connection", 3.5),
    ("norm", "layer normalization", 4.2),
    ("feed-\nforward", "feed-forward\nnetwork", 5.25),
    ("+", "residual connection", 6.1),
    ("norm", "layer normalization", 6.8),
)


def encoder_block(*, ax: Axes | None = None) -> Axes:
    """One block of an encoder, with a lane for each token.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.7, 6.0))[1]
    ax.set(xlim=(-0.75, 5.6), ylim=(7.95, -0.3))
    ax.set_axis_off()
    for x, token in zip(_LANES, example.TOKENS, strict=True):
        word: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 12}
        ax.text(x, 0, token, weight="bold", **word)
        ax.text(x, 7.7, "output", **word)
        tops = [0.25, 2.22, 3.0, 3.72, 4.4, 5.54, 6.32, 7.0]
        ends = [0.9, 2.6, 3.28, 4.0, 4.96, 5.88, 6.6, 7.45]
        for start, end in zip(tops, ends, strict=True):
            _arrow(ax, (x, start), (x, end))
        _around(ax, x, 0.5, 3.5)
        _around(ax, x, 4.6, 6.1)
    _attention(ax)
    for y, words in ((0.75, "rows meet"), (2.3, "each row alone")):
        ax.text(_ASIDE, y, words, va="center", fontsize=11.5, weight="bold")
    for sign, name, y in _ALONE:
        for x in _LANES:
            _part(ax, (x, y), sign)
        ax.text(_ASIDE, y, name, va="center", fontsize=10.5, linespacing=1.2)
    return ax


def _attention(ax: Axes) -> None:
    """Two heads, one in front of the other: all rows enter, and lines cross."""
    for head, shift in (("head 1", 0.14), ("head 0", 0.0)):
        look: dict[str, Any] = {"fc": color("raised"), "ec": color("line"), "lw": 1.4}
        corner = (-0.4 + shift, 0.95 + shift)
        box = FancyBboxPatch(corner, 3.2, 1.1, **look)
        box.set_boxstyle("round", pad=0.02)
        ax.add_patch(box)
        at: dict[str, Any] = {"va": "center", "fontsize": 10.5}
        ax.text(_ASIDE, 1.5 if head == "head 0" else 1.85, head, **at)
    for start in _LANES:
        for end in _LANES:
            ax.plot([start, end], [1.05, 1.95], color=color("muted"), lw=1.1)
    ax.text(_ASIDE, 1.15, "attention", va="center", fontsize=10.5)


def _part(ax: Axes, at: tuple[float, float], sign: str) -> None:
    look: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
    word: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 10.5}
    x, y = at
    if sign == "+":
        ax.add_patch(Circle(at, 0.2, **{**look, "ec": color("text"), "lw": 1.4}))
    else:
        half = 0.27 if "\n" in sign else 0.17
        side = choose(0.36, 0.45)
        box = FancyBboxPatch((x - side, y - half), 2 * side, 2 * half, **look)
        box.set_boxstyle("round", pad=0.02)
        ax.add_patch(box)
    if "\n" in sign:
        word |= {"fontsize": 9.5, "linespacing": 1.0}
    ax.text(x, y, sign, **word)


def _around(ax: Axes, x: float, start: float, end: float) -> None:
    """Bypass of a part, from a lane to the sum below it, behind all boxes."""
    left = x - 0.55
    thick: dict[str, Any] = {"color": color("text"), "lw": _THICK}
    ax.plot([x, left, left], [start, start, end], zorder=0, **thick)
    _arrow(ax, (left, end), (x - 0.22, end), **thick)


def _arrow(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], **other: Any
) -> None:
    look = {"arrowstyle": "->", "color": color("muted"), "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=look | other)
