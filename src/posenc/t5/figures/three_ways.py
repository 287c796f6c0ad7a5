"""Three ways to shrink the table of biases, on one ruler: all, clip, bucket."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Int
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc import t5
from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import color

from .matrices_of_buckets import BUCKET_COLORS


def _ways(
    length: int = 128, *, num_buckets: int = 32, max_distance: int = 128
) -> dict[str, Int[np.ndarray, " {length}"]]:
    """Which number each distance before the query uses: all, clipped, in buckets.

    The clip has as many numbers as the buckets of one direction.

    Parameters
    ----------
    length : int, default 128
        Distances 0 to length - 1.
    num_buckets, max_distance
        As in `posenc.t5.bucket_starts`, for both directions.
    """
    distance = np.arange(length)
    buckets = t5.relative_position_bucket(
        -distance, num_buckets=num_buckets, max_distance=max_distance
    )
    return {
        "all": distance,
        "clip": np.minimum(distance, num_buckets // 2 - 1),
        "bucket": buckets,
    }


def three_ways(*, length: int = 128, ax: Axes | None = None) -> Axes:
    """Boxes of distances that share a number, the query at the right end.

    Parameters
    ----------
    length : int, default 128
        Tokens on the ruler, the query among them.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.8, 3.7))[1]  # narrow: a phone shows it large
    ax.set(xlim=(-length - 1, 9), ylim=(8.2, -0.6))
    ax.set_axis_off()
    names = {
        "all": "all: a number for every distance",
        "clip": "clip: exact, then one for the rest",
        "bucket": "bucket: exact, then wider and wider",
    }
    for row, (way, numbers) in enumerate(_ways(length).items()):
        top = (0.25, 2.1, 4.65)[row]  # words lie under the second
        shared = _strip(ax, numbers, top)
        count = f"{int(numbers.max()) + 1} numbers"
        words: dict[str, Any] = {"va": "center", "fontsize": 10}
        left = 0.5 - length
        ax.text(left, top - 0.42, f"{names[way]} ({count})", **words)
        if shared < length - 1:
            told = f"all distances alike from {shared} on"
            ink: dict[str, Any] = {"color": color("position")}
            ax.plot([left, 0.5 - shared], [top + 1.0] * 2, lw=2, **ink)
            ax.text(left, top + 1.4, told, **ink, **words)
    _ruler(ax, length)
    return ax


def _strip(ax: Axes, numbers: Any, top: float) -> int:
    """One box for each number; return where the last one begins."""
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    ends = [*starts[1:], len(numbers)]
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        # Neighbors differ in shade, so that boxes of one token can be told apart.
        place = i / max(len(starts) - 1, 1)
        shade = mpl.colormaps[BUCKET_COLORS](0.15 + 0.75 * place)
        edge: dict[str, Any] = {"ec": color("surface"), "lw": 0.5}
        width = end - start
        ax.add_patch(Rectangle((0.5 - end, top), width, 0.85, fc=shade, **edge))
    return int(starts[-1])


def _ruler(ax: Axes, length: int) -> None:
    """Ticks for every relative position, and the query."""
    y = 6.75
    every = np.arange(1 - length, 1)
    for ticks, tall in ((every, 0.12), (every[every % 8 == 0], 0.25)):
        ax.vlines(ticks, y, y + tall, color=color("line"), lw=0.6)
    at: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 10}
    for r in range(-(length - 1) // 32 * 32 + 32, 0, 32):
        ax.text(r, y + 0.35, signed_offset(r), color=color("position"), **at)
    ax.text(0, y + 0.35, "query", color=color("query"), **at)
