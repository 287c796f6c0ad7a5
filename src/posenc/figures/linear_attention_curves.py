"""Curves of the chapter on linear attention: quality, recall, a zero denominator."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .linear_attention_data import last_weight, quality, recall
from .themes import color

_QUALITY: dict[str, tuple[str, str, str]] = {
    "uniform": ("all weights equal", "muted", "--"),
    "elu": ("elu + 1", "query", "o-"),
    "random 64": ("64 random features", "key", "s-."),
    "random 1024": ("1,024 random features", "value", "^-"),
}


def quality_curves(head_dims: tuple[int, ...] = (4, 64)) -> Figure:
    """How far the weights of each map are from those of softmax.

    Parameters
    ----------
    head_dims : tuple of int, default (4, 64)
        Features of a head, one panel each.
    """
    figure, axes = plt.subplots(len(head_dims), 1, figsize=(4.7, 5.4), sharex=True)
    for ax, head_dim in zip(axes, head_dims, strict=True):
        found = quality(head_dim)
        for name, (words, role, style) in _QUALITY.items():
            ax.plot(found["sharpness"], found[name], style, color=color(role), lw=2)
            ax.lines[-1].set_label(words)
        ax.set_xscale("log", base=2)
        ax.set_xticks(found["sharpness"], [f"{s:g}" for s in found["sharpness"]])
        ax.set(ylim=(0, 1), ylabel="share misplaced")
        ax.set_title(f"d = {head_dim}")
    axes[0].legend(fontsize=10)
    axes[-1].set_xlabel("factor of the scores (sharpness)")
    return figure


_RECALL: dict[str, tuple[str, str, str]] = {
    "softmax": ("softmax", "text", "D-"),
    "lift": ("linear, lift to 136 features", "key", "s-."),
    "elu": ("linear, elu + 1, 16 features", "query", "o-"),
}


def recall_curve(ax: Axes | None = None) -> Axes:
    """Share of remembered signs against the number of pairs to remember.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.7, 3.9))[1] if ax is None else ax
    found = recall()
    for name, (words, role, style) in _RECALL.items():
        look: dict[str, Any] = {"color": color(role), "lw": 2, "label": words}
        ax.plot(found["pairs"], found[name], style, **look)
    ax.axhline(0.5, color=color("muted"), ls="--", lw=1.2)
    ax.text(found["pairs"][0], 0.51, "guessing", color=color("muted"), va="bottom")
    ax.set_xscale("log", base=2)
    ax.set_xticks(found["pairs"], [str(n) for n in found["pairs"]])
    ax.set(ylim=(0.45, 1.03), xlabel="pairs to remember", ylabel="signs recovered")
    ax.legend(fontsize=10, loc="lower left", bbox_to_anchor=(0, 1))
    return ax


def denominator(ax: Axes | None = None) -> Axes:
    """Weight of a query's own value while two other keys turn, in both versions.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.8, 3.3))[1] if ax is None else ax
    degrees = np.linspace(0, 180, 361)
    degrees = degrees[degrees != 120]  # there the denominator is 0
    angles = np.radians(degrees)
    both = last_weight(angles, rotated=True)
    numerator = last_weight(angles)
    ax.axhline(0, color=color("line"), lw=0.8)
    for side in (degrees < 120, degrees > 120):
        look: dict[str, Any] = {"color": color("key"), "lw": 2.2}
        ax.plot(degrees[side], both[side], "--", **look)
    ax.lines[-1].set_label("rotated above and below")
    ax.axvline(120, color=color("muted"), ls=":", lw=1.2)
    ax.plot(degrees, numerator, color=color("query"), lw=2.2)
    ax.lines[-1].set_label("rotated above only")
    ax.set(xlim=(0, 180), ylim=(-8, 8), xticks=range(0, 181, 30))
    ax.set_xlabel("angle of the two other keys (degrees)")
    ax.set_ylabel("weight of the own value")
    ax.legend(loc="lower left", fontsize=10)
    return ax
