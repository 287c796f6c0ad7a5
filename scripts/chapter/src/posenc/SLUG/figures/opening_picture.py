"""The picture that opens the chapter TITLE."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.kit.figures.themes import color
from posenc.SLUG import scaled_position


def opening(ax: Axes | None = None, *, scale: float = 0.5) -> Axes:
    """The picture that holds the idea of the chapter; the index shows it, too.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    scale : float, default 0.5
        Units per token of the second line.
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.4, 3.0))[1]
    positions = np.arange(10)
    for units, style in ((1.0, "-"), (scale, "--")):
        values = scaled_position(positions, scale=units)
        ax.plot(positions, values, style, color=color("position"), label=f"{units:g}")
    ax.set_xlabel("position (tokens)", color=color("position"))
    ax.legend(title="scale")
    ax.grid(visible=True)
    return ax
