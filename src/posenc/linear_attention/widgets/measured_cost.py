"""The widget `MeasuredCost`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.core.data import load
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget
from posenc.kit.widgets.guess import steps
from posenc.linear_attention import figures as draw
from posenc.linear_attention.figures import (
    METHODS,
)

DIRECTIONS, QUANTITIES = ("forward", "backward"), ("ms", "mib")


def _measured() -> dict[str, Any]:
    """Return rounded measurements by direction, length and method that we name."""
    scaling = load("bench_linear_attention")["results"]["scaling"]
    return {
        direction: {
            length: {
                name: {what: float(f"{row[what]:.4g}") for what in QUANTITIES}
                for name, row in cells.items()
                if name in METHODS
            }
            for length, cells in scaling[direction].items()
        }
        for direction in DIRECTIONS
    }


MEASURED = _measured()


MEASURED_LENGTHS = tuple(sorted(map(int, MEASURED["forward"])))


MEASURED_METHODS = {
    name: words
    for name, words in METHODS.items()
    if any(name in cells for cells in MEASURED["forward"].values())
}


#: Steps by which a guess is moved up or down, at most; four are a doubling.
MOST_STEPS = 40


class MeasuredCost(BookWidget):
    """Measured time and memory against length, with a cursor and a ratio.

    The page draws the first method alone, until the reader has guessed the other.

    Parameters
    ----------
    one, other : str, default "softmax" and "linear_causal"
        The methods that are compared, of `MEASURED_METHODS`.
    direction : {"forward", "backward"}
        Whether gradients are computed too ("backward").
    quantity : {"ms", "mib"}
        Time or peak memory.
    log_axes : bool, default True
        Logarithmic axes or linear ones.
    all_methods : bool, default True
        Whether the other methods are drawn too.
    seq_len : int, default 4096
        Length under the cursor, one of `MEASURED_LENGTHS`.
    guess : list of int
        For each length, how many quarters of a doubling the guess lies above the first
        method at the shortest length, at most `MOST_STEPS`.
    revealed : bool, default False
        Whether the page draws the other methods.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    one = traitlets.Enum(tuple(METHODS), default_value="softmax")
    other = traitlets.Enum(tuple(METHODS), default_value="linear_causal")
    direction = traitlets.Enum(DIRECTIONS, default_value="forward")
    quantity = traitlets.Enum(QUANTITIES, default_value="ms")
    log_axes = traitlets.Bool(True)
    all_methods = traitlets.Bool(True)
    seq_len = traitlets.Enum(MEASURED_LENGTHS, default_value=4096)

    guess = steps(len(MEASURED_LENGTHS), MOST_STEPS)
    revealed = traitlets.Bool(False)

    cells = traitlets.Dict(MEASURED, read_only=True)
    names = traitlets.Dict(MEASURED_METHODS, read_only=True)
    lengths: Any = traitlets.List(list(MEASURED_LENGTHS), read_only=True)
    most_steps = traitlets.Int(MOST_STEPS, read_only=True)

    def picture(self) -> Themed:
        """Curves and bars of the present setting."""
        what = "time" if self.quantity == "ms" else "memory"
        passes = "the forward pass" if self.direction == "forward" else "both passes"
        first, last = MEASURED_LENGTHS[0], MEASURED_LENGTHS[-1]
        alt = (
            f"Measured {what} of {passes} of one head at lengths from {first:,} to "
            f"{last:,}, for {METHODS[self.one]} and {METHODS[self.other]}"
            f"{' and the other methods' if self.all_methods else ''}; beside it the "
            f"values at {self.seq_len:,} tokens."
        )
        names = {
            name: words
            for name, words in MEASURED_METHODS.items()
            if self.all_methods or name in (self.one, self.other)
        }
        setting: dict[str, Any] = {
            "what": self.quantity,
            "chosen": (self.one, self.other),
            "log": self.log_axes,
            "length": self.seq_len,
        }
        cells = MEASURED[self.direction]
        return Themed(lambda: draw.cost_overview(cells, names, **setting), alt=alt)
