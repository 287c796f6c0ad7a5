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
from .rope_data import KEY, METHODS, QUERY, decay_curves, layout_scores, planes
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


def score_curve(
    step: float = 30.0,
    *,
    gap: float = KEY[1] - QUERY[1],
    chosen: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Score of a turned query and key in one plane against the relative position.

    Parameters
    ----------
    step : float, default 30
        Degrees per token.
    gap : float
        Degrees from the query to the key before they are turned.
    chosen : int, optional
        Relative position to mark.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(5.6, 3))[1] if ax is None else ax
    r = np.arange(-12, 13)
    fine = np.linspace(-12, 12, 481)
    ax.axhline(0, color=color("line"), lw=0.8)
    ax.plot(fine, _plane_score(fine, step, gap), color=color("line"), lw=1)
    ax.plot(r, _plane_score(r, step, gap), "o", color=color("position"), ms=5)
    if chosen is not None:
        ring: dict[str, Any] = {"mfc": "none", "color": color("text"), "ms": 12}
        ax.plot(chosen, _plane_score(chosen, step, gap), "o", **ring)
    ax.set_xlabel("relative position (key − query)", color=color("position"))
    ax.set_ylabel("score")
    return ax


def _plane_score(r: Any, step: float, gap: float) -> Any:
    return QUERY[0] * KEY[0] * np.cos(np.radians(gap + step * np.asarray(r)))


def plane_overview(
    *, m: int, n: int, step: float, q_angle: float = QUERY[1], k_angle: float = KEY[1]
) -> Figure:
    """Plane and score side by side: the first widget as a still picture."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.6), width_ratios=(4, 5))
    left.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    left.set_axis_off()
    arrows = {"query": (QUERY[0], q_angle), "key": (KEY[0], k_angle)}
    plane(left, (0, 0), m * step, n * step, **arrows)
    left.set_title(f"query at {m}, key at {n}", fontsize=12)
    score_curve(step, gap=k_angle - q_angle, chosen=n - m, ax=right)
    return figure


def wavelengths(
    head_dim: int = 64,
    *,
    base: float = 10_000.0,
    trained_len: int = 2048,
    scale: float = 8.0,
    methods: tuple[str, ...] = tuple(METHODS),
    ax: Axes | None = None,
) -> Axes:
    """Tokens per round of every plane, against the trained and the wanted length.

    Parameters
    ----------
    head_dim, base, trained_len, scale
        As in `posenc.rope.scaled_frequencies`.
    methods : tuple of str
        Keys of `METHODS`.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(5.8, 3.9))[1] if ax is None else ax
    styles = dict(
        zip(
            METHODS,
            (("text", "-"), ("query", "--"), ("value", "-."), ("key", ":")),
            strict=True,
        )
    )
    for method in methods:
        state = planes(head_dim, base, trained_len, method=method, scale=scale)
        role, dash = styles[method]
        look: dict[str, Any] = {"color": color(role), "ls": dash, "lw": 2}
        ax.plot(2 * math.pi / state.theta, label=METHODS[method], **look)
    ax.set(yscale="log", xlabel="plane i", ylabel="tokens per round")
    for length, words in ((trained_len, "trained"), (trained_len * scale, "wanted")):
        ax.axhline(length, color=color("position"), lw=1.2, ls=(0, (6, 3)))
        at: dict[str, Any] = {"color": color("position"), "va": "bottom"}
        ax.text(0, length * 1.1, f"{words}: {length:,.0f}", fontsize=10, **at)
        if scale == 1:
            break
    ax.legend(loc="lower right", fontsize=10)
    return ax


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


def decay(
    name: str = "ones", *, head_dim: int = 128, base: float = 10_000.0, last: int = 300
) -> Figure:
    """Score and mean on a linear scale; size of the score, bound and mean on another.

    Parameters
    ----------
    name, head_dim, base, last
        As in `rope_data.decay_curves`.
    """
    curves = decay_curves(name, head_dim, base, last)
    figure, (left, right) = plt.subplots(2, 1, figsize=(5.8, 5.6), sharex=True)
    left.axhline(0, color=color("line"), lw=0.8)
    left.plot(curves["score"], color=color("text"), lw=1.6, label="score")
    left.plot(
        curves["mean"], "--", color=color("position"), label="mean of $|S_j|$ (paper)"
    )
    right.plot(curves["bound"], "-.", color=color("key"), label="true bound")
    right.plot(np.abs(curves["score"]), color=color("text"), lw=1.6, label="|score|")
    right.plot(curves["mean"], "--", color=color("position"))
    right.set(yscale="log", ylabel="size (log scale)", ylim=(0.5, None))
    right.set_xlabel("distance (tokens)", color=color("position"))
    left.set_ylabel("score")
    for ax in (left, right):
        ax.legend(fontsize=10)
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
