"""The encoding of three features as a curve in space: closed, and cured."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .sinusoidal_data import AZIMUTH, CUBE_EDGES, ELEVATION, curve_points, project
from .themes import color

_BETWEEN = 32  # points of a curve from one position to the next


def curve_in_space(
    curve: str = "binary",
    *,
    last: int = 8,
    azimuth: float | int = AZIMUTH,
    elevation: float | int = ELEVATION,
    base: float = 10_000.0,
    ax: Axes | None = None,
) -> Axes:
    """Three sines of a position as a point in space, from position 0 to `last`.

    Parameters
    ----------
    curve : {"binary", "slow"}
        Sines with the periods of binary digits, or with periods in the progression of
        `base`.
    last : int, default 8
        Position at which the curve ends.
    azimuth, elevation : float
        Where the eye is, in degrees.
    base : float
        As in `posenc.sinusoidal.geometric_sine_encoding`.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4, 4))[1] if ax is None else ax
    eye = (azimuth, elevation)
    for edge in CUBE_EDGES:
        ax.plot(*project(edge, *eye).T, color=color("line"), lw=0.6)
    along = np.linspace(0.0, last, _BETWEEN * last + 1)
    line = project(curve_points(along, curve, base=base), *eye)
    ax.plot(*line.T, color=color("position"), lw=1.6)
    whole = project(curve_points(np.arange(last + 1.0), curve, base=base), *eye)
    ax.plot(*whole.T, "o", color=color("text"), ms=4)
    _names(ax, whole, last)
    for axis, name in enumerate(("feature 1", "feature 2", "feature 3")):
        end = np.full(3, -1.0)
        end[axis] = 1.0
        start = project(np.full(3, -1.0), *eye)
        x, y = project(end, *eye)
        at: dict[str, Any] = {"fontsize": 10.5, "color": color("muted")}
        beyond = 0.16 * np.sign(x - start[0]), 0.16 * np.sign(y - start[1])
        ax.text(x + beyond[0], y + beyond[1], name, ha="center", va="center", **at)
    ax.set(xlim=(-2.0, 2.0), ylim=(-2.0, 2.0), aspect="equal")
    ax.set_axis_off()
    return ax


def _names(ax: Axes, points: Any, last: int) -> None:
    """Write numbers beside the positions; where two coincide, both."""
    names: dict[tuple[float, float], list[int]] = {}
    for m, (x, y) in enumerate(points):
        if last <= 8 or m in (0, last):
            names.setdefault((round(x, 3), round(y, 3)), []).append(m)
    for (x, y), numbers in names.items():
        words = " = ".join(map(str, numbers))
        ax.text(x + 0.09, y + 0.11, words, fontsize=11, fontweight="bold")


def closed_curve() -> Figure:
    """Side by side: the curve that closes, and the one whose slow features keep on."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.5))
    curve_in_space("binary", last=8, ax=left)
    left.set_title("periods 2, 4, 8")
    curve_in_space("slow", last=40, ax=right)
    right.set_title("periods 6.3, 135, 2,916")
    return figure
