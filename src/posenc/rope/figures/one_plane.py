"""A query and a key that turn in one plane, and their score."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Wedge

from posenc import rope, sinusoidal
from posenc.core.angles import frequencies
from posenc.kit.figures.themes import color, panels

from .arrows import hand, polar

#: Length and angle (degrees) of the query and of the key that turn in one plane.
QUERY, KEY = (1.0, 20), (0.8, 75)

#: The same in further planes: all scores are largest at one relative position.
FURTHER = (
    ((1.0, 110), (0.5, 140)),
    ((1.0, 200), (0.6, 215)),
    ((1.0, 290), (0.4, 297.5)),
)
#: Speeds of the planes, as shares of that of plane 0: each has half of the one before.
SHARES: list[float] = frequencies(8, base=16.0).tolist()


def rotated_query(
    positions: tuple[int, ...] = (0, 1, 2, 3), *, base: float = 16.0
) -> Figure:
    """Draw a query with two planes at several positions: a fast fan and a slow one.

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


def lengths(*, places: int = 1000, d: int = 64) -> Figure:
    """Lengths of one token at each place: with a sinusoid added, and turned.

    Parameters
    ----------
    places : int, default 1000
        Places, counted from 0.
    d : int, default 64
        Features of the token.
    """
    positions = np.arange(places)
    token = np.random.default_rng(0).normal(size=d)
    added = token + sinusoidal.sinusoidal_encoding(positions, d)
    copies = np.broadcast_to(token, (places, d))
    turned = rope.apply_rotary(copies, rope.rotary_angles(positions, d))
    figure, ax = plt.subplots(figsize=(5.8, 2.6))
    for vectors, name, hue in ((added, "added", "key"), (turned, "turned", "query")):
        ax.plot(
            positions, np.linalg.norm(vectors, axis=1), label=name, color=color(hue)
        )
    ax.set(xlim=(0, places - 1), ylim=(0, None), ylabel="length")
    ax.set_xlabel("position", color=color("position"))
    ax.legend(loc="lower right", frameon=False, ncols=2)
    return figure


def plane_overview(
    *,
    m: int,
    n: int,
    step: float,
    q_angle: float = QUERY[1],
    k_angle: float = KEY[1],
    planes: int = 1,
) -> Figure:
    """Draw planes and their score side by side: the first widget as a still picture."""
    figure, (left, right) = panels(
        1, 2, figsize=(8, 3.6), narrow_height=6, ratios=(4, 5)
    )
    left.set(aspect="equal")
    left.set_axis_off()
    pairs = (((QUERY[0], q_angle), (KEY[0], k_angle)), *FURTHER)[:planes]
    apart = 2.7
    for i, (query, key) in enumerate(pairs):
        center = (i % 2) * apart, -(i // 2) * apart
        speed = SHARES[i] * step
        plane(left, center, m * speed, n * speed, query=query, key=key)
        if planes > 1:
            at: dict[str, Any] = {"ha": "center", "fontsize": 9}
            left.text(center[0], center[1] + 1.2, f"{speed:g}° a token", **at)
    edge = 1.3
    left.set_xlim(-edge, edge + apart * (planes > 1))
    left.set_ylim(-edge - apart * (planes > 2), edge + 0.15 * (planes > 1))
    left.set_title(f"query at {m}, key at {n}", fontsize=12)
    if planes == 1:
        score_curve(step, gap=k_angle - q_angle, chosen=n - m, ax=right)
        return figure
    turns = [
        (share * step, key[1] - query[1], query[0] * key[0])
        for share, (query, key) in zip(SHARES, pairs, strict=False)
    ]
    _curve(turns, chosen=n - m, ax=right)
    right.set_ylabel("score: the sum of the planes")
    return figure


def plane(
    ax: Axes,
    center: tuple[float, float],
    turn_q: float,
    turn_k: float,
    *,
    size: float = 1.0,
    query: tuple[float, float] = QUERY,
    key: tuple[float, float] = KEY,
    before: bool = False,
) -> None:
    """Query and key in one plane: pale as projected, strong as turned.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    center : (float, float)
        Origin of the plane.
    turn_q, turn_k : float
        Degrees, counterclockwise.
    size : float, default 1
        What length 1 measures on the page.
    query, key : (length, degrees)
        Before they are turned.
    before : bool, default False
        Whether the pale arrows have their letters, too.
    """
    x, y = center
    thin: dict[str, Any] = {"color": color("line"), "lw": 0.9, "zorder": 0}
    ax.plot([x - 1.15 * size, x + 1.15 * size], [y, y], **thin)
    ax.plot([x, x], [y - 1.15 * size, y + 1.15 * size], **thin)
    face: dict[str, Any] = {"fc": color("raised"), "ec": color("line"), "zorder": -1}
    ax.add_patch(Circle(center, size, **face))
    ends = []
    for letter, role, turn, (length, angle) in (
        ("q", "query", turn_q, query),
        ("k", "key", turn_k, key),
    ):
        if turn % 360:
            hand(ax, center, length * size, angle, "muted", dashed=True)
            if before:
                at = polar(center, length * size + 0.14, angle)
                style: dict[str, Any] = {"color": color("muted"), "fontsize": 11}
                ax.text(*at, f"${letter}$", ha="center", va="center", **style)
        hand(ax, center, length * size, angle + turn, role)
        _label(ax, center, length * size, angle + turn, letter, role)
        ends.append(angle + turn)
    first, gap = ends[0], math.remainder(ends[1] - ends[0], 360)
    low, high = sorted((first, first + gap))
    sector: dict[str, Any] = {"fc": color("position"), "ec": "none", "alpha": 0.3}
    ax.add_patch(Wedge(center, 0.42 * size, low, high, **sector))


def _label(
    ax: Axes, center: Any, length: float, angle: float, words: str, role: str
) -> None:
    x, y = polar(center, length + 0.13, angle)
    at: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 13}
    ax.text(x, y, f"${words}$", color=color(role), **at)


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
    return _curve([(step, gap, QUERY[0] * KEY[0])], chosen=chosen, ax=ax)


def _curve(
    turns: list[tuple[float, float, float]], *, chosen: int | None, ax: Axes
) -> Axes:
    """Draw the sum over planes: (degrees a token, gap, product of both lengths)."""

    def score(r: Any) -> Any:
        return sum(
            size * np.cos(np.radians(gap + step * np.asarray(r)))
            for step, gap, size in turns
        )

    r = np.arange(-12, 13)
    fine = np.linspace(-12, 12, 481)
    ax.axhline(0, color=color("line"), lw=0.8)
    ax.plot(fine, score(fine), color=color("line"), lw=1)
    ax.plot(r, score(r), "o", color=color("position"), ms=5)
    if chosen is not None:
        ring: dict[str, Any] = {"mfc": "none", "color": color("text"), "ms": 12}
        ax.plot(chosen, score(chosen), "o", **ring)
    ax.set_xlabel("relative position (key − query)", color=color("position"))
    ax.set_ylabel("score")
    return ax
