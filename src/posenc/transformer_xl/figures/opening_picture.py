"""The picture that opens the chapter on Transformer-XL: a ruler across the border."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.kit.figures.themes import choose, color

SENTENCE = ("once", "upon", "a", "time", "a", "king", "had", "a")


SEGMENT_LEN, _QUERY = 4, 6


def opening(ax: Axes | None = None) -> Axes:
    """Two segments, the first one kept as memory, and a query that counts back.

    Below, each segment numbers its tokens from 0: two tokens share each number. Above,
    the query counts distances, which do not care where the border is.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
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
