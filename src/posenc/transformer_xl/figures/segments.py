"""Segments and their memory: the opening, how far tokens reach, what it costs."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from posenc.kit.figures.themes import choose, color

SENTENCE = ("once", "upon", "a", "time", "a", "king", "had", "a")
SEGMENT_LEN, _QUERY = 4, 6


def opening(ax: Axes | None = None) -> Axes:
    """Draw two segments, the first one as memory, and a query that counts back.

    Below, each segment numbers its tokens from 0: two tokens share each number. Above,
    the query counts distances, which do not care where the border is.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.0, 3.1))[1]
    ax.set(xlim=(-0.3, 8.35), ylim=(choose(3.4, 3.8), -2.0))
    ax.set_axis_off()
    for n, word in enumerate(SENTENCE):
        _token(ax, n, word)
    _segment(
        ax,
        0,
        "memory",
        choose("kept from the segment before", "kept from the\nsegment before"),
    )
    _segment(
        ax,
        SEGMENT_LEN,
        "segment",
        choose("queries come from here", "queries come\nfrom here"),
    )
    ax.text(-0.2, -1.62, "distance: query − key", color=color("position"), fontsize=11)
    at: dict[str, Any] = {"color": color("muted"), "fontsize": 10.5, "va": "center"}
    ax.text(4.1, 1.75, "index: every number names two tokens", ha="center", **at)
    return ax


def _token(ax: Axes, n: int, word: str) -> None:
    in_memory, x = n < SEGMENT_LEN, n + 0.2 * (n >= SEGMENT_LEN)
    box: dict[str, Any] = {"fc": color("raised"), "ec": color("key"), "lw": 1.4}
    if in_memory:
        box["ls"] = (0, (3, 2))
    if n == _QUERY:
        box = {"fc": color("query"), "ec": color("query"), "lw": 1.4}
    ax.add_patch(Rectangle((x + 0.04, 0), 0.92, 0.8, **box))
    middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 10.5}
    ink = color("surface") if n == _QUERY else color("text")
    ax.text(x + 0.5, 0.4, word, color=ink, **middle)
    index = str(n % SEGMENT_LEN)
    ax.text(x + 0.5, 1.15, index, color=color("muted"), **middle)
    if n <= _QUERY:
        distance = str(_QUERY - n)
        ax.text(
            x + 0.5, -0.95, distance, color=color("position"), weight="bold", **middle
        )
        ax.plot([x + 0.5] * 2, [-0.62, -0.1], color=color("position"), lw=1.1)
    if n < _QUERY:
        step = [x + 0.5, n + 1.5 + 0.2 * (n + 1 >= SEGMENT_LEN)]
        ax.plot(step, [-0.62, -0.62], color=color("position"), lw=1.6)


def _segment(ax: Axes, first: int, name: str, note: str) -> None:
    left = first + 0.2 * (first >= SEGMENT_LEN)
    ends = [left + 0.05, left + SEGMENT_LEN - 0.05]
    ax.plot(ends, [2.5, 2.5], color=color("line"), lw=1.2)
    at: dict[str, Any] = {"ha": "center", "va": "center"}
    ax.text(sum(ends) / 2, 2.8, name, weight="bold", fontsize=11, **at)
    at |= {"va": choose("center", "top"), "color": color("muted"), "fontsize": 9.5}
    ax.text(sum(ends) / 2, choose(3.15, 3.0), note, **at)


def first_reached(
    position: int, *, segment_len: int, memory_len: int, num_layers: int
) -> int:
    """Return the first token of the text that can change the output at `position`.

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
    """Draw a grid of hidden states, layers up, tokens across, filled within reach.

    A filled disk is reached within the query's own segment, where gradients flow. A
    ring is reached through a memory. Other states are dots.

    Parameters
    ----------
    segment_len, memory_len, num_layers : int
        Tokens of a segment, tokens of a memory, layers.
    position : int, optional
        Position of the output (default: the last token).
    num_tokens : int, default 16
        Tokens that are drawn.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw lines from a layer's first and last reached state to their inputs."""
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
    """Draw the work for the last two tokens, without and with a memory."""
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


_SLOWDOWN_STYLES = (("query", "-"), ("key", "--"))


def slowdown_curves(
    tokens: Sequence[int],
    slower: Mapping[str, Sequence[float]],
    *,
    measured: float,
    marks: Sequence[int] = (),
    ax: Axes | None = None,
) -> Axes:
    """Plot how many times slower evaluation is without a memory, on log axes.

    Parameters
    ----------
    tokens : sequence of int
        Tokens that one step predicts, L.
    slower : mapping of str to sequence of float
        Words of a curve to its ratio for each of `tokens`; two curves at most. The
        first one gets the marks.
    measured : float
        The ratio that the paper measured, drawn as a line.
    marks : sequence of int, optional
        Members of `tokens` whose ratio is written beside the curve.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4.8, 3.5))[1] if ax is None else ax
    ax.axhline(measured, color=color("muted"), ls=":", lw=1.6)
    style: dict[str, Any] = {"color": color("muted"), "fontsize": 10}
    ax.text(tokens[0], measured / 1.12, f"paper: {measured:,.0f}", va="top", **style)
    for (words, ratios), (role, line) in zip(
        slower.items(), _SLOWDOWN_STYLES, strict=False
    ):
        ax.plot(tokens, ratios, color=color(role), ls=line, label=words)
    ratios = next(iter(slower.values()))
    for length in marks:
        ratio = ratios[list(tokens).index(length)]
        ax.plot(length, ratio, "o", color=color("query"))
        ax.annotate(
            f"{ratio:,.0f}×",
            (length, ratio),
            (9, -3),
            textcoords="offset points",
            va="center",
            fontsize=10,
            color=color("query"),
        )
    ax.set(xscale="log", yscale="log", xlabel="tokens predicted in one step, L")
    ax.set_ylabel("times slower without a memory")
    ax.set_xticks(marks, labels=[f"{length:,}" for length in marks])
    ax.minorticks_off()
    ax.set(xlim=(0.7, 5 * tokens[-1]), ylim=(3, 6_000))
    ax.grid(visible=True)
    ax.legend(fontsize=10, loc="lower right")
    return ax


_GAIN_STYLES = (("query", "-", "o"), ("key", "--", "s"))


def clamp_gains(
    gains: Mapping[str, Sequence[Mapping[int, float]]], *, ax: Axes | None = None
) -> Axes:
    """Draw percentage points that a clamp adds to right answers, a line per run.

    Parameters
    ----------
    gains : mapping of str to sequence of mappings
        Words of a task, two at most, to its runs: length to the points gained there.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4.8, 3.1))[1] if ax is None else ax
    ax.axhline(0, color=color("text"), lw=1.2)
    for (task, runs), (role, line, mark) in zip(
        gains.items(), _GAIN_STYLES, strict=False
    ):
        for n, run in enumerate(runs):
            ax.plot(
                list(run),
                list(run.values()),
                line + mark,
                color=color(role),
                lw=1.2,
                ms=4.5,
                label="_" * (n > 0) + task,
            )
    lengths = sorted(
        {length for runs in gains.values() for run in runs for length in run}
    )
    ax.set(xscale="log", xlabel="length of the test (tokens)", ylabel="points gained")
    ax.set_xticks(lengths, labels=[f"{length:,}" for length in lengths])
    ax.minorticks_off()
    ax.grid(visible=True)
    ax.legend(fontsize=10, loc="lower left", bbox_to_anchor=(0, 1))
    return ax
