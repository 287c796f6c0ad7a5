"""Curves of the chapter on rotary embedding: score, wavelengths, decay."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .rope_data import KEY, METHODS, QUERY, decay_curves, planes
from .themes import color


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


def decay(
    name: str = "ones", *, head_dim: int = 128, base: float = 10_000.0, last: int = 299
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
