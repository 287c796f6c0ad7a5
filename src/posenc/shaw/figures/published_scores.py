"""Scores of translation that the paper reports."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from posenc.kit.figures.themes import color

#: BLEU on newstest2013 by clipping distance (Shaw et al. 2018, table 2), base model.
BLEU_BY_CLIP = {0: 12.5, 1: 25.5, 2: 25.8, 4: 25.9, 16: 25.8, 64: 25.9, 256: 25.8}


#: The same by where the vectors enter (table 3 of the paper).
BLEU_BY_PLACE = {"both": 25.8, "keys only": 25.8, "values only": 25.3, "neither": 12.5}


def bleu(ax: Any = None) -> Figure:
    """BLEU scores of the paper: by clipping distance, and by where vectors enter."""
    if ax is None:
        _, ax = plt.subplots(2, 1, figsize=(4.8, 4.9), height_ratios=(7, 4))
    clips, places = list(BLEU_BY_CLIP), list(BLEU_BY_PLACE)
    at: dict[str, Any] = {"va": "center", "fontsize": 10}
    for axes, title, names, scores in (
        (ax[0], "clipped at", [f"k = {n}" for n in clips], [*BLEU_BY_CLIP.values()]),
        (ax[1], "vectors on", places, [*BLEU_BY_PLACE.values()]),
    ):
        rows = np.arange(len(names))
        axes.hlines(rows, 0, scores, color=color("line"), lw=1)
        axes.plot(scores, rows, "o", color=color("position"), ms=7)
        for row, score in zip(rows, scores, strict=True):
            axes.text(score + 0.6, row, f"{score}", **at)
        axes.set_title(title, fontsize=11, x=-0.02, ha="right")
        axes.set(xlim=(0, 30.5), ylim=(len(names) - 0.4, -0.6))
        axes.set_yticks(rows, names)
        axes.tick_params(length=0)
        axes.spines["left"].set_visible(False)
    ax[0].set_xticks([])
    ax[0].spines["bottom"].set_visible(False)
    ax[1].set_xlabel("BLEU")
    figure: Figure = ax[0].figure
    return figure
