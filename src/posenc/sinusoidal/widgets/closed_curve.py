"""The widget `ClosedCurve`: its state, and the picture without JavaScript."""

from typing import Any

import matplotlib.pyplot as plt
import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.sinusoidal.figures import AZIMUTH, CURVES, ELEVATION, curve_in_space

from .settings import BASES

LAST = 100


class ClosedCurve(BookWidget):
    """Three sines of the position as a curve in space, to turn with mouse and keys.

    Parameters
    ----------
    curve : {"binary", "slow"}, default "binary"
        Sines with the periods 2, 4, 8, or in the geometric progression of `base`.
    last : int, default 8
        Position at which the curve ends, 1 … 100.
    base : int, default 10_000
        One of `BASES`.
    azimuth, elevation : int
        Where the eye is, in degrees.
    """

    curve = traitlets.Enum(CURVES, default_value="binary")
    last = traitlets.Int(8, min=1, max=LAST)
    base = traitlets.Enum(BASES, default_value=10_000)
    azimuth = traitlets.Int(AZIMUTH, min=-180, max=180)
    elevation = traitlets.Int(ELEVATION, min=-90, max=90)

    @table
    def choices(self) -> dict[str, Any]:
        return {"last": LAST, "base": BASES}

    def picture(self) -> Themed:
        """Draw the curve from the present point of view."""
        kind = "the periods 2, 4 and 8" if self.curve == "binary" else "slower periods"
        alt = (
            f"Curve in a cube: three sines with {kind}, from position 0 to {self.last}."
        )

        def draw() -> Any:
            ax = plt.subplots(figsize=(4.6, 4.6))[1]
            return curve_in_space(
                self.curve,
                last=self.last,
                azimuth=self.azimuth,
                elevation=self.elevation,
                base=float(self.base),
                ax=ax,
            )

        return Themed(draw, alt=alt)
