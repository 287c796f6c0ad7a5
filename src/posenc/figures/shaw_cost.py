"""Figures of what Shaw's vectors bring and what they cost: BLEU, time, memory."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from .shaw_data import BLEU_BY_CLIP, BLEU_BY_PLACE
from .themes import color


def bleu(ax: Any = None) -> Figure:
    """BLEU scores of the paper: by clipping distance, and by where vectors enter."""
    if ax is None:
        _, ax = plt.subplots(2, 1, figsize=(4.8, 4.4), height_ratios=(7, 4))
    clips, places = list(BLEU_BY_CLIP), list(BLEU_BY_PLACE)
    at: dict[str, Any] = {"va": "center", "fontsize": 10}
    for axes, names, scores in (
        (ax[0], [f"k = {clip}" for clip in clips], list(BLEU_BY_CLIP.values())),
        (ax[1], places, list(BLEU_BY_PLACE.values())),
    ):
        rows = np.arange(len(names))
        axes.hlines(rows, 10, scores, color=color("line"), lw=1)
        axes.plot(scores, rows, "o", color=color("position"), ms=7)
        for row, score in zip(rows, scores, strict=True):
            axes.text(score + 0.6, row, f"{score}", **at)
        axes.set(xlim=(10, 29), ylim=(len(names) - 0.4, -0.6))
        axes.set_yticks(rows, names)
        axes.tick_params(length=0)
        axes.spines["left"].set_visible(False)
    ax[0].set_xticks([])
    ax[0].spines["bottom"].set_visible(False)
    ax[1].set_xlabel("BLEU (from 10)")
    figure: Figure = ax[0].figure
    return figure


#: Line style and marker tell the curves apart without color.
_CURVES = {
    "broadcast": ("every pair a vector, B·H·L²·d", "key", "--", "s"),
    "batched": ("L products, L²·d", "query", "-.", "^"),
    "clipped": ("2k + 1 products, then look up", "position", "-", "D"),
    "blocked_clipped": ("the same in blocks of rows", "value", ":", "o"),
}


def cost_over_length(
    forward: Mapping[str, Mapping[str, Mapping[str, float]]], *, ax: Any = None
) -> Figure:
    """Measured time and memory of the forms against length, logarithmic axes.

    Parameters
    ----------
    forward : mapping
        Length (as text) to form to ``{"ms", "mib"}``, as ``benchmarks/shaw.py`` writes.
    ax : pair of Axes, optional
        Where to draw (default: a new figure).
    """
    if ax is None:
        _, ax = plt.subplots(2, 1, figsize=(5.0, 6.2), sharex=True)
    lengths = [int(length) for length in forward]
    for axes, unit, words in (
        (ax[0], "ms", "time (ms)"),
        (ax[1], "mib", "memory beside the inputs (MiB)"),
    ):
        for name, (label, role, line, marker) in _CURVES.items():
            shown = [n for n in lengths if name in forward[str(n)]]
            values = [forward[str(n)][name][unit] for n in shown]
            style: dict[str, Any] = {"ls": line, "marker": marker, "ms": 5}
            axes.plot(shown, values, color=color(role), label=label, **style)
        axes.set(ylabel=words, xscale="log", yscale="log")
        axes.set_xticks(lengths, labels=[f"{n:,}" for n in lengths])
        axes.minorticks_off()
        axes.grid(visible=True)
    ax[0].legend(fontsize=9.5)
    ax[1].set_xlabel("length L (tokens)")
    figure: Figure = ax[0].figure
    return figure
