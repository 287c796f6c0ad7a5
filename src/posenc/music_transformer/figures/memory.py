"""Bytes of relative attention, and local attention, which needs fewer."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.core.arrays import relative_positions
from posenc.kit.figures.text import readable_ink, signed_offset
from posenc.kit.figures.themes import color
from posenc.music_transformer import local_mask, skew, skew_unmasked

from .skew import draw_cell, words


def memory_bytes(
    seq_len: int,
    d_model: int,
    num_heads: int,
    *,
    num_layers: int = 1,
    itemsize: int = 4,
) -> dict[str, int]:
    """Return the bytes of relative attention, with a table for every head.

    Parameters
    ----------
    seq_len : int
        Tokens, L.
    d_model, num_heads : int
        Features of a token; d_model / num_heads of them go to each head.
    num_layers : int, default 1
        Layers that are counted.
    itemsize : int, default 4
        Bytes of a number.

    Returns
    -------
    dict
        ``"vectors"``, a vector for each pair of tokens, L × L × head_dim; ``"table"``,
        one for each offset, L × head_dim; ``"scores"``, a number for each pair, L × L.

    Examples
    --------
    >>> memory_bytes(2048, 512, 8)
    {'vectors': 8589934592, 'table': 4194304, 'scores': 134217728}
    """
    times = num_layers * itemsize
    return {
        "vectors": seq_len**2 * d_model * times,
        "table": seq_len * d_model * times,
        "scores": seq_len**2 * num_heads * times,
    }


def bytes_in_words(count: float) -> str:
    """Return three digits and a unit of 1,000 of the last: 524288 is ``"524 kB"``."""
    unit = 0
    while count >= 999.5 and unit < len(_UNITS) - 1:
        count /= 1000
        unit += 1
    digits = 0 if unit == 0 or count >= 99.95 else 1 if count >= 9.995 else 2
    return f"{count:.{digits}f} {_UNITS[unit]}"


_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")


def memory(
    *,
    d_model: int = 512,
    num_heads: int = 8,
    num_layers: int = 1,
    itemsize: int = 4,
    lengths: tuple[int, ...] = (650, 2048, 3500),
    ax: Axes | None = None,
) -> Axes:
    """Draw megabytes of vectors, scores and table against length, in all layers.

    Parameters
    ----------
    d_model, num_heads, num_layers, itemsize
        As in `memory_bytes`.
    lengths : tuple of int
        Lengths that are marked.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.4, 3.9))[1]
    every = [2**i for i in range(7, 17)]
    labels = {
        "vectors": ("key", "-", "o", "$R$: vector per pair"),
        "scores": ("value", "--", "^", "scores: number per pair"),
        "table": ("position", "-", "D", "$E$: vector per offset"),
    }

    def megabytes(length: int, name: str) -> float:
        sizes: Any = {"num_layers": num_layers, "itemsize": itemsize}
        return memory_bytes(length, d_model, num_heads, **sizes)[name] / 1e6

    for name, (role, line, marker, label) in labels.items():
        style: Any = {"color": color(role)}
        curve = [megabytes(length, name) for length in every]
        points = [megabytes(length, name) for length in lengths]
        ax.plot(every, curve, line, label=label, **style)
        ax.plot(lengths, points, marker, **style)
    ax.set(
        xscale="log", yscale="log", xlabel="length $L$ (tokens)", ylabel="memory (MB)"
    )
    ticks = (128, 1024, 8192, 65536)
    ax.set_xticks(ticks, labels=[f"{tick:,}" for tick in ticks])
    ax.minorticks_off()
    ax.grid(visible=True)
    ax.legend(fontsize=10)
    return ax


def local_map(*, block: int = 3, num_blocks: int = 3, ax: Axes | None = None) -> Axes:
    """Draw the keys that queries see: o in the own block, b in the block before.

    Parameters
    ----------
    block, num_blocks : int, default 3
        Tokens per block, and blocks.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    seq_len = block * num_blocks
    if ax is None:
        ax = plt.subplots(figsize=(4.4, 4.4))[1]
    ax.set(xlim=(-1.5, seq_len + 0.1), ylim=(seq_len + 0.1, -1.5), aspect="equal")
    ax.set_axis_off()
    for q, k in np.ndindex(seq_len, seq_len):
        where = visible_part(q, k, block)
        role = {"own": "position", "before": "value"}.get(where, "raised")
        fill = color(role)
        ax.add_patch(Rectangle((k + 0.03, q + 0.03), 0.94, 0.94, fc=fill, ec="none"))
        if where:
            words(ax, k + 0.5, q + 0.52, where[0]).set_color(readable_ink(fill))
        if q == k:
            inner: Any = {"fill": False, "ec": readable_ink(fill), "lw": 1}
            ax.add_patch(Rectangle((k + 0.1, q + 0.1), 0.8, 0.8, **inner))
    for edge in range(0, seq_len + 1, block):
        style: Any = {"color": color("text"), "lw": 1}
        ax.plot([edge, edge], [0, seq_len], **style)
        ax.plot([0, seq_len], [edge, edge], **style)
    for i in range(seq_len):
        words(ax, i + 0.5, -0.4, i, size=10)
        words(ax, -0.4, i + 0.5, i, size=10)
    words(ax, seq_len / 2, -1.1, "key", "key")
    words(ax, -1.1, seq_len / 2, "query", "query", rotation=90)
    return ax


def visible_part(query: int, key: int, block: int) -> str:
    """Return the part of a query's view of a key, ``"own"``, ``"before"`` or ``""``."""
    blocks = query // block + 1
    column = key - (blocks - 2) * block
    if not 0 <= column < 2 * block:
        return ""
    mask = local_mask(blocks, block)[-1, query % block]
    return ("before" if column < block else "own") if mask[column] else ""


def local_windows(*, block: int = 3, ax: Axes | None = None) -> Axes:
    """Draw products of one block with 2B offsets, and the two skews that sort them.

    Parameters
    ----------
    block : int, default 3
        Tokens per block, B.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    wide = 2 * block
    products = np.arange(block * wide, dtype=float).reshape(block, wide)
    result = np.concatenate(
        [skew_unmasked(products[:, :-1]), skew(products[:, block:])], axis=1
    )
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 6.0))[1]
    low = block + 4.4
    ax.set(xlim=(-0.9, wide + 0.2), ylim=(low + block + 0.2, -1.9), aspect="equal")
    ax.set_axis_off()
    used = relative_positions(block, wide, q_offset=block) <= 0
    seen = result[used].astype(int)
    for (row, column), number in np.ndenumerate(products.astype(int)):
        _cell(ax, (column, row), int(number), wide, number in seen)
    for (row, column), number in np.ndenumerate(result.astype(int)):
        kind = (column - block == row + 1) if column > block else False
        shown = -1 if kind else number
        _cell(ax, (column, low + row), int(shown), wide, bool(used[row, column]))
    for row in range(block):
        for top in (0, low):
            words(ax, -0.4, top + row + 0.5, "abcdefghij"[row], "query")
    for column in range(wide):
        offset = column - (wide - 1)
        head = signed_offset(offset)
        words(ax, column + 0.5, -0.4, head, "position", size=10)
        kind = (
            f"{column - block}".replace("-", "−") if column < block else column - block
        )
        words(ax, column + 0.5, low - 0.4, kind, "key", size=10)
    words(ax, 0, -1.3, "products: column = offset", "position", ha="left")
    _bracket(ax, 0, wide - 1, block + 0.35, "both sides: 2B − 1 columns")
    _bracket(ax, block, wide, block + 1.55, "causal: B columns")
    names = "scores: column = key, from the start of the block"
    words(ax, 0, low - 1.15, names, "key", ha="left", size=10.5)
    ax.plot([block, block], [low, low + block], color=color("text"), lw=1.5)
    return ax


def _cell(ax: Axes, corner: Any, number: int, wide: int, valid: bool) -> None:
    kind = "zero" if number < 0 else "wanted" if valid else "garbage"
    row, column = divmod(number, wide)
    ink = draw_cell(ax, corner, kind, column, wide)
    label = "0" if number < 0 else f"{'abcdefghij'[row]}{column}"
    at: Any = {"ha": "center", "va": "center_baseline", "fontsize": 11, "color": ink}
    ax.text(corner[0] + 0.5, corner[1] + 0.52, label, **at)
    if valid and column == wide - 1:
        inner: Any = {"fill": False, "ec": ink, "lw": 1}
        place = (corner[0] + 0.1, corner[1] + 0.1)
        ax.add_patch(Rectangle(place, 0.8, 0.8, **inner))


def _bracket(ax: Axes, start: float, end: float, y: float, name: str) -> None:
    x = (start + 0.05, end - 0.05)
    ends = ([x[0], *x, x[1]], [y - 0.2, y, y, y - 0.2])
    ax.plot(*ends, color=color("text"), lw=1.2)
    words(ax, sum(x) / 2, y + 0.45, name, size=10.5)
