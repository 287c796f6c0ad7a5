"""What the figures of the chapter on sinusoids and its widgets share."""

import math
from typing import Any

import numpy as np
from jaxtyping import Float

from posenc.sinusoidal import continuous_binary_encoding, geometric_sine_encoding

#: matplotlib's color table for the values of an encoding, from -1 to 1.
ENCODING_COLORS = "coolwarm"

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
