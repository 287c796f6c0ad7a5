"""Three features of the encoding as a curve in space."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
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
        Direction of the eye in degrees: around the third axis, and above the ground.

    Returns
    -------
    array of shape (..., 2)
        Coordinates of each point in the picture, to the right and up.

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
    """Draw three sines of a position as a point in space, from 0 to `last`.

    Parameters
    ----------
    curve : {"binary", "slow"}
        Sines with the periods of binary digits, or with periods in the progression of
        `base`.
    last : int, default 8
        Position at which the curve ends.
    azimuth, elevation : float
        Direction of the eye, in degrees.
    base : float
        As in `posenc.sinusoidal.geometric_sine_encoding`.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4, 4))[1] if ax is None else ax
    eye = (azimuth, elevation)
    for edge in CUBE_EDGES:
        ax.plot(*project(edge, *eye).T, color=color("line"), lw=0.6)
    along = np.linspace(0.0, last, _BETWEEN * last + 1)
    line = curve_points(along, curve, base=base)
    ax.add_collection(_by_depth(line, eye))
    whole = project(curve_points(np.arange(last + 1.0), curve, base=base), *eye)
    ax.plot(*whole.T, "o", color=color("text"), ms=4)
    taken = [project(line, *eye)]
    for axis, name in enumerate(("feature 0", "feature 1", "feature 2")):
        end = np.full(3, -1.0)
        end[axis] = 1.0
        start = project(np.full(3, -1.0), *eye)
        x, y = project(end, *eye)
        at: dict[str, Any] = {"fontsize": 10.5, "color": color("muted")}
        beyond = 0.16 * np.sign(x - start[0]), 0.16 * np.sign(y - start[1])
        x, y = x + beyond[0], y + beyond[1]
        ax.text(x, y, name, ha="center", va="center", **at)
        taken.append(np.stack([x + _along(name), np.full(9, y)], axis=-1))
    _names(ax, whole, last, np.concatenate(taken))
    ax.set(xlim=(-2.0, 2.0), ylim=(-2.0, 2.0), aspect="equal")
    ax.set_axis_off()
    return ax


_PIECE = 4  # steps of the curve that are drawn at once


def _by_depth(points: Any, eye: tuple[float, float]) -> LineCollection:
    """Cut the curve into pieces, with far ones first, thinner and covered."""
    around, above = map(math.radians, eye)
    toward = (
        math.cos(above) * math.cos(around),
        math.cos(above) * math.sin(around),
        math.sin(above),
    )
    starts = range(0, len(points) - 1, _PIECE)
    pieces = [points[max(start - 1, 0) : start + _PIECE + 1] for start in starts]
    pieces.sort(key=lambda piece: piece.mean(axis=0) @ toward)
    near = [float(piece.mean(axis=0) @ toward) for piece in pieces]
    widths = [1.7 + 0.5 * depth for depth in near]
    return LineCollection(
        [project(part, *eye) for piece in pieces for part in (piece[1:-1], piece)],
        linewidths=[drawn for width in widths for drawn in (width + 1.6, width)],
        colors=[color("surface"), color("position")] * len(pieces),
        capstyle="butt",
    )


def _along(words: str) -> Any:
    """Return nine points along words, from left to right, in the cube's unit."""
    return np.linspace(-0.074, 0.074, 9) * len(words)


def _names(ax: Axes, points: Any, last: int, taken: Any) -> None:
    """Write the positions, away from `taken` places; where two coincide, both."""
    names: dict[tuple[float, float], list[int]] = {}
    for m, (x, y) in enumerate(points):
        if last <= 8 or m in (0, last):
            names.setdefault((round(x, 3), round(y, 3)), []).append(m)
    for (x, y), numbers in names.items():
        words = " = ".join(map(str, numbers))
        across = _along(words)
        places = [
            (x + side * (across[-1] + 0.1), y + rise)
            for rise in (0.11, -0.13, 0.02, 0.2, -0.28)
            for side in (1, -1)
        ]

        def room(place: tuple[float, float], across: Any = across[:, None]) -> float:
            gaps = np.hypot(place[0] + across - taken[:, 0], place[1] - taken[:, 1])
            return float(gaps.min())

        free = [place for place in places if room(place) > 0.13]
        at = free[0] if free else max(places, key=room)
        style: dict[str, Any] = {"fontsize": 11, "fontweight": "bold"}
        ax.text(*at, words, ha="center", va="center", **style)


#: The periods of the three features of each curve, in words.
_PERIODS = {"binary": "periods 2, 4, 8", "slow": "periods 6.3, 135, 2,916"}


def distance_from_start(
    curve: str = "binary", *, last: int = 80, ax: Axes | None = None
) -> Axes:
    """Draw the distance of each whole position's vector from that of position 0.

    Parameters
    ----------
    curve : {"binary", "slow"}
        As in `curve_in_space`, with the base 10,000.
    last : int, default 80
        The last position shown.
    ax : Axes, optional
        Axes to draw on (default: new).
    """
    ax = plt.subplots(figsize=(4, 1.8))[1] if ax is None else ax
    m = np.arange(last + 1.0)
    points = curve_points(m, curve)
    apart = np.linalg.norm(points - points[0], axis=-1)
    ax.vlines(m, 0, apart, color=color("position"), lw=1.1)
    again = apart < 1e-9
    ax.plot(m[~again], apart[~again], ".", color=color("position"), ms=4)
    ax.plot(m[again], apart[again], "o", color=color("text"), ms=4, clip_on=False)
    ax.set(xlim=(-1, last + 1), ylim=(0, 1.6), yticks=[0, 1])
    ax.set_ylabel("distance\nfrom 0")
    ax.set_title(_PERIODS[curve])
    return ax


def closed_curve() -> Figure:
    """Draw the curve that closes, and below it each curve's distance from its start."""
    figure = plt.figure(figsize=(4.4, 6.0))  # narrow: a phone shows all of it large
    top, above, below = figure.subplots(3, 1, height_ratios=(3.4, 1, 1))
    curve_in_space("binary", last=8, ax=top)
    top.set(ylim=(-1.6, 1.9), title=_PERIODS["binary"])
    distance_from_start("binary", ax=above)
    above.tick_params(labelbottom=False)
    distance_from_start("slow", ax=below)
    below.set_xlabel("position", color=color("position"))
    return figure
