"""Cells, patches and windows of an image: merged patches, shifted windows."""

from itertools import pairwise
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.text import readable_ink, signed, signed_offset
from posenc.kit.figures.themes import choose, color
from posenc.swin import shift_regions

#: matplotlib's color table for biases.
BIAS_COLORS = "coolwarm"
#: Smallest cell, in points, whose text is drawn.
_LEGIBLE = 11


def shades_of(
    values: Float[np.ndarray, "rows columns"], *, limit: float | None = None
) -> Float[np.ndarray, "rows columns 4"]:
    """Return the biases' colors, on a scale symmetric about 0; nan is shown as 0."""
    values = np.nan_to_num(values)
    limit = float(np.abs(values).max()) if limit is None else limit
    norm = mpl.colors.CenteredNorm(halfrange=max(limit, 1e-9))
    return mpl.colormaps[BIAS_COLORS](norm(values))


def bias_text(values: Float[np.ndarray, "rows columns"]) -> Any:
    """Return each bias in words, a question mark where the table has none."""
    words = np.vectorize(signed, otypes=[object])(np.nan_to_num(values))
    return np.where(np.isnan(values), "?", words)


def cells(
    ax: Axes, shades: Float[np.ndarray, "rows columns 4"], text: Any = None
) -> Axes:
    """Draw colored cells, row 0 on top, with their text where they are large enough."""
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
    """Frame one cell, in `shade` if `outside`, else in ink legible on it."""
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
    """Draw ticks and labels of a table of offsets, query minus key."""
    for axis, side in ((ax.xaxis, width), (ax.yaxis, height)):
        step = max(every, 1 + (2 * side - 2) // 16)
        offsets = [n for n in range(1 - side, side) if n % step == 0]
        words = [signed_offset(n) for n in offsets]
        axis.set_ticks([n + side - 1 for n in offsets], labels=words)
    ax.tick_params(length=0, labelcolor=color("position"))
    ax.tick_params(top=True, labeltop=False, bottom=False, labelbottom=True)
    ax.set_xlabel("column offset", color=color("position"))
    ax.set_ylabel("row offset", color=color("position"))


def windows(side: int = 8, window: int = 4, shift: int = 2) -> Figure:
    """Draw plain windows, shifted ones, and the shifted ones rolled into whole ones.

    Parameters
    ----------
    side, window, shift : int
        Side of the image, side of the window, and shift, in cells.
    """
    figure, axes = plt.subplots(1, 3, figsize=(5.4, 2.2))
    plain = np.zeros((side, side, 4))
    plain[:] = mpl.colors.to_rgba(color("raised"))
    rolled = shift_regions(side, side, (window, window), (shift, shift))
    origin = np.roll(rolled, (shift, shift), axis=(0, 1))
    titles = ("one layer", "the next layer", "rolled")
    for ax, title, regions in zip(axes, titles, (None, origin, rolled), strict=True):
        shades = plain if regions is None else _tint(regions)
        cells(ax, shades).set_title(title)
        if regions is not None:
            _letters(ax, regions, shades)
    _borders(axes[0], side, window, 0)
    _borders(axes[1], side, window, window - shift)
    _borders(axes[2], side, window, 0)
    return figure


def _tint(regions: Int[np.ndarray, "side side"]) -> Any:
    """Return pale shades by region, which also have letters."""
    levels = 0.25 + 0.7 * ((regions * 4) % 9) / 9
    return mpl.colormaps["cividis"](levels)


def _letters(ax: Axes, regions: Int[np.ndarray, "side side"], shades: Any) -> None:
    """Write one letter in the middle of each piece."""
    for region in range(9):
        row, column = np.nonzero(regions == region)
        ink = readable_ink(shades[row[0], column[0]])
        at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 13}
        at["bbox"] = {"fc": shades[row[0], column[0]], "ec": "none", "pad": 1}
        place = column.mean(), row.mean()
        ax.text(*place, "ABCDEFGHI"[region], color=ink, weight="bold", **at)


def _borders(ax: Axes, side: int, window: int, first: int) -> None:
    """Draw frames of windows whose first inner border lies at `first`."""
    edges = sorted({0, side, *range(first, side + 1, window)})
    style: dict[str, Any] = {"fill": False, "ec": color("text"), "lw": 2.0}
    for top, bottom in pairwise(edges):
        for left, right in pairwise(edges):
            corner = (left - 0.5, top - 0.5)
            box = Rectangle(corner, right - left, bottom - top, **style)
            box.set_clip_on(False)
            ax.add_patch(box)


_PIXELS, _PATCH, _WINDOW = 32, 4, 4
_MARKED = 1, 6  # row and column of the patch that is followed
_COLORS = "cividis"


def hierarchy() -> Figure:
    """Draw an image, its patches as tokens in windows, and the patches once merged.

    A cell of the later pictures has the mean brightness of its pixels.
    """
    image = _scene()
    figure, axes = plt.subplots(1, 3, figsize=(5.4, 2.3))
    pixels, tokens, merged = axes
    cells(pixels, _shades(image)).set_title(_title(32, "pixels"), fontsize=10)
    pixels.collections[0].set_edgecolor("face")  # no lines but those of the patches
    for edge in range(_PATCH, _PIXELS, _PATCH):
        style: dict[str, Any] = {"color": color("surface"), "lw": 1.0}
        pixels.axhline(edge - 0.5, **style)
        pixels.axvline(edge - 0.5, **style)
    _follow(pixels, _MARKED, _PATCH)
    cells(tokens, _shades(mean_of_blocks(image, _PATCH)))
    tokens.set_title(_title(8, "tokens"), fontsize=10)
    _borders(tokens, _PIXELS // _PATCH, _WINDOW, 0)
    _follow(tokens, _MARKED, 1)
    cells(merged, _shades(mean_of_blocks(image, 2 * _PATCH)))
    merged.set_title(_title(4, "merged tokens"), fontsize=10)
    _borders(merged, _PIXELS // _PATCH // 2, _WINDOW, 0)
    _follow(merged, (_MARKED[0] // 2, _MARKED[1] // 2), 1)
    return figure


def _title(side: int, what: str) -> str:
    return f"{side} × {side}{choose(' ', chr(10))}{what}"


def mean_of_blocks(
    image: Float[np.ndarray, "rows columns"], side: int
) -> Float[np.ndarray, "cell_rows cell_columns"]:
    """Return the mean of each block of `side` x `side` numbers.

    Examples
    --------
    >>> mean_of_blocks(np.arange(8.0).reshape(2, 4), 2)
    array([[2.5, 4.5]])
    """
    rows, columns = image.shape
    blocks = image.reshape(rows // side, side, columns // side, side)
    return blocks.mean(axis=(1, 3))


def _scene() -> Float[np.ndarray, "32 32"]:
    """Return a bright disk above two dark hills."""
    y, x = np.mgrid[:_PIXELS, :_PIXELS] / (_PIXELS - 1)
    scene = 0.62 - 0.25 * y
    scene[np.hypot(x - 0.76, y - 0.22) < 0.16] = 1.0
    scene[y > 0.78 - 0.3 * np.exp(-((x - 0.25) ** 2) / 0.03)] = 0.18
    scene[y > 0.9 - 0.22 * np.exp(-((x - 0.8) ** 2) / 0.05)] = 0.02
    return scene


def _shades(image: Float[np.ndarray, "rows columns"]) -> Any:
    return mpl.colormaps[_COLORS](image)


def _follow(ax: Axes, place: tuple[int, int], side: int) -> None:
    """Draw a frame around one block of `side` x `side` cells."""
    corner = place[1] * side - 0.5, place[0] * side - 0.5
    style: dict[str, Any] = {"fill": False, "ec": color("position"), "lw": 2.5}
    ax.add_patch(Rectangle(corner, side, side, clip_on=False, zorder=6, **style))
