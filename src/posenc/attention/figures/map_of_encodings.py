"""The map of the book: what each method gives the model, and through which door."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from posenc.kit.figures.themes import color

_Methods = tuple[tuple[str, bool | None], ...]


#: Door, then (method, whether it is learned) for absolute and for relative positions;
#: None is a remark, not a method.
DOORS: tuple[tuple[str, _Methods, _Methods], ...]
DOORS = (
    (
        "added to\nthe input",
        (("sinusoids", False), ("table (BERT)", True), ("CAPE", False)),
        (("convolution", True),),
    ),
    ("multiplied\ninto q and k", (), (("RoPE", False),)),
    (
        "added to\nthe scores",
        (),
        (
            ("Shaw", True),
            ("Music Tr.", True),
            ("Transformer-XL", True),
            ("T5", True),
            ("Swin", True),
            ("ALiBi", False),
        ),
    ),
    ("added to\nthe values", (), (("Shaw", True),)),
    ("nothing but\na causal mask", (("a decoder can still count", None),), ()),
)


_REMARK = "nothing"  # what stands in this row goes over both columns


_LEFT, _MIDDLE, _END = 1.55, 3.85, 6.2  # where the two columns begin, and the end


_LINE = 0.52  # height of a line of boxes


def encodings_map(*, ax: Axes | None = None) -> Axes:
    """Methods of the book by door, absolute or relative, fixed or learned.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.8, 6.0))[1]
    head: dict[str, Any] = {"fontsize": 12, "weight": "bold", "va": "center"}
    ax.text(_LEFT + 0.05, 0, "absolute", color=color("position"), **head)
    ax.text(_MIDDLE + 0.05, 0, "relative", color=color("position"), **head)
    y = 0.35
    for door, absolute, relative in DOORS:
        ax.plot([0, _END], [y, y], color=color("line"), lw=0.8)
        columns = ((absolute, _LEFT), (relative, _MIDDLE))
        lines = [_lines(ax, column, 0, 0, draw=False) for column, _ in columns]
        ax.text(0, y + 0.2, door, va="top", fontsize=10.5, linespacing=1.25)
        for column, x in columns:
            _lines(ax, column, x, y + 0.34)
            if not column and _REMARK not in door:
                ax.text(x + 0.05, y + 0.34, "–", va="center", color=color("muted"))
        y += max(2, *lines) * _LINE + 0.22
    ax.plot([0, _END], [y, y], color=color("line"), lw=0.8)
    _box(ax, 0.05, y + 0.45, "fixed: an encoding", learned=False)
    _box(ax, 3.0, y + 0.45, "learned: an embedding", learned=True)
    ax.set(xlim=(-0.05, _END), ylim=(y + 0.8, -0.3))
    ax.set_axis_off()
    return ax


def _lines(ax: Axes, methods: Any, x: float, y: float, *, draw: bool = True) -> int:
    """Write boxes side by side, as many as fit on a line; return the lines used."""
    at, line = 0.0, 0
    for name, learned in methods:
        width = _width(name)
        if at and at + width > _END - _MIDDLE:
            at, line = 0.0, line + 1
        if draw:
            _box(ax, x + at, y + line * _LINE, name, learned=learned)
        at += width + 0.14
    return line + bool(methods)


def _width(name: str) -> float:
    return 0.122 * len(name) + 0.2


def _box(ax: Axes, x: float, y: float, name: str, *, learned: bool | None) -> None:
    if learned is None:
        ax.text(x + 0.05, y, name, va="center_baseline", fontsize=10.5)
        return
    look: dict[str, Any] = {"fc": "none", "ec": color("position"), "ls": (0, (3, 2))}
    if learned:
        look |= {"fc": color("raised"), "ls": "-"}
    box = FancyBboxPatch((x, y - 0.17), _width(name) - 0.04, 0.34, **look)
    box.set_boxstyle("round", pad=0.02)
    ax.add_patch(box)
    at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 10.5}
    ax.text(x + _width(name) / 2 - 0.02, y + 0.01, name, **at)
