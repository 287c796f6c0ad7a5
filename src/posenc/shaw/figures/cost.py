"""Measured time and memory of several ways to compute the same."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from posenc.kit.figures.cost import scaling_curve

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
        _, ax = plt.subplots(2, 1, figsize=(5.0, 6.8), sharex=True)
    scaling_curve(forward, _FORMS, "ms", ax=ax[0]).set_xlabel("")
    ax[0].legend(loc="lower left", bbox_to_anchor=(0, 1), fontsize=10)  # off the curves
    legend = scaling_curve(forward, _FORMS, "mb", ax=ax[1]).get_legend()
    if legend:  # one legend serves both
        legend.remove()
    figure: Figure = ax[0].figure
    return figure
