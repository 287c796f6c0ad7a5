"""From the digits of a number to dials that turn smoothly."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from posenc.kit.figures.text import readable_ink, signed
from posenc.kit.figures.themes import color
from posenc.sinusoidal import binary_encoding, continuous_binary_encoding

from .heat_maps import ENCODING_COLORS


def digit_table(*, num_digits: int = 4) -> Figure:
    """Digits of the first positions and, beside them, the sines of the same periods."""
    count = 2**num_digits
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(4.8, 5.0), sharey=True, width_ratios=(3, 4)
    )
    digits = binary_encoding(np.arange(count), num_digits)
    pale, full = (mpl.colors.to_rgba(color(role)) for role in ("raised", "query"))
    shades = np.where(digits[..., None] == 1, full, pale)
    _cells(left, shades, digits.astype(str))
    left.set_xticks(range(num_digits), labels=[str(2**j) for j in range(num_digits)])
    left.set_xlabel("digit worth")
    waves = continuous_binary_encoding(np.arange(float(count)), num_digits)
    waves = np.round(waves, 1) + 0.0  # no -0.0
    shades = mpl.colormaps[ENCODING_COLORS]((waves + 1) / 2)
    _cells(right, shades, np.vectorize(_value)(waves))
    right.set_xticks(
        range(num_digits), labels=[str(2 ** (j + 1)) for j in range(num_digits)]
    )
    right.set_xlabel("sine of period")
    left.set_yticks(range(count))
    left.set_ylabel("position", color=color("position"))
    return figure


def _value(value: float) -> str:
    return "0" if value == 0 else signed(value)


def _cells(ax: Axes, shades: Any, text: Any) -> None:
    """Colored cells with text, rows down; ticks on top."""
    rows, columns = text.shape
    edges = np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5
    ax.pcolormesh(*edges, shades, edgecolors=color("surface"), linewidth=0.8)
    for (row, column), words in np.ndenumerate(text):
        ink = readable_ink(shades[row, column])
        ax.text(column, row + 0.02, words, color=ink, ha="center", va="center_baseline")
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.xaxis.set_label_position("top")


def dials(
    positions: Sequence[float | int] = (0, 1, 2, 2.5, 3), *, num_dials: int = 4
) -> Figure:
    """Dials that turn once in 2, 4, 8, … steps, a row of them for each position.

    Each hand starts at the top and turns clockwise; its tip is as far to the right as
    the sine says, and as far up as the cosine.
    """
    rows = len(positions)
    figure, axes = plt.subplots(
        rows, num_dials, figsize=(1.05 * num_dials + 0.6, 1.1 * rows), squeeze=False
    )
    waves = continuous_binary_encoding(np.asarray(positions, float), num_dials)
    for (row, column), ax in np.ndenumerate(axes):
        period = 2 ** (column + 1)
        angle = 2 * np.pi * positions[row] / period
        tip = np.sin(angle), np.cos(angle)
        ax.add_patch(Circle((0, 0), 1, fc=color("raised"), ec=color("line")))
        ax.plot([0, tip[0]], [0, tip[1]], color=color("position"), lw=2.4)
        ax.plot(0, 0, "o", color=color("position"), ms=4)
        ax.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        value = round(float(waves[row, column]), 2) + 0.0
        ax.set_xlabel("0" if value == 0 else signed(value, 2), fontsize=10)
        if row == 0:
            ax.set_title(f"period {period}", fontsize=11)
        if column == 0:
            at: dict[str, Any] = {"rotation": 0, "ha": "right", "va": "center"}
            ax.set_ylabel(f"{positions[row]:g}", color=color("position"), **at)
    words: dict[str, Any] = {"ha": "right", "va": "bottom", "color": color("position")}
    axes[0, 0].text(-1.25, 1.2, "position", fontsize=11, **words)
    return figure


def same_sine(*, period: int = 16) -> Figure:
    """Two positions with one sine: on the wave, and on the dial, where they differ."""
    figure, (wave, dial) = plt.subplots(
        2, 1, figsize=(4.4, 5.6), height_ratios=(1, 1.3)
    )
    theta = 2 * np.pi / period
    along = np.linspace(0, period, 400)
    wave.plot(along, np.sin(theta * along), color=color("position"), lw=1.8)
    first, second = period // 8, 3 * period // 8
    same = np.sin(theta * first)
    wave.axhline(same, color=color("line"), lw=0.8, ls="--")
    wave.set(ylabel="sine", ylim=(-1.3, 1.3), yticks=[-1, 0, 1])
    wave.set_xlabel("position", color=color("position"))
    wave.set_xticks([0, first, second, period // 2, period])
    dial.add_patch(Circle((0, 0), 1, fc=color("raised"), ec=color("line")))
    dial.plot([same, same], [-1.3, 1.3], color=color("line"), lw=0.8, ls="--")
    dial.plot([-1, 1], [0, 0], color=color("line"), lw=0.8)
    dial.set(xlim=(-1.2, 2.1), ylim=(-1.6, 1.3), aspect="equal")
    dial.set_axis_off()
    for start, role, words in ((first, "query", "up"), (second, "key", "down")):
        ends = np.asarray([start, start + 1])
        sines, cosines = np.sin(theta * ends), np.cos(theta * ends)
        ink: dict[str, Any] = {"color": color(role)}
        arrow = {"arrowstyle": "-|>", "lw": 2, **ink}
        wave.annotate("", (ends[1], sines[1]), (start, same), arrowprops=arrow)
        wave.plot(start, same, "o", ms=7, **ink)
        place = (start - 0.4, same + 0.42) if words == "up" else (start + 2.6, 0.45)
        wave.text(*place, words, ha="center", va="center", fontsize=11, **ink)
        bar: dict[str, Any] = {"lw": 5, "alpha": 0.45, "solid_capstyle": "butt"}
        dial.plot([same, same], [0, cosines[0]], **bar, **ink)
        dial.plot([0, same], [0, cosines[0]], lw=2.4, **ink)
        dial.plot([0, sines[1]], [0, cosines[1]], lw=1.2, ls=":", **ink)
        dial.plot(same, cosines[0], "o", ms=7, **ink)
        dial.annotate("", (sines[1], cosines[1]), (same, cosines[0]), arrowprops=arrow)
        label = f"position {start}\ncosine {signed(float(cosines[0]), 2)}"
        dial.text(1.12, 1.12 * cosines[0], label, va="center", fontsize=10, **ink)
    at: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 10}
    dial.text(same, -1.36, f"sine {signed(float(same), 2)}", **at)
    return figure
