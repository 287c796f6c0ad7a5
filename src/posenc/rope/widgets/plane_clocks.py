"""The widget `PlaneClocks`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.rope import figures as draw
from posenc.rope.figures import (
    METHODS,
)

SIZES = (8, 16, 32, 64)


BASES = (100, 10_000, 500_000)


TRAINED = (512, 2048, 8192)


SCALES = (1, 2, 4, 8, 16)


DISTANCES = tuple(
    sorted({*range(33), *(2**i for i in range(18)), *(3 * 2**i for i in range(16))})
)


class PlaneClocks(BookWidget):
    """All planes of a head as clocks, with what training has shown of each dial.

    Parameters
    ----------
    head_dim : int, default 32
        One of `SIZES`.
    base : int, default 10_000
        One of `BASES`.
    trained_len : int, default 2048
        Tokens of the training, one of `TRAINED`: distances up to it count as met.
    method : str, default "none"
        One of ``"none"``, ``"interpolation"``, ``"ntk"``, ``"yarn"``.
    scale : int, default 8
        One of `SCALES`; "none" does not use it.
    distance : int, default 4096
        Tokens from the key to the query, one of `DISTANCES`: the hands show what it
        turns.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    head_dim = traitlets.Enum(SIZES, default_value=32)
    base = traitlets.Enum(BASES, default_value=10_000)
    trained_len = traitlets.Enum(TRAINED, default_value=2048)
    method = traitlets.Enum(tuple(METHODS), default_value="none")
    scale = traitlets.Enum(SCALES, default_value=8)
    distance = traitlets.Enum(DISTANCES, default_value=4096)

    @table
    def choices(self) -> dict[str, Any]:
        return {
            "head_dim": SIZES,
            "base": BASES,
            "trained_len": TRAINED,
            "method": list(METHODS.items()),
            "scale": SCALES,
            "distance": DISTANCES,
        }

    def picture(self) -> Themed:
        """Clocks and wavelengths of the present setting."""
        names = ("head_dim", "base", "trained_len", "method", "scale", "distance")
        setting = {name: getattr(self, name) for name in names}
        alt = (
            f"{self.head_dim // 2} clocks, one for each plane, with their hands at "
            f"distance {self.distance:,}, and a curve of tokens per round against the "
            f"plane: base {self.base:,}, trained to distance {self.trained_len:,}, "
            f"scaling {METHODS[self.method]}."
        )
        return Themed(lambda: draw.clocks_overview(**setting), alt=alt)
