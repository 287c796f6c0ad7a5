"""Clocks, one per frequency: the picture that opens the chapter on rotation."""

import math
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from posenc.core import angles as _angles
from posenc.kit.figures.themes import color

from .dial import clock

_BASE, _D_MODEL = 30.0, 8


_STARTS, _SHIFT = (1, 5), 2


def opening(ax: Axes | None = None) -> Axes:
    """Four hands at two starts, moved on by the same shift: each by its own angle.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.6, 4.0))[1]
    theta = _angles.frequencies(_D_MODEL, base=_BASE)
    ax.set(xlim=(-1.75, 9.1), ylim=(-5.1, 2.6), aspect="equal")
    ax.set_axis_off()
    middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 11}
    for row, start in enumerate(_STARTS):
        for column, speed in enumerate(theta):
            clock(ax, (2.45 * column, -2.75 * row), speed * start, speed * _SHIFT)
        words = f"{start} → {start + _SHIFT}"
        ax.text(-1.4, -2.75 * row, words, rotation=90, color=color("text"), **middle)
    for column, speed in enumerate(theta):
        x = 2.45 * column
        ax.text(x, 1.45, f"clock {column}", color=color("muted"), **middle)
        turn = f"+{math.degrees(speed * _SHIFT):.0f}°"
        ax.text(x, -4.15, turn, color=color("position"), **middle)
    ax.text(3.7, 2.2, "fast  ⟶  slow", color=color("muted"), **middle)
    words = "the same turn, wherever you start"
    ax.text(3.7, -4.85, words, color=color("position"), **middle)
    return ax
