"""The skew: the opening, vectors of pairs, matrices, and steps in memory."""

import textwrap
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle

from posenc.kit.figures.text import readable_ink, signed_offset
from posenc.kit.figures.themes import choose, color

#: Steps from one matrix to the next, for the causal skew and the other.
STEPS = {
    True: ("pad a column on the left", "reshape", "drop the first row"),
    False: (
        "pad a column on the right",
        "add L − 1 zeros and reshape",
        "keep L rows and the last L columns",
    ),
}


class Frames(NamedTuple):
    """The four matrices of a skew, as numbers for the origin of each entry.

    A number n at or above 0 is the product of query ``n // columns`` and offset
    ``n % columns - (seq_len - 1)``; one below 0 is a zero that was put in.
    """

    seq_len: int
    columns: int
    matrices: tuple[Int[np.ndarray, "rows columns"], ...]

    @property
    def wanted(self) -> set[int]:
        """Numbers of the products that the mask leaves to a query."""
        result = self.matrices[-1]
        causal = self.columns == self.seq_len
        needed = result[np.tril_indices(self.seq_len)] if causal else result.ravel()
        return {int(number) for number in needed}

    def label(self, number: int) -> str:
        """Return query and column of the product, such as ``b2``; ``0`` for zeros."""
        if number < 0:
            return "0"
        row, column = divmod(number, self.columns)
        return f"{'abcdefghij'[row]}{column}"


def skew_frames(seq_len: int, *, masked: bool = True) -> Frames:
    """Return matrices before, between and after the three steps of a skew.

    Parameters
    ----------
    seq_len : int
        Queries, L.
    masked : bool, default True
        True for `posenc.music_transformer.skew`, False for `skew_unmasked`.

    Examples
    --------
    >>> skew_frames(3).matrices[2]
    array([[-1,  0,  1],
           [ 2, -2,  3],
           [ 4,  5, -3],
           [ 6,  7,  8]])
    """
    columns = seq_len if masked else 2 * seq_len - 1
    products = np.arange(seq_len * columns).reshape(seq_len, columns)
    zeros = -1 - np.arange(2 * seq_len - 1)
    column = zeros[:seq_len, None]
    if masked:
        padded = np.concatenate([column, products], axis=1)
        reshaped = padded.reshape(seq_len + 1, seq_len)
        result = reshaped[1:]
    else:
        padded = np.concatenate([products, column], axis=1)
        filled = np.concatenate([padded.ravel(), zeros[seq_len:]])
        reshaped = filled.reshape(seq_len + 1, columns)
        result = reshaped[:seq_len, seq_len - 1 :]
    return Frames(seq_len, columns, (products, padded, reshaped, result))


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
    """Draw the cells of one of the four matrices of a skew, each of side 1.

    Products that a query needs have the color of their offset, those of offset 0 a
    frame. Other products are pale and hatched, zeros that were put in are hollow.
    """
    matrix, needed = frames.matrices[which], frames.wanted
    for (row, column), entry in np.ndenumerate(matrix):
        number = int(entry)
        x, y = origin[0] + column, origin[1] + row
        offset = number % frames.columns - (frames.seq_len - 1)
        kind = "wanted" if number in needed else "garbage" if number >= 0 else "zero"
        ink = draw_cell(ax, (x, y), kind, number % frames.columns, frames.columns)
        if kind == "wanted" and offset == 0:
            inner: Any = {"fill": False, "ec": ink, "lw": 1}
            ax.add_patch(Rectangle((x + 0.1, y + 0.1), 0.8, 0.8, **inner))
        at: Any = {"ha": "center", "va": "center_baseline", "fontsize": size}
        ax.text(x + 0.5, y + 0.52, frames.label(number), color=ink, **at)


def draw_cell(
    ax: Axes, corner: tuple[float, float], kind: str, column: int, columns: int
) -> str:
    """Draw one cell; return the color in which its text is legible."""
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
    """Return the color of the offset that belongs to a column of the products."""
    return mpl.colormaps[OFFSET_COLORS](column / max(columns - 1, 1))


def words(
    ax: Axes, x: float, y: float, text: Any, role: str = "text", **at: Any
) -> Any:
    """Write text in the middle of a place, in the color of a role."""
    size = at.pop("size", 11)
    style = {"ha": "center", "va": "center", "fontsize": size, "color": color(role)}
    return ax.text(x, y, str(text), **{**style, **at})


def opening(*, seq_len: int = 5, ax: Axes | None = None) -> Axes:
    """Draw products by offset on the left, and by key on the right.

    Parameters
    ----------
    seq_len : int, default 5
        Queries, at most 10.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    gap = 2.6
    width = 2 * seq_len + gap
    # The second matrix lies to the right, in the narrow version below.
    right, down = choose((seq_len + gap, 0.0), (0.0, seq_len + 4.2))
    if ax is None:
        size = 5.4, 5.4 * (seq_len + 3.1) / (width + 1.7)
        ax = plt.subplots(figsize=choose(size, (4.1, 6.8)))[1]
    high = down + seq_len + 1.3
    ax.set(xlim=(-1.6, choose(width, 6.4) + 0.1), ylim=(high, -1.8), aspect="equal")
    ax.set_axis_off()
    frames = skew_frames(seq_len)
    draw_cells(ax, frames, 0)
    draw_cells(ax, frames, 3, origin=(right, down))
    words(ax, -0.3, -1.35, "in the column of the offset", "position", ha="left")
    words(ax, right - 0.3, down - 1.35, "in the column of the key", "key", ha="left")
    for i in range(seq_len):
        words(ax, i + 0.5, -0.45, signed_offset(i + 1 - seq_len))
        words(ax, right + i + 0.5, down - 0.45, i)
        words(ax, -0.45, i + 0.5, "abcdefghij"[i], "query")
    words(ax, -1.25, seq_len / 2, "query", "query", rotation=90)
    middle = seq_len / 2
    arrow: Any = {"arrowstyle": "-|>", "mutation_scale": 16, "lw": 1.5}
    low = seq_len + 1.2
    ends = choose(
        ((seq_len + 0.35, middle), (right - 0.35, middle)),
        ((middle, low), (middle, down - 1.8)),
    )
    ax.add_patch(FancyArrowPatch(*ends, color=color("text"), **arrow))
    if choose(True, False):
        words(ax, seq_len + gap / 2, middle - 0.55, "pad,")
        words(ax, seq_len + gap / 2, middle + 0.55, "reshape,")
        words(ax, seq_len + gap / 2, middle + 1.2, "drop")
    else:
        words(ax, middle + 0.5, low + 0.6, "pad, reshape, drop", ha="left")
    words(ax, choose(seq_len / 2, 1.0), seq_len + 0.65, "$Q E^\\top$", size=13)
    words(ax, right + seq_len / 2, down + seq_len + 0.65, "$S$", size=13)
    return ax


def big_tensor(*, seq_len: int = 5, ax: Axes | None = None) -> Axes:
    """Draw the vector of each pair of query and key, and the table they all come from.

    Parameters
    ----------
    seq_len : int, default 5
        Queries and keys.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.0, 4.0))[1]
    right = seq_len + 1.9
    ax.set(xlim=(-1.5, right + 1.7), ylim=(seq_len + 0.9, -1.6), aspect="equal")
    ax.set_axis_off()
    for i, j in np.ndindex(seq_len, seq_len):
        _vector(ax, (j, i), j - i, seq_len, hidden=j > i)
    for row in range(seq_len):
        _vector(ax, (right, row), row - (seq_len - 1), seq_len)
        words(ax, row + 0.5, -0.4, row)
        words(ax, -0.4, row + 0.5, row)
    words(ax, seq_len / 2, -1.15, "key", "key")
    words(ax, -1.15, seq_len / 2, "query", "query", rotation=90)
    words(ax, seq_len / 2, seq_len + 0.5, "$R$: a vector for each pair", size=11.5)
    words(ax, right + 0.5, seq_len + 0.5, "$E$", size=11.5)
    return ax


def _vector(
    ax: Axes, corner: Any, offset: int, seq_len: int, *, hidden: bool = False
) -> None:
    kind = "zero" if hidden else "wanted"
    ink = draw_cell(ax, corner, kind, offset + seq_len - 1, seq_len)
    if offset == 0:
        inner = Rectangle((corner[0] + 0.1, corner[1] + 0.1), 0.8, 0.8, fill=False)
        inner.set(edgecolor=ink, linewidth=1)
        ax.add_patch(inner)
    if not hidden:
        number = signed_offset(offset)
        at: Any = {"color": ink, "fontsize": 11, "ha": "center"}
        label = f"$w_{{{number}}}$"
        ax.text(corner[0] + 0.5, corner[1] + 0.52, label, va="center_baseline", **at)


def steps(
    *, seq_len: int = 4, masked: bool = True, followed: int | None = None
) -> Figure:
    """Draw the four matrices of a skew: products, padded, reshaped, result.

    Parameters
    ----------
    seq_len : int, default 4
        Queries.
    masked : bool, default True
        As in `skew_frames`.
    followed : int, optional
        Number of a product that gets a thick frame in every matrix.
    """
    frames = skew_frames(seq_len, masked=masked)
    columns = frames.columns + 1
    figure, axes = plt.subplots(
        2, 2, figsize=(5.4, choose(5.4, 4.4) * (seq_len + 2.3) / columns)
    )
    names = ("products", *(f"{i}. {step}" for i, step in enumerate(STEPS[masked], 1)))
    for which, (ax, name) in enumerate(zip(axes.flat, names, strict=True)):
        rows, wide = frames.matrices[which].shape
        ax.set(xlim=(-0.75, columns), ylim=(seq_len + 1.1, -1.2), aspect="equal")
        ax.set_axis_off()
        draw_cells(ax, frames, which)
        ax.set_title(_wrapped(name), fontsize=11, loc="left", x=0.75 / (columns + 0.75))
        _heads(ax, which, rows, wide, seq_len)
        for row, column in np.argwhere(frames.matrices[which] == followed):
            thick = Rectangle((column, row), 1, 1, fill=False, lw=2.5)
            thick.set(edgecolor=color("text"), zorder=3)
            ax.add_patch(thick)
    return figure


def _wrapped(name: str) -> str:
    if choose(False, True):
        return textwrap.fill(name, 20)
    return name if len(name) < 26 else name.replace(" and ", " and\n", 1)


def _heads(ax: Axes, which: int, rows: int, wide: int, seq_len: int) -> None:
    """Label rows that are queries, and columns that are offsets or keys."""
    for row in range(rows) if which != 2 else ():
        words(ax, -0.4, row + 0.5, "abcdefghij"[row], "query")
    for column in range(wide) if which in (0, 3) else ():
        offset = column - (seq_len - 1)
        head = column if which == 3 else signed_offset(offset)
        role = "key" if which == 3 else "position"
        words(ax, column + 0.5, -0.45, head, role, size=10)


def tape(*, seq_len: int = 3, ax: Axes | None = None) -> Axes:
    """Draw the padded numbers as they lie in memory, read in two lengths of row.

    Parameters
    ----------
    seq_len : int, default 3
        Queries.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    frames = skew_frames(seq_len)
    (_, padded, *rest) = frames.matrices
    line = padded.ravel()
    if ax is None:
        ax = plt.subplots(figsize=(5.6, 2.3))[1]
    ax.set(xlim=(-0.2, len(line) + 0.2), ylim=(3.3, -1.9), aspect="equal")
    ax.set_axis_off()
    draw_cells(ax, frames._replace(matrices=(line[None], *rest)), 0, size=10)
    for index in range(len(line)):
        words(ax, index + 0.5, 1.4, index, "muted", size=9)
    for rows, length, side in ((seq_len, seq_len + 1, -1), (seq_len + 1, seq_len, 1)):
        y = -0.35 if side < 0 else 2.0
        for row in range(rows):
            dropped = side > 0 and row == 0
            name = "dropped" if dropped else f"row {row - (side > 0)}"
            _bracket(ax, row * length, length, y, side, name, dropped=dropped)
    words(ax, 0, -1.55, f"before: rows of {seq_len + 1}", ha="left", size=10.5)
    words(ax, 0, 3.05, f"after: rows of {seq_len}", ha="left", size=10.5)
    return ax


def _bracket(
    ax: Axes,
    start: int,
    length: int,
    y: float,
    side: int,
    name: str,
    *,
    dropped: bool = False,
) -> None:
    """Draw a bracket below some cells (side 1) or above (side -1), and its name."""
    role = "muted" if dropped else "text"
    ends = (start + 0.08, start + length - 0.08)
    heights = [y - side * 0.2, y, y, y - side * 0.2]
    style: Any = {"color": color(role), "lw": 1.2, "ls": ":" if dropped else "-"}
    ax.plot([ends[0], *ends, ends[1]], heights, **style)
    words(ax, sum(ends) / 2, y + side * 0.5, name, role, size=10)


def view(*, seq_len: int = 3, ax: Axes | None = None) -> Axes:
    """Draw the products as they lie in memory, without a pad, and rows that overlap.

    Parameters
    ----------
    seq_len : int, default 3
        Queries.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    frames = skew_frames(seq_len)
    products, *rest = frames.matrices
    line = products.ravel()
    if ax is None:
        ax = plt.subplots(figsize=(4.4, 3.0))[1]
    ax.set(xlim=(-0.2, len(line) + 0.2), ylim=(4.5, -1.9), aspect="equal")
    ax.set_axis_off()
    draw_cells(ax, frames._replace(matrices=(line[None], *rest)), 0, size=10)
    for index in range(len(line)):
        words(ax, index + 0.5, 1.4, index, "muted", size=9)
    for row in range(seq_len):
        before, after = row * seq_len, (row + 1) * (seq_len - 1)
        _bracket(ax, before, seq_len, -0.35, -1, f"row {row}")
        _bracket(ax, after, seq_len, 2.0 + 1.05 * (row % 2), 1, f"row {row}")
    words(ax, 0, -1.55, f"products: a row every {seq_len}", ha="left", size=10.5)
    words(ax, 0, 4.2, f"view: a row every {seq_len - 1}", ha="left", size=10.5)
    return ax
