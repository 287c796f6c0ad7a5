"""Cells of the skew: color tells the offset, hatching what is thrown away."""

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color

from .skew_matrices import Frames

#: matplotlib's color table for offsets; the darkest is the farthest key back.
OFFSET_COLORS = "viridis"


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
