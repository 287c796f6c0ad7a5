"""The picture that opens the chapter on rotary embedding."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from posenc.kit.figures.themes import choose, color

from .arrows import thick_arrow
from .one_plane import plane

_STEP = 25  # degrees per token


def opening(ax: Axes | None = None) -> Axes:
    """Draw a query and a key at two places of a sentence, equally far apart.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(5.6, 3.5))[1]
    ax.set(xlim=(-1.25, 4.05), ylim=(-1.85, 1.5), aspect="equal")
    ax.set_axis_off()
    for x, (m, n) in ((0.0, (0, 2)), (2.8, (3, 5))):
        plane(ax, (x, 0), m * _STEP, n * _STEP, size=1.05, before=True)
        words = f"query at {m}, key at {n}"
        ax.text(x, -1.42, words, ha="center", fontsize=11.5)
    ax.annotate("", (1.62, 0.25), (1.15, 0.25), arrowprops=thick_arrow("muted"))
    ax.text(
        1.39, choose(0.42, -0.2), "+3", ha="center", color=color("muted"), fontsize=12
    )
    words = "the same angle between them, the same score"
    ax.text(1.4, -1.78, words, ha="center", color=color("position"), fontsize=12)
    return ax
