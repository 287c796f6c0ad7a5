"""The map of the book: what each method gives the model, and through which door."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from posenc.core.chapters import chapters
from posenc.kit.figures.themes import choose, color

_Methods = tuple[tuple[str, bool | None, str], ...]


#: Door, then (method, whether it is learned, its chapter) for absolute and for relative
#: positions; None is a remark, not a method.
DOORS: tuple[tuple[str, _Methods, _Methods], ...]
DOORS = (
    (
        "added to\nthe input",
        (
            ("sinusoids", False, "sinusoidal"),
            ("BERT's table", True, "attention"),
            ("CAPE", False, "cape"),
        ),
        (("convolution", True, "convolutional"),),
    ),
    ("multiplied\ninto q and k", (), (("RoPE", False, "rope"),)),
    (
        "added to\nthe scores",
        (),
        (
            ("Shaw", True, "shaw"),
            ("Music Tr.", True, "music_transformer"),
            ("Transformer-XL", True, "transformer_xl"),
            ("T5", True, "t5"),
            ("Swin", True, "swin"),
            ("ALiBi", False, "alibi"),
        ),
    ),
    ("added to\nthe values", (), (("Shaw", True, "shaw"),)),
    ("nothing but\na causal mask", (("a decoder still sees order", None, "cape"),), ()),
)


_REMARK = "nothing"  # what stands in this row goes over both columns


_WAY = 0.35  # where attention's own way goes down, beside the doors


_NAME, _LEFT, _MIDDLE, _END = 0.75, 2.2, 4.35, 6.8  # columns, and the end


_LINE = 0.52  # height of a line of boxes


#: What stands on the way before each door, what happens at it, and what comes out last.
_STATIONS = (("$X$", "+"), ("$Q$, $K$", "×"), ("$S$", "+"), ("$A$, $V$", "+"))


_OUT = "$Z$"


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
    y, stations = 0.35, []
    for door, absolute, relative in DOORS:
        ax.plot([0, _END], [y, y], color=color("line"), lw=0.8, zorder=0)
        stations.append(y)
        columns = ((absolute, _LEFT), (relative, _MIDDLE))
        lines = [_lines(ax, column, 0, 0, draw=False) for column, _ in columns]
        # The way ends above the remark, and leaves its place free.
        x, down = (0.0, 0.3) if _REMARK in door else (_NAME, 0.2)
        ax.text(x, y + down, door, va="top", fontsize=10.5, linespacing=1.25)
        for column, x in columns:
            _lines(ax, column, x, y + 0.34)
            if not column and _REMARK not in door:
                ax.text(x + 0.05, y + 0.34, "–", va="center", color=color("muted"))
        y += max(2, *lines) * _LINE + 0.22
    ax.plot([0, _END], [y, y], color=color("line"), lw=0.8)
    _way(ax, stations)
    _box(ax, 0.05, y + 0.45, "fixed", learned=False)
    _box(ax, 1.75, y + 0.45, "learned, at least in part", learned=True)
    ax.set(xlim=(-0.05, _END), ylim=(y + 0.8, -0.3))
    ax.set_axis_off()
    return ax


def _way(ax: Axes, stations: list[float]) -> None:
    """Attention from the words to the outputs, through one door after another."""
    word: dict[str, Any] = {"ha": "center", "va": "center"}
    chip: dict[str, Any] = {"fc": color("surface"), "ec": color("line")}
    door: dict[str, Any] = {"fc": color("surface"), "ec": color("position"), "lw": 1.4}
    chip["boxstyle"], door["boxstyle"] = "round,pad=0.25", "circle,pad=0.15"
    arrow = {"arrowstyle": "-|>", "color": color("muted"), "shrinkA": 0, "shrinkB": 0}
    *begins, end = stations
    for (name, sign), start, stop in zip(
        _STATIONS, begins, [*begins[1:], end], strict=True
    ):
        middle = start + 0.45
        ax.plot([_WAY, _WAY], [start, stop], color=color("muted"), lw=1.2, zorder=0)
        ax.annotate("", (_WAY, stop - 0.18), (_WAY, stop - 0.2), arrowprops=arrow)
        ax.text(_WAY, start, name, fontsize=10, bbox=chip, **word)
        ax.text(_WAY, middle, sign, fontsize=11, bbox=door, **word)
    ax.text(_WAY, end, _OUT, fontsize=10, bbox=chip, **word)


def _lines(ax: Axes, methods: Any, x: float, y: float, *, draw: bool = True) -> int:
    """Write boxes side by side, as many as fit on a line; return the lines used."""
    at, line = 0.0, 0
    number = {slug: f" ({at})" for at, slug in enumerate(chapters(), 1)}
    for name, learned, slug in methods:
        label = name + number.get(slug, "")  # a book may have fewer chapters
        width = _width(label)
        if at and at + width > _END - _MIDDLE:
            at, line = 0.0, line + 1
        if draw:
            _box(ax, x + at, y + line * _LINE, label, learned=learned)
        at += width + 0.14
    return line + bool(methods)


def _width(name: str) -> float:
    return choose(0.115, 0.124) * len(name) + 0.2


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
    at: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
    at["fontsize"] = choose(10.5, 10)
    ax.text(x + _width(name) / 2 - 0.02, y + 0.01, name, **at)
