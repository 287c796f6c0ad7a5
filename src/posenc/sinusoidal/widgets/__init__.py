"""The widgets of the chapter on sinusoids: digits and dials, heat map, closed curve."""

from typing import Any

import matplotlib.pyplot as plt
import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.sinusoidal import sinusoidal_table
from posenc.sinusoidal.figures import (
    AZIMUTH,
    CURVES,
    ELEVATION,
    ENCODING_COLORS,
    curve_in_space,
    heat_map,
    opening,
)

__all__ = ["BitsAndSines", "ClosedCurve", "EncodingHeatmap"]

BASES = (2, 10, 100, 1000, 10_000, 100_000, 1_000_000)
STEP, NUM_DIGITS = 0.125, 4


class BitsAndSines(BookWidget):
    """Binary digits, sines of the same periods, and dials, at a position to move.

    Parameters
    ----------
    position : float, default 5.0
        A multiple of 1/8 from 0 to 16.
    cosines : bool, default False
        Whether the cosines are shown as well.

    Raises
    ------
    traitlets.TraitError
        If `position` is none of those above.

    Examples
    --------
    >>> BitsAndSines(position=5.3)
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: position must be a multiple of 0.125, got 5.3
    """

    position = traitlets.Float(5.0, min=0.0, max=2.0**NUM_DIGITS)
    cosines = traitlets.Bool(False)

    @table
    def choices(self) -> dict[str, Any]:
        return {"step": STEP, "last": 2**NUM_DIGITS, "num_digits": NUM_DIGITS}

    @traitlets.validate("position")
    def _check_position(self, proposal: Any) -> Any:
        if proposal["value"] % STEP:
            msg = f"position must be a multiple of {STEP}, got {proposal['value']}"
            raise traitlets.TraitError(msg)
        return proposal["value"]

    def picture(self) -> Themed:
        """Draw the strips of digits and waves, with a line at the position."""
        alt = (
            "Four strips of binary digits with a sine through each, over the positions "
            f"0 to {2**NUM_DIGITS}, and a line at position {self.position:g}."
        )
        return Themed(lambda: opening(position=self.position), alt=alt)


LENGTHS = (1, 2, 4, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 1000)
WIDTHS = (2, 4, 6, 8, 16, 32, 64, 128, 256, 512, 768, 1024)


class EncodingHeatmap(BookWidget):
    """The table of the sinusoidal encoding as a heat map, with settings to choose.

    Parameters
    ----------
    seq_len, d_model : int, default 50, 64
        Positions and features: one of `LENGTHS` and one of `WIDTHS`.
    base : int, default 10_000
        One of `BASES`.
    order : {"interleaved", "half"}, default "interleaved"
        The `layout` of `posenc.sinusoidal.sinusoidal_encoding` (in a widget, that
        name is taken).
    """

    seq_len = traitlets.Enum(LENGTHS, default_value=50)
    d_model = traitlets.Enum(WIDTHS, default_value=64)
    base = traitlets.Enum(BASES, default_value=10_000)
    order = traitlets.Enum(("interleaved", "half"), default_value="interleaved")

    @table
    def choices(self) -> dict[str, Any]:
        return {"seq_len": LENGTHS, "d_model": WIDTHS, "base": BASES}

    @table
    def colors(self) -> str:
        return color_table(ENCODING_COLORS)

    def picture(self) -> Themed:
        """Draw the heat map of the present setting."""
        order: Any = self.order
        table = sinusoidal_table(
            self.seq_len, self.d_model, base=float(self.base), layout=order
        )
        alt = (
            f"Heat map of the sinusoidal encoding of {self.seq_len} positions with "
            f"{self.d_model} features, base {self.base:,}, layout {self.order}."
        )
        return Themed(lambda: heat_map(table), alt=alt)


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
