"""Digits, dials and heat maps: the opening, layouts, accuracy, a learned table."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from posenc.core import data
from posenc.kit.figures.text import readable_ink, signed
from posenc.kit.figures.themes import color
from posenc.sinusoidal import (
    Layout,
    binary_encoding,
    continuous_binary_encoding,
    sinusoidal_table,
)

_PITCH, _HALF = 1.9, 0.62  # from strip to strip, and half the height of a wave


def opening(
    *, num_digits: int = 4, position: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the positions' binary digits as strips, and through each strip its sine.

    A digit is 1 exactly where the sine of the same period is below zero.

    Parameters
    ----------
    num_digits : int, default 4
        Strips, the lowest digit on top; the positions are 0 … 2^num_digits.
    position : float, optional
        Position of a line down through all strips.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    """Draw one digit as a box from its position to the next, its number below."""
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


#: matplotlib's color table for the values of an encoding, from -1 to 1.
ENCODING_COLORS = "coolwarm"

#: Rows and columns for each of which a picture has a pixel.
MOST_CELLS = (400, 480)


def heat_map(
    table: Float[np.ndarray, "seq_len d_model"], *, ax: Axes | None = None
) -> Axes:
    """Draw values of an encoding from -1 to 1, positions down and features across."""
    rows, columns = table.shape
    if ax is None:
        ax = plt.subplots(figsize=(5.4, min(1.4 + 0.16 * rows, 4.6)))[1]
    # A page loads the picture: a pixel for a cell, or, of more cells than a screen has
    # pixels, for a few of them, in fewer colors. Cells left out would make patterns.
    small = _pooled(table)
    levels = 33 if small.size < table.size else 256
    image = ax.imshow(
        small,
        cmap=mpl.colormaps[ENCODING_COLORS].resampled(levels),
        vmin=-1,
        vmax=1,
        aspect="auto",
        interpolation="none",
        extent=(-0.5, columns - 0.5, rows - 0.5, -0.5),
    )
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.xaxis.set_label_position("top")
    ax.set_xlabel("feature")
    ax.set_ylabel("position", color=color("position"))
    whole = mpl.ticker.MaxNLocator(6, integer=True)
    ax.yaxis.set_major_locator(whole)
    bar = ax.figure.colorbar(image, ax=ax, ticks=[-1, 0, 1], aspect=14)
    bar.outline.set_visible(False)
    return ax


def _pooled(
    table: Float[np.ndarray, "seq_len d_model"],
) -> Float[np.ndarray, "rows columns"]:
    """Return means of neighboring cells, as many as a picture has room for."""
    for axis, most in enumerate(MOST_CELLS):
        while table.shape[axis] > most:
            at = range(0, table.shape[axis], 2)
            count = np.diff([*at, table.shape[axis]])
            sums = np.add.reduceat(table, at, axis=axis)
            table = sums / np.expand_dims(count, 1 - axis)
    return table


def layouts(*, seq_len: int = 10, d_model: int = 64) -> Figure:
    """Draw the same table in both orders of its features, one above the other."""
    figure, axes = plt.subplots(2, 1, figsize=(4.8, 5.2))
    names: tuple[Layout, ...] = ("interleaved", "half")
    for ax, layout in zip(axes, names, strict=True):
        heat_map(sinusoidal_table(seq_len, d_model, layout=layout), ax=ax)
        ax.set_title(f'layout="{layout}"')
    return figure


def digit_table(*, num_digits: int = 4) -> Figure:
    """Draw the first positions' digits, and beside them sines of the same periods."""
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
    """Draw colored cells with text, rows down and ticks on top."""
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
    """Draw dials that turn once in 2, 4, 8, … steps, a row for each position.

    Each hand starts at the top and turns clockwise; the sine and the cosine are the
    coordinates of its tip.
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
    """Draw two positions with one sine, on the wave and on the dial."""
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


def float32_error(
    positions: Sequence[int],
    errors: Mapping[str, Sequence[float]],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the largest error of a feature against position, for each computation."""
    ax = plt.subplots(figsize=(4.8, 3.8))[1] if ax is None else ax
    styles = (("key", "s"), ("query", "^"), ("value", "o"))
    for (words, values), (role, marker) in zip(errors.items(), styles, strict=False):
        ax.plot(positions, values, marker=marker, color=color(role), label=words)
    ax.set(xscale="log", yscale="log", ylabel="largest error")
    ax.set_xscale("log", base=2)
    ax.set_xlabel("position", color=color("position"))
    ax.grid(visible=True)
    ax.legend(loc="upper left")
    return ax


def all_in_float32(
    positions: Int[np.ndarray, "seq_len"], d_model: int
) -> Float[np.ndarray, "seq_len d_model"]:
    """Return the interleaved table with every number in 32 bits, the angles too."""
    i = np.arange(0, d_model, 2, dtype=np.float32)
    theta = 1 / np.float32(10_000) ** (i / np.float32(d_model))
    angles = positions.astype(np.float32)[:, None] * theta
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(len(positions), d_model)


#: Periods, in whole tokens, of the four hands that finish a turn.
PERIODS = ("6", "17", "52", "155")

#: Periods, in tokens, between which the four bands of the trained table lie.
BANDS = ((120, 260), (40, 75), (15, 22), (5.3, 7))


def trained_rows() -> tuple[Float[np.ndarray, "510 12"], Float[np.ndarray, "12 384"]]:
    """Return MiniLM's positions 1 to 510 along twelve directions, and the directions.

    The product of both is the table minus its mean row, but for 3 % of its squared
    length. ``book/data/minilm_positions.json`` has its origin and license.
    """
    loaded = data.load("minilm_positions")
    rows, directions = (
        np.asarray(loaded[name]) / loaded["unit"] for name in ("rows", "directions")
    )
    return rows, directions


def energy_by_period(
    table: Float[np.ndarray, "seq_len d_model"],
) -> tuple[Float[np.ndarray, "turns"], Float[np.ndarray, "turns"]]:
    """Return periods in tokens, the longest first, and each one's share of the energy.

    The energy is the squared Fourier transform of the centered columns, summed over
    the features. A Hann window keeps the ends of the text from adding periods.
    """
    seq_len = len(table)
    window = np.hanning(seq_len)[:, None]
    waves = np.fft.rfft((table - table.mean(axis=0)) * window, axis=0)[1:]
    energy = (np.abs(waves) ** 2).sum(axis=1)
    return seq_len / np.arange(1, len(energy) + 1), energy / energy.sum()


def trained_table() -> Figure:
    """Draw MiniLM's table, the five hands in it, and its energy by period.

    A hand is a pair of directions that the matrix of one step turns; the five fastest
    to slowest are drawn from left to right, each as two columns.
    """
    rows, directions = trained_rows()
    learned = rows @ directions
    fixed = sinusoidal_table(len(rows), directions.shape[1], offset=1)
    figure = plt.figure(figsize=(5.2, 6.4))
    maps, below = figure.subfigures(2, 1)
    left, right = maps.subplots(1, 2, sharey=True)
    # Means of eight features: the picture would be too heavy for a page otherwise.
    _show(left, learned.reshape(len(rows), -1, 8).mean(axis=2), "the learned table")
    _show(right, hands(rows[:, :10]), "its five hands")
    left.set_xlabel("384 features")
    # The fifth hand makes less than one turn in the text: its period is not known.
    right.set_xticks([0.1, 0.3, 0.5, 0.7, 0.9], [*PERIODS, "?"])
    right.set_xlabel("period (tokens)")
    left.set_ylabel("position", color=color("position"))
    _energies(below.subplots(), {"sinusoids": fixed, "learned table": learned})
    return figure


def hands(rows: Float[np.ndarray, "seq_len d"]) -> Float[np.ndarray, "seq_len d"]:
    """Return coordinates in which the best matrix of one step only turns pairs.

    The pairs come from fast to slow, each scaled to a mean length of 1.
    """
    matrix = np.linalg.lstsq(rows[:-1], rows[1:], rcond=None)[0]
    turns, vectors = np.linalg.eig(matrix)
    pairs = vectors[:, turns.imag > 0][:, np.argsort(-np.angle(turns[turns.imag > 0]))]
    tips = rows @ pairs
    tips = tips / np.abs(tips).mean(axis=0)
    return np.stack([tips.real, tips.imag], axis=-1).reshape(len(rows), -1)


def _show(ax: Axes, table: Float[np.ndarray, "seq_len columns"], title: str) -> None:
    most = np.quantile(np.abs(table), 0.98)
    ax.imshow(
        table,
        cmap=mpl.colormaps[ENCODING_COLORS].resampled(9),
        vmin=-most,
        vmax=most,
        aspect="auto",
        interpolation="none",
        extent=(0, 1, len(table) + 0.5, 0.5),
    )
    ax.set_title(title)
    ax.set_xticks([])


def _energies(ax: Axes, tables: dict[str, np.ndarray]) -> None:
    """Draw each table's energy by period, with the bands of the trained one named."""
    looks: list[dict[str, Any]] = [
        {"color": color("muted"), "ls": "--"},
        {"color": color("position")},
    ]
    for (name, table), look in zip(tables.items(), looks, strict=True):
        periods, energy = energy_by_period(table)
        ax.plot(periods, 100 * energy, label=name, **look)
    for short, long in BANDS:
        inside = (periods > short) & (periods < long)
        at = periods[inside][energy[inside].argmax()]
        ax.annotate(
            f"{at:.0f}",
            (np.sqrt(short * long), 100 * energy[inside].max()),
            (0, 3),
            textcoords="offset points",
            ha="center",
            color=color("position"),
        )
    ax.set(xscale="log", ylabel="energy (%)", ylim=(0, 17), xlim=(600, 4))
    ax.set_xlabel("period (tokens, slow to fast)")
    ax.set_xticks([500, 100, 50, 20, 10, 5])
    ax.xaxis.set_major_formatter(mpl.ticker.ScalarFormatter())
    ax.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    ax.legend(loc="upper right")
