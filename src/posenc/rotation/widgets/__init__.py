"""The widget of the chapter on rotation: clocks, block matrix, similarity."""

from typing import Any

import numpy as np
import traitlets

from posenc import rotation
from posenc.core import angles as _angles
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.rotation.figures import SIMILARITY_COLORS, TURN_COLORS, overview

__all__ = ["ShiftClocks"]

LAST_POSITION = 40
LARGEST_SHIFT = 20
SIZES = (4, 8, 16, 32, 64)
BASES = (10, 100, 1000, 10_000)


class ShiftClocks(BookWidget):
    """A clock for each frequency, the matrix of a shift, and the similarity it leaves.

    Parameters
    ----------
    t : int, default 5
        Position at the start, 0 … 40.
    offset : int, default 3
        The shift k, -20 … 20.
    d_model : int, default 8
        Features of the encoding, one of `SIZES`.
    base : int, default 100
        Base of the frequencies, one of `BASES`.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> widget = ShiftClocks(d_model=4)
    >>> widget.thetas["4,100"]
    [1.0, 0.1]
    """

    t = traitlets.Int(5, min=0, max=LAST_POSITION)
    offset = traitlets.Int(3, min=-LARGEST_SHIFT, max=LARGEST_SHIFT)
    d_model = traitlets.Enum(SIZES, default_value=8)
    base = traitlets.Enum(BASES, default_value=100)

    @table
    def thetas(self) -> dict[str, list[float]]:
        """Frequencies in radians per token, by number of features and base."""
        return {
            f"{d_model},{base}": _angles.frequencies(d_model, base=base).tolist()
            for d_model in SIZES
            for base in BASES
        }

    @table
    def similarities(self) -> dict[str, list[float]]:
        """Dot product of two encodings at the distances 0 … 40, divided by d/2."""
        distances = np.arange(LAST_POSITION + 1)

        def curve(d_model: int, base: int) -> list[float]:
            values = rotation.position_similarity(distances, d_model, base=base)
            return np.round(values / (d_model / 2), 5).tolist()

        return {f"{d},{base}": curve(d, base) for d in SIZES for base in BASES}

    @table
    def choices(self) -> dict[str, Any]:
        return {
            "last_position": LAST_POSITION,
            "largest_shift": LARGEST_SHIFT,
            "d_model": SIZES,
            "base": BASES,
        }

    @table
    def colors(self) -> dict[str, str]:
        return {
            "turn": color_table(TURN_COLORS),
            "similarity": color_table(SIMILARITY_COLORS),
        }

    def picture(self) -> Themed:
        """Clocks, matrix, similarity of the present setting."""
        names = ("t", "offset", "d_model", "base")
        setting = {name: getattr(self, name) for name in names}
        alt = (
            f"{self.d_model // 2} clocks, each with a hand at position {self.t} and "
            f"one at {self.t + self.offset}; the block matrix of the shift by "
            f"{self.offset}; the similarities of 41 positions as a matrix and as a "
            f"curve against distance, for d = {self.d_model} and base {self.base:,}."
        ).replace("-", "−")
        return Themed(lambda: overview(**setting), alt=alt)
