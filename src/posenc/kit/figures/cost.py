"""Curves of measured cost, for the chapters' sections on what a method costs."""

from collections.abc import Mapping
from typing import Any, Literal

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .themes import choose, color

#: Drawn in this order; line style and marker tell curves apart without color.
_STYLES = (
    ("query", "-", "o"),
    ("key", "-", "s"),
    ("value", "-", "^"),
    ("position", "-", "D"),
    ("muted", "-", "v"),
)
#: For curves that lie one on another in places.
_DASHES: tuple[Any, ...] = (":", "--", "-.", "-", (0, (5, 1, 1, 1, 1, 1)))

#: Place of a legend that no curve may meet.
_ABOVE: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}

#: Key of a quantity in the records, its words on the axis, and its factor.
_UNITS = {
    "ms": ("ms", "time (ms)", 1),
    "mib": ("mib", "memory (MiB)", 1),
    "mb": ("mib", "memory (MB)", 2**20 / 1e6),
}


def cost_curve(
    milliseconds: Mapping[str, Mapping[str, Mapping[str, float]]],
    labels: Mapping[str, str],
    *,
    bound: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw median times against length on logarithmic axes, quartiles as a band.

    Parameters
    ----------
    milliseconds : mapping
        Length (as text) to candidate to ``{"median", "low", "high"}`` in milliseconds,
        as ``benchmarks/record.py`` writes it.
    labels : mapping
        Candidate to its words in the legend; the others are not drawn.
    bound : str, optional
        Candidate that the others are compared with, drawn dashed.
    ax : Axes, optional
        Axes to draw on (default: new).
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
    ax.set_ylabel("time (ms)")
    ax.legend(**choose({}, _ABOVE))
    return _logarithmic(ax, lengths)


def scaling_curve(
    cells: Mapping[str, Mapping[str, Mapping[str, float]]],
    labels: Mapping[str, str],
    what: Literal["ms", "mib", "mb"],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw time or memory against length; a method ends where it was not measured.

    Parameters
    ----------
    cells : mapping
        Length (as text) to candidate to ``{"ms", "mib"}``, as ``scaling`` of
        ``benchmarks/record.py`` gives it for one direction.
    labels : mapping
        Candidate to its words in the legend, five at most; the others are not drawn.
    what : {"ms", "mib", "mb"}
        Time, or memory in units of 2²⁰ bytes (as it is in `cells`) or of 10⁶ bytes.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(5.4, 3.6))
    key, unit, scale = _UNITS[what]
    for (name, words), (role, _, marker), line in zip(
        labels.items(), _STYLES, _DASHES, strict=False
    ):
        points = [
            (int(n), scale * row[name][key]) for n, row in cells.items() if name in row
        ]
        style: dict[str, Any] = {"color": color(role), "marker": marker, "ls": line}
        ax.plot(*zip(*points, strict=True), label=words, **style)
    ax.set_ylabel(unit)
    ax.legend(fontsize=10, **(_ABOVE if len(labels) > 4 else {}))
    return _logarithmic(ax, [int(length) for length in cells])


def _logarithmic(ax: Axes, lengths: list[int]) -> Axes:
    ax.set(xlabel="length L (tokens)", xscale="log", yscale="log")
    ax.set_xticks(lengths, labels=[f"{length:,}" for length in lengths])
    ax.minorticks_off()
    ax.grid(visible=True)
    return ax
