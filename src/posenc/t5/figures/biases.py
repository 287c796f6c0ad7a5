"""Learned biases: the opening, matrices, the heads of MPNet, T5's network."""

import math
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path

from posenc import t5
from posenc.core import data
from posenc.core.arrays import relative_positions
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.text import readable_ink, signed, signed_offset
from posenc.kit.figures.themes import choose, color, panels

from .buckets import _hide_keys_after_query, bucket_matrix, bucket_steps, staircase

BIAS_COLORS = "coolwarm"
#: The head that pictures of one head show.
HEAD = 7
#: Bias at the ends of the color scale, and the lowest that a curve shows.
_STRONGEST, _LOWEST = 4.0, -11.6


def mpnet_bias() -> Float[np.ndarray, "32 12"]:
    """Return the table of MPNet: 32 buckets by 12 heads, both directions, up to 128.

    ``book/data/mpnet_bias.json`` has its origin and license.
    """
    return np.asarray(data.load("mpnet_bias")["bias"])


def mpnet_head(
    *,
    num_buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
    head: int = HEAD,
) -> Float[np.ndarray, " {num_buckets}"]:
    """Return the bias of each bucket of a setting, taken from a head of MPNet.

    A bucket has the bias that the head gives to its nearest distance. With MPNet's own
    setting, the default, that is the head's column of the table.

    Parameters
    ----------
    num_buckets, max_distance, bidirectional
        As in `posenc.t5.bucket_starts`.
    head : int, default `HEAD`
        Column of the table.

    Returns
    -------
    float64 array of shape (num_buckets,)
        The bias of an empty bucket is that of the distance where it would begin; the
        first bucket for keys after the query has that of MPNet's, which no pair uses.
    """
    column = mpnet_bias()[:, head]
    starts = t5.bucket_starts(
        num_buckets=num_buckets, max_distance=max_distance, bidirectional=bidirectional
    )
    before = column[t5.relative_position_bucket(-starts)]
    if not bidirectional:
        return before
    after = column[t5.relative_position_bucket(starts)]
    after[0] = column[len(column) // 2]
    return np.concatenate([before, after])


def trained_heads(
    table: Float[np.ndarray, "num_buckets num_heads"], *, columns: int = 2
) -> Figure:
    """Draw the bias of each head as a curve, and as a strip of buckets.

    All buckets are equally wide, in the order of their relative positions. The bucket
    that no pair uses stands between the two directions.

    Parameters
    ----------
    table : array of shape (num_buckets, num_heads)
        A table for both directions, up to distance 128.
    columns : int, default 2
        Panels in a row; with two, a phone shows the labels large enough.
    """
    num_buckets, num_heads = table.shape
    half = num_buckets // 2
    order = [*range(half - 1, -1, -1), *range(half, num_buckets)]
    rows = -(-num_heads // columns)
    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=(2.3 * columns, 1.5 * rows + 0.5),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for head, ax in enumerate(axes.flat):
        if head < num_heads:
            _draw_head(ax, table[order, head], half, f"head {head}")
        else:
            ax.set_axis_off()
    starts = t5.bucket_starts(num_buckets=num_buckets)
    shown = (half // 2, half - 1)  # the first bucket of several distances, and the last
    ticks = [half - 1 - bucket for bucket in shown] + [
        half + bucket for bucket in shown
    ]
    words = [signed_offset(sign * starts[b]) for sign in (-1, 1) for b in shown]
    for ax in axes[-1]:
        ax.set_xticks([half - 1, *ticks], ["0", *words], fontsize=9.5)
    figure.set_layout_engine("constrained", wspace=choose(0.02, 0.12))
    figure.supxlabel("relative position at which a bucket begins", fontsize=11)
    figure.supylabel("learned bias", fontsize=11)
    return figure


def _draw_head(
    ax: Axes, bias: Float[np.ndarray, " num_buckets"], half: int, name: str
) -> None:
    """Draw the curve of a head above its strip, with the unused bucket marked."""
    x = np.arange(len(bias))
    ax.axhline(0, color=color("line"), lw=0.8)
    ax.axvline(half - 1, color=color("query"), lw=1, ls=":")
    for part in (x < half, x > half):
        style: dict[str, Any] = {"color": color("position"), "lw": 1.6}
        ax.plot(x[part], bias[part], marker="o", ms=2.2, **style)
    ax.plot(half, bias[half], "o", ms=4.5, mfc="none", color=color("text"))
    norm = mpl.colors.Normalize(-_STRONGEST, _STRONGEST)
    bottom, height = _LOWEST - 3.0, 2.4
    for place, value in enumerate(bias):
        shade = mpl.colormaps[BIAS_COLORS](norm(value))
        edge: dict[str, Any] = {"ec": color("text"), "lw": 0.9, "zorder": 4}
        ax.add_patch(
            Rectangle(
                (place - 0.5, bottom),
                1,
                height,
                fc=shade,
                **(edge if place == half else {"ec": "none", "zorder": 3}),
            )
        )
    ax.set_title(name, fontsize=11, pad=3)
    ax.set(xlim=(-0.7, len(bias) - 0.3), ylim=(bottom - 0.2, 4.2))
    ax.set_yticks([-9, -6, -3, 0, 3])
    ax.tick_params(labelsize=9.5)


_REACH = 128
_BOXES_AT, _RULER_AT = (5.0, 6.0), (0.0, 1.0)  # heights of the table and of the ruler


def opening(*, head: int = HEAD, ax: Axes | None = None) -> Axes:
    """Draw a ruler of relative positions, and the table of scalars that they share.

    Each box of the table is as wide as the next; the ribbon below it ends on the
    relative positions that use it: one position near the query, dozens far away. The
    biases are those of a head of MPNet (`mpnet_head`).

    Parameters
    ----------
    head : int, default `HEAD`
        Column of MPNet's table: 32 buckets, both directions, maximal distance 128.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(9, choose(3.7, 4.0)))[1]
    edge = _REACH + choose(12, 3)
    ax.set(xlim=(-edge, edge), ylim=(-2.2, choose(7.0, 9.6)))
    ax.set_axis_off()
    bias = mpnet_head(head=head)
    num_buckets = len(bias)
    steps, _ = bucket_steps(num_buckets=num_buckets, max_distance=_REACH)
    half = num_buckets // 2
    middle = 1 + [bucket for bucket, _, _ in steps].index(0)
    steps.insert(middle, (half, np.nan, np.nan))  # has a box, but no position
    # Bucket 0, far below all others, is left out of the scale.
    norm = mpl.colors.CenteredNorm(halfrange=np.abs(bias[1:]).max())
    edges = np.linspace(-_REACH - 0.5, _REACH + 0.5, num_buckets + 1)
    for index, (bucket, first, last) in enumerate(steps):
        shade = mpl.colormaps[BIAS_COLORS](norm(bias[bucket]))
        gap = 0.08 * (edges[1] - edges[0])
        box = (edges[index] + gap, edges[index + 1] - gap)
        if bucket == half:
            _box(ax, box, bucket, None)
            continue
        _box(ax, box, bucket, shade)
        interval = (max(first, -_REACH) - 0.5, min(last, _REACH) + 0.5)
        _ribbon(ax, box, interval, shade)
        _interval(ax, interval, shade, fades=math.isinf(last - first))
    _ruler(ax, steps)
    _label_rows(ax, (edges[middle] + edges[middle + 1]) / 2)
    return ax


def _box(ax: Axes, box: tuple[float, float], bucket: int, shade: Any) -> None:
    """Draw one entry of the table with its number, hollow if it has no color."""
    style: dict[str, Any] = {"fc": shade, "ec": "none"}
    ink = color("muted")
    if shade is None:
        style = {"fc": "none", "ec": ink, "ls": (0, (2, 2))}
    else:
        ink = readable_ink(shade)
    ax.add_patch(Rectangle((box[0], _BOXES_AT[0]), box[1] - box[0], 1.0, **style))
    at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 8.5}
    at |= choose({}, {"rotation": 90, "va": "center"})
    # The others have no room there.
    if choose(True, bucket % 2 == (bucket < 16) and bucket not in (15, 16)):
        ax.text(sum(box) / 2, _BOXES_AT[0] + 0.48, str(bucket), color=ink, **at)


def _ribbon(ax: Axes, above: Any, below: Any, shade: Any) -> None:
    """Draw a band from a box of the table down to its positions on the ruler."""
    top, bottom = _BOXES_AT[0] - 0.08, _RULER_AT[1] + 0.06
    bend = (top + bottom) / 2
    (a, b), (c, d) = above, below
    corners = [(a, top), (a, bend), (c, bend), (c, bottom)]
    corners += [(d, bottom), (d, bend), (b, bend), (b, top), (a, top)]
    curve = [Path.CURVE4] * 3
    codes = [Path.MOVETO, *curve, Path.LINETO, *curve, Path.CLOSEPOLY]
    edge = {"ec": color("surface"), "lw": 0.4}
    ax.add_patch(PathPatch(Path(corners, codes), fc=shade, alpha=0.6, **edge))


def _interval(ax: Axes, interval: Any, shade: Any, *, fades: bool) -> None:
    """Draw one bucket's positions on the ruler; the last one goes on without end."""
    low, high = interval
    edge: dict[str, Any] = {"ec": color("surface"), "lw": 0.5}
    ax.add_patch(Rectangle((low, _RULER_AT[0]), high - low, 1.0, fc=shade, **edge))
    for i in range(12) if fades else ():
        x = high + i if high > 0 else low - i - 1
        strip = Rectangle((x, _RULER_AT[0]), 1.0, 1.0, fc=shade, alpha=1 - (i + 1) / 12)
        ax.add_patch(strip)


def _ruler(ax: Axes, steps: Any) -> None:
    """Draw ticks for every relative position, and numbers where wide buckets begin."""
    every = np.arange(-_REACH, _REACH + 1)
    for ticks, length in ((every, 0.16), (every[every % 8 == 0], 0.32)):
        ax.vlines(ticks, -length, 0, color=color("line"), lw=0.5)
    starts = [
        int(first)
        for _, first, last in steps
        if last - first > choose(9, 20) and first > 0
    ]
    for r in [0, *(sign * start for start in (*starts, _REACH) for sign in (-1, 1))]:
        at: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 8.5}
        ax.text(r, -0.45, signed_offset(r), color=color("position"), **at)


def _label_rows(ax: Axes, empty: float) -> None:
    ax.text(empty, 6.25, "never used", color=color("muted"), ha="center", fontsize=9)
    top, bar = choose((6.25, 6.2), (8.8, 7.5))
    ax.text(-_REACH, top, "one learned number per bucket", fontsize=10.5)
    for i, shade in enumerate(mpl.colormaps[BIAS_COLORS](np.linspace(0, 1, 32))):
        ax.add_patch(
            Rectangle((choose(71.5, -90) + 0.75 * i, bar), 0.78, 0.4, fc=shade)
        )
    at: dict[str, Any] = {"fontsize": 9, "color": color("muted")}
    left, right = choose((70, _REACH + 0.5), (-92, 20))
    ax.text(left, bar, "lowers", ha="right", **at)
    ax.text(right, bar, "raises the score", ha="right", **at)
    low: dict[str, Any] = {"fontsize": 10.5, "va": "center"}
    query: dict[str, Any] = {"color": color("query"), "linespacing": 1}
    ax.text(0, -1.55, "▲\nquery", ha="center", **query, **low)
    ax.text(
        -_REACH,
        -1.7,
        "← keys before" + choose(" the query", ""),
        color=color("key"),
        **low,
    )
    after = choose("keys after the query →", "keys after →")
    ax.text(_REACH, -1.7, after, ha="right", color=color("key"), **low)


def bias_matrix(
    bias: Float[np.ndarray, "q_len k_len"],
    *,
    limit: float | None = None,
    numbers: bool | None = None,
    causal: bool = False,
    q_offset: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the bias of one head, queries down and keys across, on a scale about 0.

    Its color bar shows the lower half alone if no bias is above 0.

    Parameters
    ----------
    bias : float array of shape (q_len, k_len)
        Number added to the score of each query and key.
    limit : float, optional
        Bias at the ends of the color scale (default: the largest in size).
    numbers : bool, optional
        Write the values into the cells (default: up to 12 keys).
    causal : bool, default False
        Leave the cells of keys after the query empty: a causal mask hides them.
    q_offset : int, default 0
        Position of the first query; keys begin at 0.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    bias = np.asarray(bias)
    limit = float(np.abs(bias).max()) if limit is None else limit
    norm = mpl.colors.CenteredNorm(halfrange=max(limit, 1e-9))
    shades = mpl.colormaps[BIAS_COLORS](norm(bias))
    numbers = bias.shape[1] <= 12 if numbers is None else numbers
    text = np.where(bias == 0, "0", np.vectorize(signed)(bias)) if numbers else None
    if causal:
        after = _hide_keys_after_query(shades, q_offset)
        text = None if text is None else np.where(after, "", text)
    ax = draw_matrix(shades, text, q_offset=q_offset, ax=ax)
    scale = mpl.cm.ScalarMappable(norm, BIAS_COLORS)
    bar = ax.figure.colorbar(scale, ax=ax, shrink=0.8, label="bias")
    bar.outline.set_visible(False)
    if bias.min() < 0 >= bias.max():
        bar.ax.set_ylim(-limit, 0)
    return ax


def overview(
    *,
    q_len: int = 16,
    k_len: int = 16,
    num_buckets: int = 16,
    max_distance: int = 128,
    bidirectional: bool = True,
    bias: Float[np.ndarray, " {num_buckets}"] | None = None,
) -> Figure:
    """Draw table and staircase of one setting, the widget's still picture.

    Parameters
    ----------
    q_len, k_len : int
        Rows and columns of the table, in tokens.
    num_buckets, max_distance, bidirectional
        As in `posenc.t5.bucket_starts`.
    bias : float array of shape (num_buckets,), optional
        Scalar of each bucket; if given, the table shows it in place of the numbers.
    """
    setting: dict[str, Any] = {
        "num_buckets": num_buckets,
        "max_distance": max_distance,
        "bidirectional": bidirectional,
    }
    buckets = t5.relative_position_bucket(relative_positions(q_len, k_len), **setting)
    figure, (left, right) = panels(
        1,
        2,
        figsize=(9.6, 4.5),
        narrow_height=8.6,
        layout=choose("constrained", "compressed"),
        ratios=choose((11, 9), (1, 1)),
    )
    if bias is None:
        bucket_matrix(
            buckets, num_buckets=num_buckets, causal=not bidirectional, ax=left
        )
    else:
        limit = float(np.abs(bias[1:]).max())  # bucket 0 lies far below
        values = np.asarray(bias)[buckets]
        bias_matrix(values, limit=limit, causal=not bidirectional, ax=left)
    staircase(ax=right, **setting)
    return figure


# All places are in inches: the figure is narrow, so that a phone shows it large.
_WIDE, _HIGH = 4.8, 7.2
_ENCODER, _DECODER = 1.22, 3.58  # middles of the two stacks
_HALF, _FRAME = 0.66, 0.8  # half the width of a part, and of a block
_TALL, _PITCH = 0.28, 0.4  # height of a part, and from one to the next
_TOP = 0.24  # from the top of a block to its first part
_BLOCKS = (("block 0", 2.1), ("block 1", 3.65), ("last block", 5.35))
_BLOCK = _TOP + 2 * _PITCH + _TALL + 0.07  # height of a block


def place_in_network(*, ax: Axes | None = None) -> Axes:
    """Draw T5's encoder and decoder, and the bias's way from its table to the scores.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(_WIDE, _HIGH))[1]
    ax.set(xlim=(0, _WIDE), ylim=(_HIGH, 0))
    ax.set_axis_off()
    for x, title in ((_ENCODER, "encoder"), (_DECODER, "decoder")):
        ax.text(x, 0.12, title, weight="bold", **_letters("text", size=12))
        ax.text(x, 1.75, "tokens,\nno position added", **_letters("text"))
        _arrow(ax, (x, 1.94), (x, 2.08))
    for name, top in _BLOCKS:
        _block(ax, _ENCODER, top, (name, "self-attention", "", "feed-forward"))
        parts = ("self-attention", "cross-attention", "feed-forward")
        _block(ax, _DECODER, top, (name, *parts))
    ends = [top + _BLOCK for _, top in _BLOCKS]
    for x in (_ENCODER, _DECODER):
        _arrow(ax, (x, ends[0]), (x, _BLOCKS[1][1] - 0.02))
        ax.text(x, (ends[1] + _BLOCKS[2][1]) / 2, "⋮", **_letters("text", size=15))
    _arrow(ax, (_DECODER, ends[2]), (_DECODER, ends[2] + 0.18))
    ax.text(_DECODER, ends[2] + 0.28, "next token", **_letters("text"))
    _across(ax, ends[2])
    _table(ax, _ENCODER, 1)
    _table(ax, _DECODER, -1)
    return ax


def _block(ax: Axes, x: float, top: float, names: tuple[str, ...]) -> None:
    """Draw the frame of a block, its name and its parts; an empty name leaves a gap."""
    look: dict[str, Any] = {"fc": "none", "ec": color("line"), "lw": 0.8}
    ax.add_patch(Rectangle((x - _FRAME, top), 2 * _FRAME, _BLOCK, **look))
    title, *parts = names
    ax.text(x, top + _TOP / 2, title, **_letters("muted"))
    places = [top + _TOP + _PITCH * i for i, name in enumerate(parts) if name]
    for y, name in zip(places, filter(None, parts), strict=True):
        edge = color("position" if name == "self-attention" else "line")
        look = {"fc": color("raised"), "ec": edge, "lw": 1.2}
        box = FancyBboxPatch((x - _HALF, y), 2 * _HALF, _TALL, **look)
        box.set_boxstyle("round", pad=0.01)
        ax.add_patch(box)
        ax.text(x, y + _TALL / 2, name, **_letters("text"))
    for start, end in pairwise(places):
        _arrow(ax, (x, start + _TALL + 0.01), (x, end - 0.01))


def _across(ax: Axes, end: float) -> None:
    """Draw lines from the encoder's last block to every cross-attention."""
    x, ink = (_ENCODER + _DECODER) / 2 + 0.1, color("muted")
    heights = [top + _TOP + _PITCH + _TALL / 2 for _, top in _BLOCKS]
    drop = [end, end + 0.18, end + 0.18, heights[0]]
    ax.plot([_ENCODER, _ENCODER, x, x], drop, color=ink, lw=1.2)
    for y in heights:
        _arrow(ax, (x, y), (_DECODER - _HALF - 0.02, y))
    ax.text(
        x - 0.13, (heights[0] + heights[1]) / 2, "no bias", **_letters("muted", turn=90)
    )


def _table(ax: Axes, x: float, side: int) -> None:
    """Draw the table of one stack, its bias, and lines to the self-attentions."""
    ink = color("position")
    middle, outer = x + side * 0.33, x - side * 0.73  # of the table, of the bias
    for row in range(8):
        for column in range(4):
            corner = (middle - 0.2 + 0.1 * column, 0.52 + 0.09 * row)
            ax.add_patch(Rectangle(corner, 0.1, 0.09, fc="none", ec=ink, lw=0.7))
    ax.text(middle, 0.4, "table", **_letters("position"))
    ax.text(middle, 1.38, "buckets × heads", **_letters("position"))
    near, far = middle - side * 0.24, outer + side * 0.43
    _arrow(ax, (near, 0.88), (far, 0.88), "position")
    ax.add_patch(Rectangle((outer - 0.4, 0.48), 0.8, 0.8, fc="none", ec=ink))
    ax.text(outer, 0.88, "bias of\nall pairs", **_letters("position"))
    bend = x - side * 1.03
    tops = [top + _TOP + _TALL / 2 for _, top in _BLOCKS]
    ax.plot([bend, bend], [1.28, tops[-1]], color=ink, lw=1.4)
    for y in tops:
        _arrow(ax, (bend, y), (x - side * (_HALF + 0.02), y), "position")


def _letters(role: str, *, size: float = 10, turn: float = 0) -> dict[str, Any]:
    look = {"color": color(role), "fontsize": size, "rotation": turn}
    return {"ha": "center", "va": "center", "linespacing": 1.15, **look}


def _arrow(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], role: str = "muted"
) -> None:
    look = {"arrowstyle": "->", "color": color(role), "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=look)
