"""Windows of an image: plain, shifted, and rolled together with their regions."""

from itertools import pairwise
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color
from posenc.swin import shift_regions

from .cells import cells


def windows(side: int = 8, window: int = 4, shift: int = 2) -> Figure:
    """Plain windows, shifted windows, and the shifted ones rolled into whole ones.

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
    """Pale shades by region: the letters say the same."""
    levels = 0.25 + 0.7 * ((regions * 4) % 9) / 9
    return mpl.colormaps["cividis"](levels)


def _letters(ax: Axes, regions: Int[np.ndarray, "side side"], shades: Any) -> None:
    """One letter in the middle of each piece."""
    for region in range(9):
        row, column = np.nonzero(regions == region)
        ink = readable_ink(shades[row[0], column[0]])
        at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 13}
        at["bbox"] = {"fc": shades[row[0], column[0]], "ec": "none", "pad": 1}
        place = column.mean(), row.mean()
        ax.text(*place, "ABCDEFGHI"[region], color=ink, weight="bold", **at)


def _borders(ax: Axes, side: int, window: int, first: int) -> None:
    """Frames of windows whose first inner border lies at `first`."""
    edges = sorted({0, side, *range(first, side + 1, window)})
    style: dict[str, Any] = {"fill": False, "ec": color("text"), "lw": 2.0}
    for top, bottom in pairwise(edges):
        for left, right in pairwise(edges):
            corner = (left - 0.5, top - 0.5)
            box = Rectangle(corner, right - left, bottom - top, **style)
            box.set_clip_on(False)
            ax.add_patch(box)
