"""A table of positions that a model has learned, beside sinusoids."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.core import data
from posenc.kit.figures.themes import color
from posenc.sinusoidal import sinusoidal_table

from .heat_maps import ENCODING_COLORS

#: Periods, in whole tokens, of the four hands that finish a turn.
PERIODS = ("6", "17", "52", "155")

#: Periods, in tokens, between which the four bands of the trained table lie.
BANDS = ((120, 260), (40, 75), (15, 22), (5.3, 7))


def trained_rows() -> tuple[Float[np.ndarray, "510 12"], Float[np.ndarray, "12 384"]]:
    """Return MiniLM's positions 1 to 510 along twelve directions, and the directions.

    The product of both is the table minus its mean row, but for 3 % of its squared
    length. ``book/data/minilm_positions.json`` has its origin and license.
    """
    found = data.load("minilm_positions")
    rows, directions = (
        np.asarray(found[name]) / found["unit"] for name in ("rows", "directions")
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
    """MiniLM's table, the five hands in it, and its energy by period.

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
    """Coordinates in which the best matrix of one step only turns pairs.

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
