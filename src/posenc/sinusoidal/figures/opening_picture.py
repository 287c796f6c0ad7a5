"""The picture that opens the chapter on sinusoids: digits jump, waves glide."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.kit.figures.themes import color
from posenc.sinusoidal import binary_encoding, continuous_binary_encoding

_PITCH, _HALF = 1.9, 0.62  # from strip to strip, and half the height of a wave


def opening(
    *, num_digits: int = 4, position: float | None = None, ax: Axes | None = None
) -> Axes:
    """Binary digits of the positions as strips, and through each strip its sine.

    A digit is 1 exactly where the sine of the same period is below zero.

    Parameters
    ----------
    num_digits : int, default 4
        Strips, the lowest digit on top; the positions are 0 … 2^num_digits.
    position : float, optional
        Where to draw a line down through all strips.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.4, 1 + 0.82 * num_digits))[1]
    count = 2**num_digits
    digits = binary_encoding(np.arange(count), num_digits)
    along = np.linspace(0, count, 64 * count + 1)
    waves = continuous_binary_encoding(along, num_digits)
    for j in range(num_digits):
        middle = -_PITCH * j
        for m in range(count):
            _cell(ax, m, middle, digits[m, j])
        ax.plot([0, count], [middle, middle], color=color("line"), lw=0.6)
        ax.plot(along, middle + _HALF * waves[:, j], color=color("position"), lw=1.8)
        side: dict[str, Any] = {"ha": "right", "fontsize": 10, "linespacing": 1.25}
        words = f"digit {j}\nperiod {2 ** (j + 1)}"
        ax.text(-0.35, middle, words, va="center", **side)
    if position is not None:
        ends = (0.9, -_PITCH * (num_digits - 1) - 1.2)
        ax.plot([position, position], ends, color=color("text"), lw=1.4)
    bottom = -_PITCH * (num_digits - 1) - 1.35
    ax.set(xlim=(-2.9, count + 0.4), ylim=(bottom - 0.95, 1.0))
    for m in range(0, count + 1, 1 if count <= 16 else 4):
        at: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 10}
        ax.text(m, bottom + 0.05, str(m), color=color("position"), **at)
    ax.text(-0.35, bottom + 0.05, "position", ha="right", va="top", fontsize=10)
    ax.set_axis_off()
    return ax


def _cell(ax: Axes, m: int, middle: float, digit: Any) -> None:
    """One digit, from its position to the next: a box, and its number below."""
    style: dict[str, Any] = {"fc": color("raised"), "ec": color("surface"), "lw": 0.6}
    if digit:
        style.update(fc=color("query"), alpha=0.45)
    ax.add_patch(Rectangle((m, middle - _HALF), 1, 2 * _HALF, **style))
    bold: dict[str, Any] = {"fontweight": "bold"} if digit else {}
    ink = color("text") if digit else color("muted")
    ax.text(
        m + 0.5,
        middle - _HALF - 0.09,
        str(digit),
        color=ink,
        ha="center",
        va="top",
        fontsize=9,
        **bold,
    )
