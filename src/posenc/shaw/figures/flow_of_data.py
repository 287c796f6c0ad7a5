"""Where the vectors enter attention."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from posenc.kit.figures.text import CENTERED
from posenc.kit.figures.themes import color

#: Where query, key and value stand in a column.
_ROLES = (0.5, 1.8, 4.1)


def data_flow(*, ax: Axes | None = None) -> Axes:
    """Two columns: absolute positions enter once, Shaw's vectors in every layer."""
    if ax is None:
        ax = plt.subplots(figsize=(5.2, 5.4))[1]
    ax.set(xlim=(-0.1, 10.1), ylim=(-0.3, 11.6))
    ax.set_axis_off()
    for left, relative in ((0.0, False), (5.4, True)):
        _column(ax, left, relative)
    return ax


def _column(ax: Axes, left: float, relative: bool) -> None:
    """One attention layer from top to bottom; purple is where position enters."""
    title = "relative (Shaw)" if relative else "absolute"
    ax.text(left + 2.3, 11.2, title, **CENTERED, fontsize=12, weight="bold")
    _box(ax, (left + 1.3, 9.9), 2.0, "token x")
    if not relative:
        _door(ax, (left, 9.0), 1.05, "$p_i$")
        ax.text(left + 3.5, 9.0, "once", **CENTERED, fontsize=10, color=color("muted"))
        _plus(ax, (left + 2.3, 9.0))
        _arrow(ax, (left + 1.1, 9.0), (left + 2.0, 9.0))
        _arrow(ax, (left + 2.3, 9.85), (left + 2.3, 9.32))
    top = 9.85 if relative else 8.68
    for x, role in zip(_ROLES, ("query", "key", "value"), strict=True):
        _box(ax, (left + x - 0.45, 6.9), 0.9, role[0], role)
        _arrow(ax, (left + 2.3, top), (left + x, 7.75))
    _box(ax, (left + 0.1, 4.4), 2.0, "score")
    _box(ax, (left + 0.1, 2.7), 2.0, "weights")
    _box(ax, (left + 1.2, 0.4), 2.2, "output")
    _ways_to_the_output(ax, left, relative)
    words = "in every layer" if relative else "nothing more"
    at: dict[str, Any] = {"fontsize": 10, "color": color("muted")}
    ax.text(left + 2.3, -0.15, words, **CENTERED, **at)


def _ways_to_the_output(ax: Axes, left: float, relative: bool) -> None:
    """Arrows from query, key and value to the output, where Shaw's vectors join two."""
    query, key, value = (left + x for x in _ROLES)
    _arrow(ax, (query, 6.85), (query, 5.25))
    _arrow(ax, (left + 1.1, 4.35), (left + 1.1, 3.55))
    _arrow(ax, (left + 1.1, 2.65), (left + 1.8, 1.25))
    if not relative:
        _arrow(ax, (key, 6.85), (key, 5.25))
        _arrow(ax, (value, 6.85), (left + 2.95, 1.25))
        return
    for x, y, side, name in ((key, 6.05, 1, "K"), (value, 3.1, -1, "V")):
        _plus(ax, (x, y))
        _arrow(ax, (x, 6.85), (x, y + 0.32))
        _door(ax, (x + side * 1.25 - 0.5, y), 1.0, f"$a^{name}_{{ij}}$")
        _arrow(ax, (x + side * 0.75, y), (x + side * 0.32, y))
    _arrow(ax, (key, 5.75), (key, 5.25))
    _arrow(ax, (value - 0.15, 2.83), (left + 2.95, 1.25))


def _box(ax: Axes, corner: Any, width: float, text: str, role: str = "text") -> None:
    style: dict[str, Any] = {"fc": color("raised"), "ec": color("line"), "lw": 1}
    ax.add_patch(Rectangle(corner, width, 0.8, zorder=2, **style))
    at = (corner[0] + width / 2, corner[1] + 0.38)
    ax.text(*at, text, **CENTERED, color=color(role), fontsize=11.5, zorder=3)


def _door(ax: Axes, corner: Any, width: float, text: str) -> None:
    """Box in the color of position: what a method adds."""
    (x, y) = corner
    style: dict[str, Any] = {"fc": color("surface"), "ec": color("position"), "lw": 2}
    ax.add_patch(Rectangle((x, y - 0.45), width, 0.9, zorder=2, **style))
    at: dict[str, Any] = {"color": color("position"), "fontsize": 11.5, "zorder": 3}
    ax.text(x + width / 2, y, text, **CENTERED, **at)


def _plus(ax: Axes, at: Any) -> None:
    style: dict[str, Any] = {"fc": color("surface"), "ec": color("text"), "lw": 1}
    ax.add_patch(Circle(at, 0.3, zorder=2, **style))
    ax.text(at[0], at[1], "+", **CENTERED, fontsize=12, zorder=3)


def _arrow(ax: Axes, start: Any, end: Any) -> None:
    style: dict[str, Any] = {"color": color("muted"), "lw": 1.2, "shrinkA": 0}
    ax.add_patch(
        FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=9, shrinkB=0, **style
        )
    )
