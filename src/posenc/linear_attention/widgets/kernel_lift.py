"""The widget `KernelLift`: its state, and the picture without JavaScript."""

from typing import Any

import numpy as np
import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.linear_attention import figures as draw
from posenc.linear_attention.figures import (
    cloud,
    ellipse_plane,
)

COORDINATES = tuple(i / 10 for i in range(-12, 13))


def _coordinate(value: float) -> Any:
    return traitlets.Enum(COORDINATES, default_value=value)


class KernelLift(BookWidget):
    """Two vectors of the plane, their lift onto a cone, and the one product of both.

    Parameters
    ----------
    q1, q2, k1, k2 : float, default 1.1, 0.5, 0.4 and 1
        The query and the key: tenths from -1.2 to 1.2.
    azimuth, elevation : int, default -45 and 15
        From where the cone is seen, in degrees: -180 … 175 and 0 … 90, multiples of 5.
    cloud : bool, default True
        Whether there are points inside and outside an ellipse, and a plane.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> KernelLift(q1=0.3).q2
    0.5
    """

    q1, q2 = _coordinate(1.1), _coordinate(0.5)
    k1, k2 = _coordinate(0.4), _coordinate(1.0)
    azimuth = traitlets.Enum(range(-180, 180, 5), default_value=-45)
    elevation = traitlets.Enum(range(0, 95, 5), default_value=15)
    cloud = traitlets.Bool(True)

    @table
    def points(self) -> list[list[float]]:
        return cloud().tolist()

    @table
    def plane(self) -> list[float]:
        return ellipse_plane().tolist()

    def picture(self) -> Themed:
        """Plane and cone of the present setting."""
        q, k = (self.q1, self.q2), (self.k1, self.k2)
        square = np.dot(q, k) ** 2
        more = ", with points inside and outside an ellipse that one plane separates"
        alt = (
            f"Left a plane with q = {q} and k = {k}; right the same vectors lifted to "
            "three dimensions, on half a cone"
            f"{more if self.cloud else ''}. The squared product of q and k and the "
            f"product of the lifted vectors are both {square:.4f}."
        )
        view: dict[str, Any] = {"azimuth": self.azimuth, "elevation": self.elevation}
        return Themed(
            lambda: draw.lift_overview(q, k, cloud=self.cloud, **view), alt=alt
        )
