"""Figures of what Shaw's vectors bring and what they cost: BLEU, time, memory."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from .cost import scaling_curve
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


#: Forms of the position scores in ``bench_shaw.json``, and their words in the legend.
_FORMS = {
    "broadcast": "every pair a vector, B·H·L²·d",
    "batched": "L products, L²·d",
    "clipped": "2k + 1 products, then look up",
    "blocked_clipped": "the same in blocks of rows",
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
    scaling_curve(forward, _FORMS, "ms", ax=ax[0]).set_xlabel("")
    legend = scaling_curve(forward, _FORMS, "mib", ax=ax[1]).get_legend()
    if legend:  # one legend serves both
        legend.remove()
    figure: Figure = ax[0].figure
    return figure
