"""Figures of the chapter TITLE."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.SLUG import scaled_position

from .themes import color


def opening(ax: Axes | None = None) -> Axes:
    """The picture that holds the idea of the chapter; the index shows it, too.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.4, 3.0))[1]
    positions = np.arange(10)
    for scale, style in ((1.0, "-"), (0.5, "--")):
        values = scaled_position(positions, scale=scale)
        ax.plot(positions, values, style, color=color("position"), label=f"{scale:g}")
    ax.set_xlabel("position (tokens)", color=color("position"))
    ax.legend(title="scale")
    ax.grid(visible=True)
    return ax
