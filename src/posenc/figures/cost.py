"""Curves of measured cost, for the chapters' sections on what a method costs."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .themes import color

#: Drawn in this order; line style and marker tell curves apart without color.
_STYLES = (
    ("query", "-", "o"),
    ("key", "-", "s"),
    ("value", "-", "^"),
    ("position", "-", "D"),
)


def cost_curve(
    milliseconds: Mapping[str, Mapping[str, Mapping[str, float]]],
    labels: Mapping[str, str],
    *,
    bound: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Median times against length on logarithmic axes, with the quartiles as a band.

    Parameters
    ----------
    milliseconds : mapping
        Length (as text) to candidate to ``{"median", "low", "high"}`` in milliseconds,
        as ``benchmarks/record.py`` writes it.
    labels : mapping
        Candidate to its words in the legend; the others are not drawn.
    bound : str, optional
        Candidate that no method can beat, drawn dashed.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 4))
    lengths = [int(length) for length in milliseconds]
    styles = iter(_STYLES)
    for name, words in labels.items():
        rows = [milliseconds[str(length)][name] for length in lengths]
        median = [row["median"] for row in rows]
        if name == bound:
            ax.plot(lengths, median, "--", color=color("muted"), label=words)
            continue
        role, line, marker = next(styles)
        ax.plot(lengths, median, line, marker=marker, color=color(role), label=words)
        low, high = ([row[side] for row in rows] for side in ("low", "high"))
        ax.fill_between(lengths, low, high, color=color(role), alpha=0.2, lw=0)
    ax.set(xlabel="length L (tokens)", ylabel="time (ms)", xscale="log", yscale="log")
    ax.set_xticks(lengths, labels=[f"{length:,}" for length in lengths])
    ax.minorticks_off()
    ax.grid(visible=True)
    ax.legend()
    return ax
