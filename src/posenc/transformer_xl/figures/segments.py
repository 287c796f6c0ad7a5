"""How far back a token is reached over segments, and what evaluation costs."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from posenc.kit.figures.themes import color


def first_reached(
    position: int, *, segment_len: int, memory_len: int, num_layers: int
) -> int:
    """First token of the text that can change the output at `position`.

    Each layer leads from a position to the beginning of its segment, and from there
    back by one memory.

    Parameters
    ----------
    position : int
        Position of the output in the whole text, from 0.
    segment_len, memory_len : int
        Tokens of a segment and of each layer's memory.
    num_layers : int
        Layers.

    Examples
    --------
    >>> first_reached(11, segment_len=4, memory_len=4, num_layers=2)
    0
    """
    for _ in range(num_layers):
        position = max(position // segment_len * segment_len - memory_len, 0)
    return position


_UP = 1.7  # from layer to layer, in steps from token to token


def reach(
    *,
    segment_len: int = 4,
    memory_len: int = 4,
    num_layers: int = 3,
    position: int | None = None,
    num_tokens: int = 16,
    ax: Axes | None = None,
) -> Axes:
    """Grid of hidden states, layers up and tokens across; filled are those in reach.

    A filled disk is reached within the query's own segment, where gradients flow. A
    ring is reached through a memory. Other states are dots.

    Parameters
    ----------
    segment_len, memory_len, num_layers : int
        Tokens of a segment, tokens of a memory, layers.
    position : int, optional
        Position of the output that is asked about (default: the last token).
    num_tokens : int, default 16
        Tokens that are drawn.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    position = num_tokens - 1 if position is None else position
    if ax is None:
        size = (4.8, 4.8 * (_UP * num_layers + 2.4) / (num_tokens + 2.9))
        ax = plt.subplots(figsize=size)[1]
    setting = {"segment_len": segment_len, "memory_len": memory_len}
    own = position // segment_len * segment_len
    for layer in range(num_layers + 1):
        first = first_reached(position, num_layers=num_layers - layer, **setting)
        if layer:
            _fan(ax, layer, first, position, setting, own)
        for n in range(num_tokens):
            _state(ax, n, _UP * layer, first <= n <= position, n >= own)
    for start in range(0, num_tokens, segment_len):
        width = min(segment_len, num_tokens - start) - 0.24
        corner = (start - 0.38, -0.42)
        frame: dict[str, Any] = {"fc": "none", "ec": color("line"), "lw": 1}
        ax.add_patch(Rectangle(corner, width, _UP * num_layers + 0.84, **frame))
    top = _UP * num_layers + 0.6
    limits: dict[str, Any] = {"xlim": (-3.3, num_tokens - 0.4), "ylim": (-1.3, top)}
    ax.set(**limits, aspect="equal")
    for layer in range(num_layers + 1):
        name = f"layer {layer}" if layer else "tokens"
        ax.text(-0.6, _UP * layer, name, ha="right", va="center", fontsize=10)
    for n in range(0, num_tokens, segment_len):
        ax.text(n, -0.85, str(n), ha="center", va="center", color=color("muted"))
    ax.set_axis_off()
    return ax


def _state(ax: Axes, x: int, y: float, reached: bool, own: bool) -> None:
    if not reached:
        ax.add_patch(Circle((x, y), 0.08, color=color("line")))
    elif own:
        ax.add_patch(Circle((x, y), 0.24, color=color("query"), zorder=3))
    else:
        ring: dict[str, Any] = {"fc": color("surface"), "ec": color("key"), "lw": 2.2}
        ax.add_patch(Circle((x, y), 0.22, zorder=3, **ring))


def _fan(ax: Axes, layer: int, first: int, last: int, setting: Any, own: int) -> None:
    """Lines from the first and the last reached state of a layer to what they read."""
    for x in dict.fromkeys((first, last)):
        below = first_reached(x, num_layers=1, **setting)
        for n in range(below, x + 1):
            through = n < x // setting["segment_len"] * setting["segment_len"]
            role = "key" if through else "query"
            look: dict[str, Any] = {"ls": "--" if through else "-", "lw": 0.9}
            ax.plot(
                [x, n],
                [_UP * layer, _UP * (layer - 1)],
                color=color(role),
                alpha=0.6,
                **look,
            )


def evaluation(*, context: int = 4, num_layers: int = 3) -> Figure:
    """Work for the last two tokens, without and with a memory, as filled states."""
    figure, rows = plt.subplots(2, 1, figsize=(5.0, 3.7))
    num_tokens = context + 3
    for ax, memory in zip(rows, (False, True), strict=True):
        for step in range(2):
            last = num_tokens - 2 + step
            fresh = (
                range(last, last + 1) if memory else range(last - context + 1, last + 1)
            )
            _work(ax, fresh, last - context + 1, last, num_layers, step * 9.5)
        count = num_layers * (1 if memory else context)
        title = "with a memory" if memory else "without a memory"
        ax.set_title(f"{title}: {count} new states per token", fontsize=11)
        for layer in range(num_layers + 1):
            name = f"layer {layer}" if layer else "tokens"
            ax.text(-0.7, layer, name, ha="right", va="center", fontsize=9.5)
        ax.set(xlim=(-3.6, 17), ylim=(-0.9, num_layers + 0.5), aspect="equal")
        ax.set_axis_off()
    return figure


def _work(
    ax: Axes, fresh: range, first: int, last: int, num_layers: int, left: float
) -> None:
    for n, layer in np.ndindex(last + 1, num_layers + 1):
        x = left + n
        if layer and n in fresh:
            ax.add_patch(Circle((x, layer), 0.34, color=color("query")))
        elif first <= n <= last and layer < num_layers:
            ring: dict[str, Any] = {"fc": "none", "ec": color("key"), "lw": 1.6}
            ax.add_patch(Circle((x, layer), 0.3, **ring))
        else:
            ax.add_patch(Circle((x, layer), 0.1, color=color("line")))
    ax.text(left + last, -0.75, "new", ha="center", va="center", fontsize=9.5)
