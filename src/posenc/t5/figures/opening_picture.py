"""The picture that opens the chapter on T5: few numbers serve many distances."""

import math
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from posenc.kit.figures.text import readable_ink, signed_offset
from posenc.kit.figures.themes import choose, color

from .steps_of_buckets import bucket_steps
from .trained_bias import BIAS_COLORS, HEAD, mpnet_head

_LIMIT = 128


_TABLE, _RULER = (5.0, 6.0), (0.0, 1.0)  # heights of the table and of the ruler


def opening(*, head: int = HEAD, ax: Axes | None = None) -> Axes:
    """Ruler of relative positions, and the table of scalars that they share.

    Each box of the table is as wide as the next; the ribbon below it ends on the
    relative positions that use it: one position near the query, dozens far away. The
    biases are those of a head of MPNet (`mpnet_head`).

    Parameters
    ----------
    head : int, default `HEAD`
        Column of MPNet's table: 32 buckets, both directions, maximal distance 128.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(9, choose(3.7, 4.0)))[1]
    edge = _LIMIT + choose(12, 3)
    ax.set(xlim=(-edge, edge), ylim=(-2.2, choose(7.0, 9.6)))
    ax.set_axis_off()
    bias = mpnet_head(head=head)
    num_buckets = len(bias)
    steps, _ = bucket_steps(num_buckets=num_buckets, max_distance=_LIMIT)
    half = num_buckets // 2
    middle = 1 + [bucket for bucket, _, _ in steps].index(0)
    steps.insert(middle, (half, np.nan, np.nan))  # has a box, but no position
    # Bucket 0, far below all others, is left out of the scale.
    norm = mpl.colors.CenteredNorm(halfrange=np.abs(bias[1:]).max())
    edges = np.linspace(-_LIMIT - 0.5, _LIMIT + 0.5, num_buckets + 1)
    for index, (bucket, first, last) in enumerate(steps):
        shade = mpl.colormaps[BIAS_COLORS](norm(bias[bucket]))
        gap = 0.08 * (edges[1] - edges[0])
        box = (edges[index] + gap, edges[index + 1] - gap)
        if bucket == half:
            _box(ax, box, bucket, None)
            continue
        _box(ax, box, bucket, shade)
        interval = (max(first, -_LIMIT) - 0.5, min(last, _LIMIT) + 0.5)
        _ribbon(ax, box, interval, shade)
        _interval(ax, interval, shade, fades=math.isinf(last - first))
    _ruler(ax, steps)
    _words(ax, (edges[middle] + edges[middle + 1]) / 2)
    return ax


def _box(ax: Axes, box: tuple[float, float], bucket: int, shade: Any) -> None:
    """One entry of the table, with its number; hollow if it has no color."""
    style: dict[str, Any] = {"fc": shade, "ec": "none"}
    ink = color("muted")
    if shade is None:
        style = {"fc": "none", "ec": ink, "ls": (0, (2, 2))}
    else:
        ink = readable_ink(shade)
    ax.add_patch(Rectangle((box[0], _TABLE[0]), box[1] - box[0], 1.0, **style))
    at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 8.5}
    at |= choose({}, {"rotation": 90, "va": "center"})
    if choose(True, bucket % 2 == (bucket < 16)):  # the others have no room there
        ax.text(sum(box) / 2, _TABLE[0] + 0.48, str(bucket), color=ink, **at)


def _ribbon(ax: Axes, above: Any, below: Any, shade: Any) -> None:
    """Band from a box of the table down to its positions on the ruler."""
    top, bottom = _TABLE[0] - 0.08, _RULER[1] + 0.06
    bend = (top + bottom) / 2
    (a, b), (c, d) = above, below
    corners = [(a, top), (a, bend), (c, bend), (c, bottom)]
    corners += [(d, bottom), (d, bend), (b, bend), (b, top), (a, top)]
    curve = [Path.CURVE4] * 3
    codes = [Path.MOVETO, *curve, Path.LINETO, *curve, Path.CLOSEPOLY]
    edge = {"ec": color("surface"), "lw": 0.4}
    ax.add_patch(PathPatch(Path(corners, codes), fc=shade, alpha=0.6, **edge))


def _interval(ax: Axes, interval: Any, shade: Any, *, fades: bool) -> None:
    """Positions of one bucket on the ruler; the last bucket goes on without end."""
    low, high = interval
    edge: dict[str, Any] = {"ec": color("surface"), "lw": 0.5}
    ax.add_patch(Rectangle((low, _RULER[0]), high - low, 1.0, fc=shade, **edge))
    for i in range(12) if fades else ():
        x = high + i if high > 0 else low - i - 1
        strip = Rectangle((x, _RULER[0]), 1.0, 1.0, fc=shade, alpha=1 - (i + 1) / 12)
        ax.add_patch(strip)


def _ruler(ax: Axes, steps: Any) -> None:
    """Ticks for every relative position, numbers where the wide buckets begin."""
    every = np.arange(-_LIMIT, _LIMIT + 1)
    for ticks, length in ((every, 0.16), (every[every % 8 == 0], 0.32)):
        ax.vlines(ticks, -length, 0, color=color("line"), lw=0.5)
    starts = [
        int(first)
        for _, first, last in steps
        if last - first > choose(9, 20) and first > 0
    ]
    for r in [0, *(sign * start for start in (*starts, _LIMIT) for sign in (-1, 1))]:
        at: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 8.5}
        ax.text(r, -0.45, signed_offset(r), color=color("position"), **at)


def _words(ax: Axes, empty: float) -> None:
    ax.text(empty, 6.25, "never used", color=color("muted"), ha="center", fontsize=9)
    top, bar = choose((6.25, 6.2), (8.8, 7.5))
    ax.text(-_LIMIT, top, "one learned number per bucket", fontsize=10.5)
    for i, shade in enumerate(mpl.colormaps[BIAS_COLORS](np.linspace(0, 1, 32))):
        ax.add_patch(
            Rectangle((choose(71.5, -90) + 0.75 * i, bar), 0.78, 0.4, fc=shade)
        )
    at: dict[str, Any] = {"fontsize": 9, "color": color("muted")}
    left, right = choose((70, _LIMIT + 0.5), (-92, 20))
    ax.text(left, bar, "lowers", ha="right", **at)
    ax.text(right, bar, "raises the score", ha="right", **at)
    low: dict[str, Any] = {"fontsize": 10.5, "va": "center"}
    query: dict[str, Any] = {"color": color("query"), "linespacing": 1}
    ax.text(0, -1.55, "▲\nquery", ha="center", **query, **low)
    ax.text(
        -_LIMIT,
        -1.7,
        "← keys before" + choose(" the query", ""),
        color=color("key"),
        **low,
    )
    after = choose("keys after the query →", "keys after →")
    ax.text(_LIMIT, -1.7, after, ha="right", color=color("key"), **low)
