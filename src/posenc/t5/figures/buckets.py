"""Buckets as boxes on a ruler, as a staircase and as a table."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Bool, Int
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc import t5
from posenc.core.arrays import relative_positions
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import choose, color


def _numberings(
    length: int = 128, *, num_buckets: int = 32, max_distance: int = 128
) -> dict[str, Int[np.ndarray, " {length}"]]:
    """Return the number that each distance uses: all, clipped, in buckets.

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
    """Draw boxes of distances that share a number, with the query at the right end.

    Parameters
    ----------
    length : int, default 128
        Tokens on the ruler, the query among them.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    for row, (rule, numbers) in enumerate(_numberings(length).items()):
        top = (0.25, 2.1, 4.65)[row]  # words lie under the second
        shared = _strip(ax, numbers, top)
        count = f"{int(numbers.max()) + 1} numbers"
        words: dict[str, Any] = {"va": "center", "fontsize": 10}
        left = 0.5 - length
        ax.text(left, top - 0.42, f"{names[rule]} ({count})", **words)
        if shared < length - 1:
            label = f"all distances alike from {shared} on"
            ink: dict[str, Any] = {"color": color("position")}
            ax.plot([left, 0.5 - shared], [top + 1.0] * 2, lw=2, **ink)
            ax.text(left, top + 1.4, label, **ink, **words)
    _ruler_of_tokens(ax, length)
    return ax


def _strip(ax: Axes, numbers: Any, top: float) -> int:
    """Draw one box for each number; return where the last one begins."""
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


def _ruler_of_tokens(ax: Axes, length: int) -> None:
    """Draw ticks for every relative position, and the query."""
    y = 6.75
    every = np.arange(1 - length, 1)
    for ticks, tall in ((every, 0.12), (every[every % 8 == 0], 0.25)):
        ax.vlines(ticks, y, y + tall, color=color("line"), lw=0.6)
    at: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 10}
    for r in range(-(length - 1) // 32 * 32 + 32, 0, 32):
        ax.text(r, y + 0.35, signed_offset(r), color=color("position"), **at)
    ax.text(0, y + 0.35, "query", color=color("query"), **at)


#: Bucket, first and last relative position; the outer ends are infinite.
Step = tuple[int, int | float, int | float]


def bucket_steps(
    *, num_buckets: int, max_distance: int, bidirectional: bool = True
) -> tuple[list[Step], list[tuple[int, float]]]:
    """Return each bucket's range of relative positions, and the buckets that have none.

    Parameters
    ----------
    num_buckets, max_distance, bidirectional
        As in `posenc.t5.bucket_starts`.

    Returns
    -------
    steps : list of (bucket, first, last)
        In the order of relative positions; ends without limit are infinite.
    empty : list of (bucket, where)
        Buckets without a relative position, with the edge at which they would lie.

    Examples
    --------
    >>> bucket_steps(num_buckets=4, max_distance=8)[0]
    [(1, -inf, -1), (0, 0, 0), (3, 1, inf)]
    """
    starts = t5.bucket_starts(
        bidirectional=bidirectional, num_buckets=num_buckets, max_distance=max_distance
    ).tolist()
    ends = [*(start - 1 for start in starts[1:]), np.inf]
    steps: list[Step] = []
    empty: list[tuple[int, float]] = []
    for bucket, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if end < start:
            empty.append((bucket, 0.5 - start))
        else:
            steps.insert(0, (bucket, -end, -start))
    if bidirectional:
        half = num_buckets // 2
        empty += [(half + bucket, -at) for bucket, at in empty] + [(half, 0.5)]
        after = [(half + b, -last, -first) for b, first, last in steps if b]
        steps += after[::-1]
    return steps, sorted(empty)


def staircase(
    *,
    num_buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
    logarithmic: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw bucket against relative position, with wide steps for far keys.

    A circle stands for a bucket that no relative position falls into, a diamond for the
    beginning of the last bucket, a dashed line for `max_distance`.

    Parameters
    ----------
    num_buckets, max_distance, bidirectional
        As in `posenc.t5.bucket_starts`.
    logarithmic : bool, default True
        True for an axis of ``log2(1 + distance)`` in each direction, False for linear.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots()[1] if ax is None else ax
    setting = {"num_buckets": num_buckets, "max_distance": max_distance}
    steps, empty = bucket_steps(**setting, bidirectional=bidirectional)
    limit = 1.6 * max_distance
    if logarithmic:
        ax.set_xscale("function", functions=(_compress, _stretch))
    ax.set(xlim=(-limit, limit if bidirectional else 0.6), ylim=(-1, num_buckets))
    exact = num_buckets // (4 if bidirectional else 2) - 0.5
    ax.axvspan(-exact, exact, fc=color("raised"), zorder=0, label="a bucket each")
    for bucket, first, last in steps:
        left, right = max(first - 0.5, -limit), min(last + 0.5, limit)
        shade = mpl.colormaps[BUCKET_COLORS](bucket / max(num_buckets - 1, 1))
        corner, width = (left, bucket - 0.46), right - left
        ax.add_patch(Rectangle(corner, width, 0.92, fc=shade, ec="none"))
    _mark_surprises(ax, steps, empty, max_distance, bidirectional)
    ax.yaxis.set_major_locator(mpl.ticker.MaxNLocator(9, integer=True))
    _relative_position_axis(ax, max_distance, bidirectional)
    ax.set_ylabel("bucket")
    return ax


def _mark_surprises(
    ax: Axes, steps: Any, empty: Any, max_distance: int, bidirectional: bool
) -> None:
    """Mark the start of the last bucket, the maximal distance and empty buckets."""
    begins = -steps[0][2]  # of the leftmost step; the right half mirrors it
    last = [(-begins + 0.5, steps[0][0])]
    if bidirectional:
        last.append((begins - 0.5, steps[-1][0]))
    # The left half ends below the legend if the right half has buckets of its own.
    for side, top in {-1: 0.55, 1: 1.0}.items() if bidirectional else [(-1, 1.0)]:
        line = ax.axvline(side * max_distance, ymax=top, color=color("muted"), ls="--")
    line.set_label(f"max distance {max_distance}")
    marker: dict[str, Any] = {"color": color("text"), "ls": "none", "ms": 5}
    ax.plot(*zip(*last, strict=True), "D", label=f"last begins at {begins}", **marker)
    if empty:
        buckets, edges = zip(*empty, strict=True)
        which = str(buckets[0]) if len(buckets) == 1 else f"{len(buckets)} buckets"
        ax.plot(edges, buckets, "o", mfc="none", label=f"never used: {which}", **marker)
    corner: Any = "upper left" if bidirectional else "upper right"
    legend = ax.legend(loc=corner, fontsize=9, handlelength=1.4)
    legend.get_patches()[0].set(edgecolor=color("line"), linewidth=0.6)


def _relative_position_axis(ax: Axes, max_distance: int, bidirectional: bool) -> None:
    """Draw ticks at powers of two, or of four where there are many."""
    ratio = 4 if max_distance > 16 else 2
    ticks = [ratio**i for i in range(8) if ratio**i * 2.5 < max_distance]
    if ax.get_xscale() == "linear":
        ticks = [max_distance // 2]
    ticks = [*choose(ticks, ticks[1::2]), max_distance]
    ax.set_xticks([-t for t in ticks[::-1]] + [0] + (ticks if bidirectional else []))
    ax.minorticks_off()
    ax.xaxis.set_major_formatter(lambda r, _: signed_offset(r))
    ax.set_xlabel("relative position (key − query)", color=color("position"))


def _compress(r: Any) -> Any:
    return np.sign(r) * np.log2(1 + np.abs(r))


def _stretch(x: Any) -> Any:
    return np.sign(x) * (2 ** np.abs(x) - 1)


#: matplotlib's color tables for bucket numbers and for biases.
BUCKET_COLORS = "viridis"


def bucket_matrix(
    buckets: Int[np.ndarray, "q_len k_len"],
    *,
    num_buckets: int | None = None,
    causal: bool = False,
    q_offset: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the table of buckets, queries down and keys across, colored by bucket.

    Parameters
    ----------
    buckets : integer array of shape (q_len, k_len)
        Bucket number of each query and key.
    num_buckets : int, optional
        Buckets in all, for the scale of the colors (default: the largest number + 1).
    causal : bool, default False
        Draw keys after the query pale: a causal mask hides them.
    q_offset : int, default 0
        Position of the first query; keys begin at 0.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    buckets = np.asarray(buckets)
    top = (int(buckets.max()) + 1 if num_buckets is None else num_buckets) - 1
    shades = mpl.colormaps[BUCKET_COLORS](buckets / max(top, 1))
    if causal:
        _hide_keys_after_query(shades, q_offset)
    return draw_matrix(shades, buckets.astype(str), q_offset=q_offset, ax=ax)


def _hide_keys_after_query(
    shades: Any, q_offset: int
) -> Bool[np.ndarray, "q_len k_len"]:
    after = relative_positions(*shades.shape[:2], q_offset=q_offset) > 0
    shades[after] = mpl.colors.to_rgba(color("raised"))
    return after
