"""Two layouts of the features, and the scores when they are mixed up."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc import rope
from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import color, panels


def layout_scores(
    head_dim: int, *, trained: str, runs: str, permuted: bool, last: int
) -> Float[np.ndarray, " offsets"]:
    """Scores of one query and key at the relative positions -last … last.

    Their features are in the order of a model trained with the layout `trained`; code
    of the layout `runs` turns them, after the permutation if `permuted`.
    """
    rng = np.random.default_rng(5)
    q, k = np.round(rng.normal(size=(2, 1, head_dim)), 1)
    if trained == "half":  # the same model, its features in the other order
        order = rope.layout_permutation(head_dim, source="interleaved", target="half")
        q, k = q[:, order], k[:, order]
    if permuted:
        order = rope.layout_permutation(
            head_dim,
            source=trained,  # type: ignore[arg-type]
            target=runs,  # type: ignore[arg-type]
        )
        q, k = q[:, order], k[:, order]
    offsets = np.arange(-last, last + 1.0)
    keys = np.broadcast_to(k, (len(offsets), head_dim))
    angles = rope.rotary_angles(offsets, head_dim, base=100.0)
    turned = rope.apply_rotary(keys, angles, layout=runs)  # type: ignore[arg-type]
    return turned @ q[0]


def layout_lanes(head_dim: int = 8, ax: Axes | None = None) -> Axes:
    """Features in both orders, a line from each place to its place in the other.

    Parameters
    ----------
    head_dim : int, default 8
        Features of a head.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(5.6, 2.7))[1] if ax is None else ax
    ax.set(xlim=(-0.7, head_dim - 0.3), ylim=(-0.95, 2.95))
    ax.set_axis_off()
    target = rope.layout_permutation(head_dim, source="interleaved", target="half")
    roles = ("query", "key", "value", "position")
    middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    for place, feature in enumerate(target.tolist()):
        shade = color(roles[feature // 2 % 4])
        ax.plot([feature, place], [1.55, 0.45], color=shade, lw=1.6)
        for x, y in ((feature, 2), (place, 0)):
            box: dict[str, Any] = {"fc": color("raised"), "ec": shade, "lw": 1.8}
            ax.add_patch(Rectangle((x - 0.4, y - 0.4), 0.8, 0.8, **box))
            words = f"{'xy'[feature % 2]}$_{feature // 2}$"
            ax.text(x, y, words, color=shade, **middle)
    start: dict[str, Any] = {"color": color("muted"), "ha": "left"}
    ax.text(-0.5, 2.62, "interleaved: neighbors are a pair", **start)
    ax.text(-0.5, -0.85, "half-split: i and i + d/2 are a pair", **start)
    return ax


def layouts_overview(
    *, head_dim: int, trained: str, runs: str, permuted: bool
) -> Figure:
    """Lanes and scores side by side: the last widget as a still picture."""
    figure, (left, right) = panels(1, 2, figsize=(9.2, 3.4), narrow_height=5.2)
    layout_lanes(head_dim, ax=left)
    r = np.arange(-8, 9)
    own: dict[str, Any] = {"trained": trained, "last": 8}
    meant = layout_scores(head_dim, runs=trained, permuted=False, **own)
    got = layout_scores(head_dim, runs=runs, permuted=permuted, **own)
    right.plot(r, meant, "o--", mfc="none", color=color("muted"), label="as trained")
    right.plot(r, got, ".-", color=color("position"), label="as it runs")
    right.set_xlabel("relative position (key − query)", color=color("position"))
    right.set_ylabel("score")
    right.set_xticks([-8, -4, 0, 4, 8], [signed_offset(t) for t in (-8, -4, 0, 4, 8)])
    right.legend(fontsize=10)
    return figure
