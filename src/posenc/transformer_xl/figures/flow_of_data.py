"""Attention of Transformer-XL as a diagram."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.kit.figures.themes import color


def data_flow(ax: Axes | None = None) -> Axes:
    """Attention of Transformer-XL as a diagram, from memory and segment to output."""
    ax = plt.subplots(figsize=(4.5, 5.2))[1] if ax is None else ax
    ax.set(xlim=(-0.1, 10.1), ylim=(11.1, -0.2))
    ax.set_axis_off()
    boxes = [
        (0.0, 0, 4.6, "[SG(m) ∘ h]\nmemory, segment", "text"),
        (4.9, 0, 2.3, "h\nsegment", "text"),
        (7.5, 0, 2.5, "R\nsinusoids", "position"),
        (0.0, 2.2, 2.1, "$W_V$: values", "value"),
        (2.5, 2.2, 2.1, "$W_{K,E}$: k", "key"),
        (4.9, 2.2, 2.3, "$W_Q$: q", "query"),
        (7.5, 2.2, 2.5, "$W_{K,R}$: r", "position"),
        (2.5, 4.3, 3.1, "$(q+u)\\cdot k$", "text"),
        (6.1, 4.3, 3.9, "$(q+v)\\cdot r$", "text"),
        (6.1, 6.0, 3.9, "relative shift", "position"),
        (2.5, 7.7, 5.1, "add, $/\\sqrt{d}$, mask, softmax", "text"),
        (0.0, 9.6, 5.0, "weights × values", "value"),
    ]
    for x, y, width, text, role in boxes:
        height = 1.3 if "\n" in text else 0.95
        box: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
        ax.add_patch(Rectangle((x, y), width, height, **box))
        at: dict[str, Any] = {"ha": "center", "va": "center", "color": color(role)}
        ax.text(x + width / 2, y + height / 2, text, linespacing=1.1, **at)
    arrows = [
        ((1.05, 1.3), (1.05, 2.2)), ((3.55, 1.3), (3.55, 2.2)),
        ((6.05, 1.3), (6.05, 2.2)), ((8.75, 1.3), (8.75, 2.2)),
        ((3.55, 3.15), (3.55, 4.3)), ((5.6, 3.15), (4.9, 4.3)),
        ((6.5, 3.15), (7.2, 4.3)), ((8.75, 3.15), (8.75, 4.3)),
        ((8.05, 5.25), (8.05, 6.0)), ((4.05, 5.25), (4.05, 7.7)),
        ((7.0, 6.95), (6.6, 7.7)), ((4.0, 8.65), (4.0, 9.6)),
        ((1.05, 3.15), (1.05, 9.6)),
    ]  # fmt: skip
    look = {"arrowstyle": "->", "color": color("text"), "shrinkA": 0, "shrinkB": 0}
    for start, end in arrows:
        ax.annotate("", end, start, arrowprops=look)
    plus: dict[str, Any] = {"color": color("query"), "fontsize": 11, "va": "center"}
    ax.text(5.0, 3.6, "+u", ha="right", **plus)
    ax.text(7.1, 3.6, "+v", ha="left", **plus)
    return ax
