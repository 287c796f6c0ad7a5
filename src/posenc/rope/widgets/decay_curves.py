"""The widget `DecayCurves`: its state, and the picture without JavaScript."""

from itertools import product
from typing import Any

import numpy as np
import traitlets

from posenc import rope
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.kit.widgets.guess import steps
from posenc.rope import figures as draw
from posenc.rope.figures import (
    CONTENTS,
    decay_curves,
)

DECAY_SIZES, DECAY_BASES, DECAY_LAST = (16, 64, 128), (10_000, 500_000), 299
#: Distances at which the score is guessed, and the most steps up or down.
DECAY_HANDLES, MOST_STEPS = (10, 50, 100, 200, DECAY_LAST), 48


class DecayCurves(BookWidget):
    """Score of one query and key against distance, with its bound and the mean.

    The page draws no score until the reader has guessed it.

    Parameters
    ----------
    content : str, default "ones"
        What the query and the key hold: ``"ones"``, ``"aligned"`` or ``"random"``.
    head_dim : int, default 128
        One of `DECAY_SIZES`.
    base : int, default 10_000
        One of `DECAY_BASES`.
    guess : list of int
        For each of `DECAY_HANDLES`, how far the guess lies above the score at distance
        0, in 24ths of the largest score; at most `MOST_STEPS`.
    revealed : bool, default False
        Whether the page draws the score.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    content = traitlets.Enum(tuple(CONTENTS), default_value="ones")
    head_dim = traitlets.Enum(DECAY_SIZES, default_value=128)
    base = traitlets.Enum(DECAY_BASES, default_value=10_000)
    guess = steps(len(DECAY_HANDLES), MOST_STEPS)
    revealed = traitlets.Bool(False)

    @table
    def curves(self) -> dict[str, dict[str, list[float]]]:
        """Score and bound at the distances 0 … 299, to three decimals."""
        settings = product(CONTENTS, DECAY_SIZES, DECAY_BASES)
        return {
            f"{name},{d},{base}": {
                curve: np.round(values, 3).tolist()
                for curve, values in decay_curves(name, d, base, DECAY_LAST).items()
                if curve != "mean"
            }
            for name, d, base in settings
        }

    @table
    def means(self) -> dict[str, list[float]]:
        """Mean of the partial sums at the same distances, to four decimals."""
        distances = np.arange(DECAY_LAST + 1.0)
        return {
            f"{d},{base}": np.round(
                rope.mean_partial_sum(distances, d, base=base), 4
            ).tolist()
            for d, base in product(DECAY_SIZES, DECAY_BASES)
        }

    @table
    def choices(self) -> dict[str, Any]:
        return {
            "content": list(CONTENTS.items()),
            "head_dim": DECAY_SIZES,
            "base": DECAY_BASES,
            "last": DECAY_LAST,
            "handles": DECAY_HANDLES,
            "most": MOST_STEPS,
        }

    def picture(self) -> Themed:
        """Curves of the present setting."""
        alt = (
            f"Score of {CONTENTS[self.content]} against distance for d = "
            f"{self.head_dim} and base {self.base:,}, with the mean of the partial "
            "sums; below, on a logarithmic scale, its size far under the true bound."
        )
        setting: dict[str, Any] = {"head_dim": self.head_dim, "base": self.base}
        name = self.content
        return Themed(lambda: draw.decay(name, last=DECAY_LAST, **setting), alt=alt)
