"""Heads that see positions alone: what they learned, and how far it carries."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc.kit.figures.lines import line_style
from posenc.kit.figures.text import readable_ink
from posenc.kit.figures.themes import color

from .shift_by_matrix import TURN_COLORS


def learned_matrices(matrices: Mapping[str, Float[np.ndarray, "d d"]]) -> Figure:
    """Square matrices as colors, each on a scale of its own; blocks of clocks framed.

    Parameters
    ----------
    matrices : mapping
        Title to matrix, up to four.
    """
    figure, panels = plt.subplots(2, 2, figsize=(4.6, 5.0), layout="constrained")
    ink = readable_ink(mpl.colormaps[TURN_COLORS](0.5))
    for ax in panels.flat[len(matrices) :]:
        ax.set_axis_off()
    for ax, (title, matrix) in zip(panels.flat, matrices.items(), strict=False):
        limit = np.abs(matrix).max()
        norm = mpl.colors.CenteredNorm(halfrange=limit)
        ax.imshow(matrix, cmap=TURN_COLORS, norm=norm, interpolation="nearest")
        for i in range(0, len(matrix), 2):
            frame: dict[str, Any] = {"fill": False, "ec": ink, "lw": 0.8}
            ax.add_patch(Rectangle((i - 0.5, i - 0.5), 2, 2, **frame))
        ax.set_title(title, fontsize=11)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_color(color("line"))
    return figure


def extrapolation_sweep(heads: Sequence[Mapping[str, Any]]) -> Figure:
    """Share of right queries beyond the trained length, one row for each width.

    The left column is among all keys, the right one among those no farther away than
    any in training.

    Parameters
    ----------
    heads : sequence of mapping
        Entries of ``tests`` of the run "shift" in ``book/data/lab_runs``. Controls are
        left out.
    """
    swept = [head for head in heads if not head["control"]]
    widths = sorted({head["d_model"] for head in swept})
    bases = sorted({head["base"] for head in swept})
    figure, panels = plt.subplots(
        len(widths),
        2,
        figsize=(5.4, 7.2),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    columns = {"beyond": "among all keys", "near": "among near keys"}
    for column, (measure, keys) in zip(panels.T, columns.items(), strict=True):
        column[0].set_title(keys, fontsize=11)
        for ax, d_model in zip(column, widths, strict=True):
            for number, base in enumerate(bases):
                own = [h for h in swept if (h["d_model"], h["base"]) == (d_model, base)]
                lengths = [head["trained"] for head in own]
                shares = np.asarray([head[measure] for head in own])
                style = line_style(number)
                mean = shares.mean(axis=1)
                ax.plot(lengths, mean, lw=1.6, label=f"{base:,g}", **style)
                ends = shares.min(axis=1), shares.max(axis=1)
                ax.vlines(lengths, *ends, color=style["color"], lw=3, alpha=0.5)
            ax.set_xscale("log", base=2)
            ax.set_xticks(lengths, [str(length) for length in lengths], fontsize=10)
            ax.minorticks_off()
            ax.set(ylim=(-0.04, 1.06), yticks=[0, 0.5, 1])
    for ax, d_model in zip(panels[:, 0], widths, strict=True):
        ax.set_ylabel(f"$d = {d_model}$", fontsize=11)
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(),
        title="base",
        loc="outside upper center",
        ncols=len(bases),
        fontsize=10,
        title_fontsize=10,
    )
    figure.supxlabel("positions in training", fontsize=11, color=color("text"))
    figure.supylabel(
        "share of the queries that are right", fontsize=11, color=color("text")
    )
    return figure
