"""Three features of the encoding as a curve in space."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.kit.figures.themes import color
from posenc.sinusoidal import continuous_binary_encoding, geometric_sine_encoding

#: Degrees from which the curve in three dimensions is first seen.
AZIMUTH, ELEVATION = 35, 25


#: The curves of the chapter for three features, by name.
CURVES = ("binary", "slow")


#: The cube from -1 to 1 that holds every curve of sines: its edges, pairs of corners.
CUBE_EDGES = [
    (corner, [*corner[:axis], 1, *corner[axis + 1 :]])
    for axis in range(3)
    for corner in ([x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
    if corner[axis] == -1
]


def curve_points(
    positions: Float[np.ndarray, "*shape"], curve: str, *, base: float = 10_000.0
) -> Float[np.ndarray, "*shape 3"]:
    """Encode positions with three features: those of `"binary"` or `"slow"` sines.

    Examples
    --------
    >>> curve_points(np.asarray([0.0, 1.0, 8.0]), "binary").round(2) + 0.0
    array([[0.  , 0.  , 0.  ],
           [0.  , 1.  , 0.71],
           [0.  , 0.  , 0.  ]])
    """
    if curve == "binary":
        return continuous_binary_encoding(positions, 3)
    return geometric_sine_encoding(positions, 3, base=base)


def project(points: Any, azimuth: float | int, elevation: float | int) -> Any:
    """Look at points in space from far away, in the direction of two angles.

    Parameters
    ----------
    points : array of shape (..., 3)
        The third coordinate points up.
    azimuth, elevation : float
        Where the eye is, in degrees: around the third axis, and above the ground.

    Returns
    -------
    array of shape (..., 2)
        How far right and how far up each point is seen.

    Examples
    --------
    >>> project(np.asarray([0.0, 1.0, 2.0]), 0, 0)
    array([1., 2.])
    """
    around, above = math.radians(azimuth), math.radians(elevation)
    x, y, z = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
    toward = math.cos(around) * x + math.sin(around) * y
    right = math.cos(around) * y - math.sin(around) * x
    up = math.cos(above) * z - math.sin(above) * toward
    return np.stack([right, up], axis=-1)


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
