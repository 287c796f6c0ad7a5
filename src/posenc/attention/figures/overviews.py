"""The encoder block, the steps between words, and the map of the book's methods."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle, FancyBboxPatch

from posenc.core import running_example as example
from posenc.core.chapters import chapters
from posenc.kit.figures.themes import choose, color


def paths(*, ax: Axes | None = None) -> Axes:
    """Draw the steps from the first word to the last: all in an RNN, one in attention.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.7, 2.8))[1]
    words = ["I", "am", "going", "to", "eat"]
    ax.set(xlim=(-0.6, 4.6), ylim=(-0.4, 2.75))
    ax.set_axis_off()
    for y, top, name in (
        (1.95, 2.5, "recurrent network: 4 steps"),
        (0.0, 1.25, "attention: 1 step"),
    ):
        for x, word in enumerate(words):
            _word_box(ax, (x, y), word, ends=x in (0, 4))
        ax.text(-0.4, top, name, fontsize=11.5, va="center")
    arrow: dict[str, Any] = {"arrowstyle": "-|>", "lw": 2, "shrinkA": 0, "shrinkB": 0}
    for x in range(4):
        look = {**arrow, "color": color("text")}
        ax.annotate("", (x + 0.62, 1.95), (x + 0.4, 1.95), arrowprops=look)
    for x in range(4):
        reach, middle = 4 - x, ((x + 4) / 2, 0.27)
        arc = Arc(middle, reach, 0.38 * reach, theta1=0, theta2=180)
        arc.set(color=color("line" if x else "text"), lw=0.9 if x else 2.2)
        ax.add_patch(arc)
    return ax


def _word_box(ax: Axes, at: tuple[float, float], word: str, *, ends: bool) -> None:
    x, y = at
    look: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
    if ends:
        look |= {"ec": color("text"), "lw": 2}
    box = FancyBboxPatch((x - 0.36, y - 0.22), 0.72, 0.44, **look)
    box.set_boxstyle("round", pad=0.02)
    ax.add_patch(box)
    ax.text(x, y, word, ha="center", va="center_baseline", fontsize=11)


_LANES = (0.0, 1.25, 2.5)  # one for each token
_ASIDE = 3.35  # x at which the names of the parts begin
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
    """Draw one block of an encoder, with a lane for each token.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw two heads, one before the other, where the lines of all rows cross."""
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


_REMARK = "nothing"  # this row has both columns
_WAY = 0.35  # x of attention's own path, beside the doors
_NAME, _LEFT, _MIDDLE, _END = 0.75, 2.2, 4.35, 6.8  # columns, and the end
_LINE = 0.52  # height of a line of boxes


#: Tensors before each door with the operation at it, and the last output.
_STATIONS = (("$X$", "+"), ("$Q$, $K$", "×"), ("$S$", "+"), ("$A$, $V$", "+"))
_OUT = "$Z$"


def encodings_map(*, ax: Axes | None = None) -> Axes:
    """Draw the book's methods by door, absolute or relative, fixed or learned.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
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
        # The path ends above the remark, to leave its place free.
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
    """Draw attention's path from the words to the outputs, through the doors."""
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
    letters = len(name) + 0.35 * sum(letter.isupper() for letter in name)
    return choose(0.111, 0.117) * letters + 0.2


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
