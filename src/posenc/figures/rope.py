"""Figures of the chapter on rotary embedding: planes, clocks, layouts, decay."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle, Wedge

from posenc import rope

from .cost import cost_curve
from .matrix import signed
from .rope_curves import decay, score_curve, wavelengths
from .rope_data import KEY, QUERY, layout_scores, planes
from .rope_opening import helix, multiply, opening, plane
from .themes import color

__all__ = [
    "clocks",
    "clocks_overview",
    "cost_curve",
    "decay",
    "helix",
    "layout_lanes",
    "layouts_overview",
    "multiply",
    "opening",
    "plane_overview",
    "rotated_query",
    "score_curve",
    "wavelengths",
]


def rotated_query(
    positions: tuple[int, ...] = (0, 1, 2, 3), *, base: float = 16.0
) -> Figure:
    """A query with two planes at several positions: a fast fan and a slow one.

    Parameters
    ----------
    positions : tuple of int
        Where the query stands, in tokens.
    base : float, default 16
        Base of the frequencies.
    """
    figure, axes = plt.subplots(1, 2, figsize=(5.6, 3.1))
    angles = rope.rotary_angles(np.asarray(positions), 4, base=base)
    start = math.radians(15)
    for i, ax in enumerate(axes):
        ax.set(xlim=(-1.25, 1.35), ylim=(-1.25, 1.5), aspect="equal")
        ax.set_axis_off()
        face: dict[str, Any] = {"fc": color("raised"), "ec": color("line")}
        ax.add_patch(Circle((0, 0), 1, **face))
        for m, angle in zip(positions, start + angles[:, i], strict=True):
            end = 0.92 * math.cos(angle), 0.92 * math.sin(angle)
            style: dict[str, Any] = {"arrowstyle": "-|>", "color": color("query")}
            fade = 0.45 + 0.55 * m / max(positions)
            style |= {"lw": 2, "alpha": fade, "shrinkA": 0, "shrinkB": 0}
            ax.annotate("", end, (0, 0), arrowprops=style)
            at = 1.13 * math.cos(angle), 1.13 * math.sin(angle)
            middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
            ax.text(*at, str(m), color=color("position"), **middle)
        pair = f"features {2 * i} and {2 * i + 1}"
        speed = f"θ = {base ** (-i / 2):g} per token"
        ax.set_title(f"plane {i}: {pair}\n{speed}", fontsize=11)
    return figure


def plane_overview(
    *, m: int, n: int, step: float, q_angle: float = QUERY[1], k_angle: float = KEY[1]
) -> Figure:
    """Plane and score side by side: the first widget as a still picture."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.6), width_ratios=(4, 5))
    left.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    left.set_axis_off()
    query, key = (QUERY[0], q_angle), (KEY[0], k_angle)
    plane(left, (0, 0), m * step, n * step, query=query, key=key)
    left.set_title(f"query at {m}, key at {n}", fontsize=12)
    score_curve(step, gap=k_angle - q_angle, chosen=n - m, ax=right)
    return figure


def clocks(
    head_dim: int = 16,
    *,
    base: float = 10_000.0,
    trained_len: int = 2048,
    method: str = "none",
    scale: float = 1.0,
    position: int = 3000,
    ax: Axes | None = None,
) -> Axes:
    """A clock for each plane: angles met in training shaded, the hand at a position.

    A hand that points outside the shade is drawn in the key's color, with a mark.

    Parameters
    ----------
    head_dim, base, trained_len, method, scale, position
        As in `rope_data.planes`.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    setting: dict[str, Any] = {"method": method, "scale": scale, "position": position}
    state = planes(head_dim, base, trained_len, **setting)
    across = math.ceil(math.sqrt(len(state.theta) * 1.4))
    down = math.ceil(len(state.theta) / across)
    ax = plt.subplots(figsize=(5.6, 5.6 * down / across))[1] if ax is None else ax
    ax.set(xlim=(-1.2, 2.5 * across - 1.2), ylim=(-2.75 * down + 1.2, 1.7))
    ax.set(aspect="equal")
    ax.set_axis_off()
    for i, (angle, seen, new) in enumerate(
        zip(state.angles, state.seen, state.new, strict=True)
    ):
        x, y = 2.5 * (i % across), -2.75 * (i // across)
        face: dict[str, Any] = {"fc": color("raised"), "ec": color("line"), "lw": 1}
        ax.add_patch(Circle((x, y), 1, **face))
        shade: dict[str, Any] = {"fc": color("position"), "ec": "none", "alpha": 0.3}
        ax.add_patch(Wedge((x, y), 0.78, 90 - math.degrees(seen), 90, **shade))
        role = "key" if new else "position"
        end = x + 0.93 * math.sin(angle), y + 0.93 * math.cos(angle)
        ax.plot([x, end[0]], [y, end[1]], color=color(role), lw=2.2)
        ax.plot(x, y, "o", ms=3.5, color=color("text"))
        words = f"{i} !" if new else str(i)
        at: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": 10}
        ax.text(x, y + 1.08, words, color=color("key" if new else "muted"), **at)
    return ax


def clocks_overview(**setting: Any) -> Figure:
    """Clocks and wavelengths side by side: the second widget as a still picture."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.2, 4.4))
    clocks(**setting, ax=left)
    scale, method = setting["scale"], setting["method"]
    common = {k: setting[k] for k in ("head_dim", "base", "trained_len")}
    shown = ("none",) if method == "none" else ("none", method)
    wavelengths(**common, scale=scale, methods=shown, ax=right)
    return figure


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
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.2, 3.4))
    layout_lanes(head_dim, ax=left)
    r = np.arange(-8, 9)
    own: dict[str, Any] = {"trained": trained, "last": 8}
    meant = layout_scores(head_dim, runs=trained, permuted=False, **own)
    got = layout_scores(head_dim, runs=runs, permuted=permuted, **own)
    right.plot(r, meant, "o--", mfc="none", color=color("muted"), label="as trained")
    right.plot(r, got, ".-", color=color("position"), label="as it runs")
    right.set_xlabel("relative position (key − query)", color=color("position"))
    right.set_ylabel("score")
    right.set_xticks(
        [-8, -4, 0, 4, 8], [signed(t, 0) if t else "0" for t in (-8, -4, 0, 4, 8)]
    )
    right.legend(fontsize=10)
    return figure
