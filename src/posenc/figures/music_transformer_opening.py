"""The picture that opens the chapter on the skew, and the cells that all draw."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from .matrix import readable_ink, signed
from .music_transformer_data import OFFSET_COLORS, Frames, skew_frames
from .themes import color


def opening(*, seq_len: int = 5, ax: Axes | None = None) -> Axes:
    """Products by offset on the left, the same by key on the right.

    Parameters
    ----------
    seq_len : int, default 5
        Queries, at most 10.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    gap = 2.6
    width = 2 * seq_len + gap
    if ax is None:
        ax = plt.subplots(figsize=(5.4, 5.4 * (seq_len + 3.1) / (width + 1.7)))[1]
    ax.set(xlim=(-1.6, width + 0.1), ylim=(seq_len + 1.3, -1.8), aspect="equal")
    ax.set_axis_off()
    frames, right = skew_frames(seq_len), seq_len + gap
    draw_cells(ax, frames, 0)
    draw_cells(ax, frames, 3, origin=(right, 0))
    words(ax, -0.3, -1.35, "in the column of the offset", "position", ha="left")
    words(ax, right - 0.3, -1.35, "in the column of the key", "key", ha="left")
    for i in range(seq_len):
        words(ax, i + 0.5, -0.45, signed(i + 1 - seq_len, 0) if i < seq_len - 1 else 0)
        words(ax, right + i + 0.5, -0.45, i)
        words(ax, -0.45, i + 0.5, "abcdefghij"[i], "query")
    words(ax, -1.25, seq_len / 2, "query", "query", rotation=90)
    middle = seq_len / 2
    arrow: Any = {"arrowstyle": "-|>", "mutation_scale": 16, "lw": 1.5}
    ends = ((seq_len + 0.35, middle), (right - 0.35, middle))
    ax.add_patch(FancyArrowPatch(*ends, color=color("text"), **arrow))
    words(ax, seq_len + gap / 2, middle - 0.55, "pad,")
    words(ax, seq_len + gap / 2, middle + 0.55, "reshape,")
    words(ax, seq_len + gap / 2, middle + 1.2, "drop")
    words(ax, seq_len / 2, seq_len + 0.65, "$Q E^\\top$", size=13)
    words(ax, right + seq_len / 2, seq_len + 0.65, "$S$", size=13)
    return ax


def draw_cells(
    ax: Axes,
    frames: Frames,
    which: int,
    *,
    origin: tuple[float, float] = (0, 0),
    size: float = 11,
) -> None:
    """Cells of one of the four matrices of a skew, each of side 1.

    Wanted products have the color of their offset, those of offset 0 a frame; products
    that nobody wants are pale and hatched, zeros that were put in are hollow.
    """
    matrix, wanted = frames.matrices[which], frames.wanted
    for (row, column), entry in np.ndenumerate(matrix):
        number = int(entry)
        x, y = origin[0] + column, origin[1] + row
        offset = number % frames.columns - (frames.seq_len - 1)
        kind = "wanted" if number in wanted else "garbage" if number >= 0 else "zero"
        ink = draw_cell(ax, (x, y), kind, number % frames.columns, frames.columns)
        if kind == "wanted" and offset == 0:
            inner: Any = {"fill": False, "ec": ink, "lw": 1}
            ax.add_patch(Rectangle((x + 0.1, y + 0.1), 0.8, 0.8, **inner))
        at: Any = {"ha": "center", "va": "center_baseline", "fontsize": size}
        ax.text(x + 0.5, y + 0.52, frames.label(number), color=ink, **at)


def draw_cell(
    ax: Axes, corner: tuple[float, float], kind: str, column: int, columns: int
) -> str:
    """One cell; returns the color in which its text is legible."""
    place = ((corner[0] + 0.03, corner[1] + 0.03), 0.94, 0.94)
    if kind == "zero":
        dashed: Any = {"fill": False, "ls": (0, (2, 2)), "ec": color("muted")}
        ax.add_patch(Rectangle(*place, **dashed))
        return color("muted")
    if kind == "garbage":
        pale: Any = {"fc": color("raised"), "ec": color("line"), "lw": 0}
        ax.add_patch(Rectangle(*place, hatch="////", **pale))
        # The text needs a ground without lines.
        middle = ((corner[0] + 0.2, corner[1] + 0.25), 0.6, 0.5)
        ax.add_patch(Rectangle(*middle, fc=color("raised"), ec="none"))
        return color("muted")
    shade = offset_shade(column, columns)
    ax.add_patch(Rectangle(*place, fc=shade, ec="none"))
    return readable_ink(shade)


def offset_shade(column: int, columns: int) -> Any:
    """Color of the offset that belongs to a column of the products."""
    return mpl.colormaps[OFFSET_COLORS](column / max(columns - 1, 1))


def words(
    ax: Axes, x: float, y: float, text: Any, role: str = "text", **at: Any
) -> Any:
    """Text in the middle of a place, in the color of a role."""
    size = at.pop("size", 11)
    style = {"ha": "center", "va": "center", "fontsize": size, "color": color(role)}
    return ax.text(x, y, str(text), **{**style, **at})
