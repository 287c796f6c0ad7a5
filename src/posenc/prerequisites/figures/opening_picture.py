"""The picture that opens the page of prerequisites."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from posenc.kit.figures.themes import color

from .canvas import new_axes

OPENING_ALT = (
    "A pointer in a circle, turned by 3 times 45 degrees. Beside it its height, a "
    "sine, and its reach to the side, a cosine, for 17 tokens; both repeat after 8."
)


def opening(ax: Axes | None = None) -> Axes:
    """Draw a pointer turned by 135 degrees, and what its coordinates draw.

    Parameters
    ----------
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = new_axes(ax, (6.0, 2.6))
    ax.set(xlim=(-2.6, 4.5), ylim=(-1.75, 1.5), aspect="equal")
    ax.set_axis_off()
    theta, center, t = np.pi / 4, -1.4, np.linspace(0, 16, 400)
    tip = center + np.cos(3 * theta), np.sin(3 * theta)
    x = t / 4.0
    ax.add_patch(Circle((center, 0), 1, fill=False, ec=color("line")))
    ax.plot([center - 1.1, 4.1], [0, 0], color=color("line"), lw=0.8, zorder=0)
    ax.plot(x, np.cos(theta * t), color=color("value"), ls="--")
    ax.plot(x, np.sin(theta * t), color=color("position"))
    ax.plot([tip[0], 3 / 4], [tip[1]] * 2, color=color("position"), ls=":")
    ax.plot([center, tip[0]], [0, 0], color=color("value"), lw=3)
    ax.plot([tip[0]] * 2, [0, tip[1]], color=color("position"), lw=3)
    ax.plot([center, tip[0]], [0, tip[1]], color=color("text"), lw=2, marker="o")
    ax.plot(3 / 4, np.sin(3 * theta), "o", color=color("position"))
    ax.plot(3 / 4, np.cos(3 * theta), "o", color=color("value"))
    ax.text(0, 1.25, "height: sine", color=color("position"), fontsize=11)
    ax.text(4, 1.25, "across: cosine", color=color("value"), fontsize=11, ha="right")
    for token in range(0, 17, 4):
        ax.text(token / 4, -1.1, str(token), ha="center", va="top", fontsize=10)
    ax.text(2, -1.4, "position (tokens)", ha="center", va="top", fontsize=11)
    return ax
