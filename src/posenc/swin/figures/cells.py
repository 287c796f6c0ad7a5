"""Grids of cells with frames and letters, as the figures on Swin draw them."""

from typing import Any

import matplotlib as mpl
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.kit.figures.text import readable_ink, signed, signed_offset
from posenc.kit.figures.themes import color

from .made_up_table import BIAS_COLORS

#: Smallest cell, in points, whose text is drawn.
_LEGIBLE = 11


def shades_of(
    values: Float[np.ndarray, "rows columns"], *, limit: float | None = None
) -> Float[np.ndarray, "rows columns 4"]:
    """Color of each bias, on a scale symmetric about 0; nan is shown as 0."""
    values = np.nan_to_num(values)
    limit = float(np.abs(values).max()) if limit is None else limit
    norm = mpl.colors.CenteredNorm(halfrange=max(limit, 1e-9))
    return mpl.colormaps[BIAS_COLORS](norm(values))


def bias_text(values: Float[np.ndarray, "rows columns"]) -> Any:
    """Each bias in words; a question mark where the table has none."""
    words = np.vectorize(signed, otypes=[object])(np.nan_to_num(values))
    return np.where(np.isnan(values), "?", words)


def cells(
    ax: Axes, shades: Float[np.ndarray, "rows columns 4"], text: Any = None
) -> Axes:
    """Colored cells, row 0 on top, with their text where they are large enough."""
    rows, columns = shades.shape[:2]
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal")
    box, inch = ax.get_window_extent(), ax.figure.dpi
    points = min(box.width / columns, box.height / rows) * 72 / inch
    edges = np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5
    line = min(0.8, points / 12)
    ax.pcolormesh(*edges, shades, edgecolors=color("surface"), linewidth=line)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    if text is None or points < _LEGIBLE:
        return ax
    longest = max(len(word) for word in np.ravel(text))
    font = min(10.5, 1.35 * points / max(longest, 2))
    for r, c in np.ndindex(rows, columns):
        ink = readable_ink(shades[r, c])
        at: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
        ax.text(c, r, text[r, c], color=ink, fontsize=font, in_layout=False, **at)
    return ax


def frame(
    ax: Axes,
    row: int,
    column: int,
    shade: Any,
    *,
    letter: str = "",
    dashed: bool = False,
    outside: bool = False,
) -> None:
    """Frame around one cell: in `shade` if `outside`, else in ink legible on it."""
    ink = shade if outside else readable_ink(shade)
    grow = 0.5 if outside else 0.44 if dashed else 0.38
    corner, side = (column - grow, row - grow), 2 * grow
    style: dict[str, Any] = {"fill": False, "ec": ink, "zorder": 3 + outside}
    style |= {"lw": 3.0 if outside else 1.2, "ls": (0, (2, 2)) if dashed else "-"}
    ax.add_patch(Rectangle(corner, side, side, **style))
    if not letter:
        return
    at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 9}
    if not outside:
        ax.text(column, row, letter, color=ink, **at)
        return
    box = {"boxstyle": "square,pad=0.15", "fc": shade, "ec": "none"}
    side = -1 if letter == "q" else 1  # both fit if the two are one cell
    place = column + 0.36 * side, row - 0.38
    ax.text(*place, letter, color=color("surface"), bbox=box, zorder=5, **at)


def offset_axes(ax: Axes, height: int, width: int, *, every: int = 1) -> None:
    """Ticks of a table of offsets, query minus key, and what they count."""
    for axis, side in ((ax.xaxis, width), (ax.yaxis, height)):
        step = max(every, 1 + (2 * side - 2) // 16)
        offsets = [n for n in range(1 - side, side) if n % step == 0]
        words = [signed_offset(n) for n in offsets]
        axis.set_ticks([n + side - 1 for n in offsets], labels=words)
    ax.tick_params(length=0, labelcolor=color("position"))
    ax.tick_params(top=True, labeltop=False, bottom=False, labelbottom=True)
    ax.set_xlabel("column offset", color=color("position"))
    ax.set_ylabel("row offset", color=color("position"))
