"""The picture that opens the chapter on convolution, and the front end of wav2vec."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Polygon, Rectangle

from posenc.kit.figures.themes import choose, color

from .borders import leak
from .padded_convolution import example_taps, window

_LEN, _KERNEL = 12, 5


def opening(ax: Axes | None = None) -> Axes:
    """Two windows over one sequence, and how each output differs from the inner ones.

    The window of an inner frame holds frames alone; that of a frame near the border
    holds zeros as well. The sequence is constant, the taps are made up.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.2, 3.9))[1]
    first, last = window(_KERNEL)
    ax.set(xlim=(first - 0.7, _LEN + last - 0.3), ylim=(-3.45, choose(4.1, 4.5)))
    ax.set_axis_off()
    small: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    for t in range(first, _LEN + last):
        inside = 0 <= t < _LEN
        style: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
        if not inside:
            style = {"fc": "none", "ec": color("key"), "ls": (0, (3, 2))}
        ax.add_patch(Rectangle((t - 0.44, 0), 0.88, 0.88, **style))
        ink = color("text" if inside else "key")
        ax.text(t, 0.42, "x" if inside else "0", color=ink, **small)
    for t, role in ((1, "key"), (7, "position")):
        _cone(ax, t, first, last, role)
    sizes = leak(_LEN, example_taps(4, 2, _KERNEL), groups=2)
    sizes = 1.5 * sizes / sizes.max()
    base = -2.5
    ax.plot([-0.6, _LEN - 0.4], [base, base], color=color("line"), lw=1)
    for t, size in enumerate(sizes):
        role = "key" if size > 1e-9 else "position"
        ax.plot([t, t], [base, base + size], color=color(role), lw=5)
        ax.plot(t, base + size, "o", color=color(role), ms=6)
        ax.text(t, base - 0.35, str(t), color=color("muted"), fontsize=9, ha="center")
    words: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    ax.text(
        7,
        choose(3.85, 4.05),
        choose("only frames: relative", "only frames:\nrelative"),
        color=color("position"),
        **words,
    )
    ax.text(1, 3.85, "frames and zeros", color=color("key"), **words)
    where = (_LEN - 1) / 2, -3.25
    ax.text(*where, "equal frames: difference from the inner outputs", **words)
    return ax


def _cone(ax: Axes, t: int, first: int, last: int, role: str) -> None:
    """One output frame above the frames of its window."""
    corners = [(t + first - 0.44, 0.95), (t + last + 0.44, 0.95), (t + 0.44, 2.6)]
    corners.append((t - 0.44, 2.6))
    ax.add_patch(Polygon(corners, fc=color(role), ec="none", alpha=0.22))
    box: dict[str, Any] = {"fc": color("surface"), "ec": color(role), "lw": 2}
    ax.add_patch(Rectangle((t - 0.44, 2.6), 0.88, 0.88, **box))
    at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 12}
    ax.text(t, 3.02, "y", color=color(role), **at)
