"""From pixels to tokens, and to fewer tokens: patches, windows, patch merging."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.themes import choose, color

from .cells import cells
from .shifted_windows import _borders

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
    """Mean of each block of `side` x `side` numbers.

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
    """Frame around one block of `side` x `side` cells."""
    corner = place[1] * side - 0.5, place[0] * side - 0.5
    style: dict[str, Any] = {"fill": False, "ec": color("position"), "lw": 2.5}
    ax.add_patch(Rectangle(corner, side, side, clip_on=False, zorder=6, **style))
