"""Pairs that turn in one plane: the opening, their score, complex numbers."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Circle, Wedge

from posenc import rope, sinusoidal
from posenc.core.angles import frequencies
from posenc.kit.figures.themes import choose, color, panels


def hand(
    ax: Axes, center: Any, length: float, angle: float, role: str, dashed: bool = False
) -> None:
    """Draw an arrow, or a thin dashed line, from `center`; the angle is in degrees."""
    end = polar(center, length, angle)
    style: dict[str, Any] = {**thick_arrow(role), "shrinkA": 0, "shrinkB": 0}
    if dashed:
        style |= {"ls": (0, (3, 2)), "arrowstyle": "-", "lw": 1.4}
    ax.annotate("", end, center, arrowprops=style)


def thick_arrow(role: str) -> dict[str, Any]:
    """Return the look of an arrow, for ``Axes.annotate``."""
    return {"arrowstyle": "-|>", "color": color(role), "lw": 2, "mutation_scale": 13}


def polar(center: Any, length: float, degrees: float) -> tuple[float, float]:
    """Return the point at a distance from `center`, counterclockwise from the right."""
    turned = math.radians(degrees)
    return (
        center[0] + length * math.cos(turned),
        center[1] + length * math.sin(turned),
    )


_STEP = 25  # degrees per token


def opening(ax: Axes | None = None) -> Axes:
    """Draw a query and a key at two places of a sentence, equally far apart.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.6, 3.5))[1]
    ax.set(xlim=(-1.25, 4.05), ylim=(-1.85, 1.5), aspect="equal")
    ax.set_axis_off()
    for x, (m, n) in ((0.0, (0, 2)), (2.8, (3, 5))):
        plane(ax, (x, 0), m * _STEP, n * _STEP, size=1.05, before=True)
        words = f"query at {m}, key at {n}"
        ax.text(x, -1.42, words, ha="center", fontsize=11.5)
    ax.annotate("", (1.62, 0.25), (1.15, 0.25), arrowprops=thick_arrow("muted"))
    ax.text(
        1.39, choose(0.42, -0.2), "+3", ha="center", color=color("muted"), fontsize=12
    )
    words = "the same angle between them, the same score"
    ax.text(1.4, -1.78, words, ha="center", color=color("position"), fontsize=12)
    return ax


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
        Positions of the query, in tokens.
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
    """Draw the length of one token at each place, with a sinusoid added and turned.

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
    """Draw planes and their score side by side, the first widget's still picture."""
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
    """Draw query and key in one plane, pale as projected and strong as turned.

    Parameters
    ----------
    ax : Axes
        Axes to draw on.
    center : (float, float)
        Origin of the plane.
    turn_q, turn_k : float
        Degrees, counterclockwise.
    size : float, default 1
        Length of 1 on the page.
    query, key : (length, degrees)
        Before they are turned.
    before : bool, default False
        True to give the pale arrows their letters, too.
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
    """Draw the score of one turned plane against the relative position.

    Parameters
    ----------
    step : float, default 30
        Degrees per token.
    gap : float
        Degrees from the query to the key before they are turned.
    chosen : int, optional
        Relative position to mark.
    ax : Axes, optional
        Axes to draw on (default: new).
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


def multiply(ax: Axes | None = None) -> Axes:
    """Draw a point of the plane before and after multiplication by a unit number.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4.4, 3.7))[1] if ax is None else ax
    ax.set(xlim=(-1.45, 2.0), ylim=(-0.65, 2.15), aspect="equal")
    ax.set_axis_off()
    axis: dict[str, Any] = {"arrowstyle": "-|>", "color": color("line"), "lw": 1}
    for end, words, at in (
        ((1.75, 0), "real", (1.7, -0.22)),
        ((0, 2.0), "imaginary", (0.62, 1.98)),
    ):
        start = (-1.4 * (end[0] > 0), -0.4 * (end[1] > 0))
        ax.annotate("", end, start, arrowprops=axis)
        ax.text(*at, words, ha="center", va="center", color=color("muted"))
    length, angle, phi = 1.5, 25, 70
    for a, role, words in ((angle, "muted", "$z$"), (angle + phi, "text", "")):
        hand(ax, (0, 0), length, a, role)
        x, y = polar((0, 0), length, a)
        ax.plot([x, x, 0], [0, y, y], ls=":", lw=1.2, color=color(role))
        ax.text(x + 0.08, y + 0.06, words, color=color(role), fontsize=14)
    x, y = polar((0, 0), length, angle + phi)
    ax.text(x - 0.1, y + 0.1, r"$z\,e^{\mathrm{i}\varphi}$", ha="right", fontsize=14)
    for radius, low, high, role, words in (
        (0.95, 0, angle, "muted", r"$\psi$"),
        (1.3, angle, angle + phi, "position", r"$\varphi$"),
    ):
        arc = Arc((0, 0), radius, radius, theta1=low, theta2=high, lw=2)
        arc.set_edgecolor(color(role))
        ax.add_patch(arc)
        at = polar((0, 0), radius / 2 + 0.16, (low + high) / 2)
        style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 13}
        ax.text(*at, words, color=color(role), **style)
    return ax


def helix(ax: Axes | None = None) -> Axes:
    """Draw the curve of all e^{ix}, its shadow on the floor and its shadow on the wall.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(5.8, 3.2))[1] if ax is None else ax
    ax.set_axis_off()
    ax.set(aspect="equal")
    end = 4 * math.pi
    x = np.linspace(0, end, 400)

    def view(x: Any, real: Any, imaginary: Any) -> tuple[Any, Any]:
        """Return the place on the page: x right, real part towards us, imaginary up."""
        return 0.5 * x - 0.35 * real, imaginary - 0.28 * real

    wall, floor = -1.5, -1.8
    for corners in (
        [(0, wall, floor), (end, wall, floor), (end, wall, 1.3), (0, wall, 1.3)],
        [(0, wall, floor), (end, wall, floor), (end, 1.3, floor), (0, 1.3, floor)],
    ):
        shape = np.asarray([view(*corner) for corner in corners])
        ax.fill(*shape.T, fc=color("raised"), ec=color("line"), lw=0.8)
    zero = np.zeros_like(x)
    ax.plot(*view(x, wall + zero, np.sin(x)), color=color("value"), lw=2, ls="--")
    ax.plot(*view(x, np.cos(x), floor + zero), color=color("key"), lw=2, ls="-.")
    ax.plot(
        *view(np.asarray([0, end + 0.8]), np.zeros(2), np.zeros(2)),
        color=color("line"),
        lw=1,
    )
    ax.plot(*view(x, np.cos(x), np.sin(x)), color=color("text"), lw=2.4)
    here = 2.3
    point = view(here, math.cos(here), math.sin(here))
    for shadow, role in (
        ((here, wall, math.sin(here)), "value"),
        ((here, math.cos(here), floor), "key"),
    ):
        to = view(*shadow)
        line = zip(point, to, strict=True)
        ax.plot(*line, ls=":", lw=1.3, color=color("muted"))
        ax.plot(*to, "o", color=color(role), ms=6)
    start = view(here, 0, 0)
    ax.annotate("", point, start, arrowprops={**thick_arrow("position"), "shrinkA": 0})
    big: dict[str, Any] = {"fontsize": 12, "va": "center"}
    ax.text(*view(end + 1.1, 0, 0), "$x$", **big)
    words = "shadow on the wall: imaginary part, $\\sin x$"
    ax.text(*view(choose(0, -0.8), wall, 1.55), words, color=color("value"), **big)
    words = "shadow on the floor: real part, $\\cos x$"
    ax.text(*view(0, 1.3, floor - 0.35), words, color=color("key"), **big)
    ax.text(*view(choose(-1.1, -1.6), 1, 0), r"$e^{\mathrm{i}x}$", fontsize=15)
    return ax
