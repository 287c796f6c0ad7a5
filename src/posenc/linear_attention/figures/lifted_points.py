"""Points in and around an ellipse, lifted to a cone and seen by a viewer."""

import math

import numpy as np
from jaxtyping import Float

from posenc.linear_attention import polynomial_lift


def ellipse_plane(
    long: float = 1.2, short: float = 0.6, degrees: float = 30.0
) -> Float[np.ndarray, " 3"]:
    """Return the normal n of n · φ(x) = 1, the plane that cuts an ellipse when lifted.

    Parameters
    ----------
    long, short : float
        Half axes of the ellipse.
    degrees : float
        Angle of the long one.
    """
    turn = math.radians(degrees)
    axes = np.asarray(
        [[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]
    )
    form = axes.T @ np.diag([long**-2, short**-2]) @ axes
    return np.asarray([form[0, 0], math.sqrt(2) * form[0, 1], form[1, 1]])


def cloud(each: int = 24, *, seed: int = 105) -> Float[np.ndarray, "{2*each} 2"]:
    """Draw points at random, `each` inside the ellipse, then as many outside."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1.45, 1.45, (2000, 2)).round(2)
    side = polynomial_lift(points) @ ellipse_plane()
    near = np.hypot(*points.T) < 1.45  # others would be lifted far above these
    return np.concatenate(
        [points[side < 0.85][:each], points[near & (side > 1.2)][:each]]
    )


def project(
    lifted: Float[np.ndarray, "n 3"], azimuth: float, elevation: float
) -> Float[np.ndarray, "n 3"]:
    """Return lifted points from a viewer: to the right, up, and away from the eye.

    The axis of the cone stands upright. The height is the squared length of the point
    before the lift, over the root of 2.
    """
    around, up = math.radians(azimuth), math.radians(elevation)
    a, b, c = lifted.T
    x, height = (a - c) / math.sqrt(2), (a + c) / math.sqrt(2)
    right = x * math.cos(around) - b * math.sin(around)
    away = x * math.sin(around) + b * math.cos(around)
    return np.stack(
        [
            right,
            height * math.cos(up) + away * math.sin(up),
            away * math.cos(up) - height * math.sin(up),
        ],
        axis=-1,
    )
