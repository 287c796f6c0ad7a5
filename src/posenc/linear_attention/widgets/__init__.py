"""The widgets of the chapter on linear attention: lift, two orders, state, cost."""

from typing import Any

import numpy as np
import traitlets

from posenc.core.data import load
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.kit.widgets.guess import steps
from posenc.linear_attention import figures as draw
from posenc.linear_attention.figures import (
    METHODS,
    ORDER,
    WORDS,
    cloud,
    ellipse_plane,
    multiplications,
    numbers_between,
    state_step,
    tokens,
)

__all__ = ["CausalState", "KernelLift", "MeasuredCost", "ProductOrder"]

LENGTHS, SIZES = tuple(2**i for i in range(3, 17)), tuple(2**i for i in range(3, 9))


class ProductOrder(BookWidget):
    """The matrices of linear attention in both orders, and what each order costs.

    Parameters
    ----------
    seq_len : int, default 1024
        Tokens L, one of `LENGTHS`.
    head_dim : int, default 64
        Numbers d of a query, one of `SIZES`.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    seq_len = traitlets.Enum(LENGTHS, default_value=1024)
    head_dim = traitlets.Enum(SIZES, default_value=64)

    @table
    def choices(self) -> dict[str, Any]:
        return {"seq_len": LENGTHS, "head_dim": SIZES}

    def picture(self) -> Themed:
        """Shapes and bars of the present setting."""
        setting = self.seq_len, self.head_dim
        work, numbers = multiplications(*setting), numbers_between(*setting)
        alt = (
            f"Matrices of {self.seq_len:,} tokens and {self.head_dim} numbers each in "
            f"two orders: queries times keys first, {work[0]:,} multiplications and "
            f"{numbers[0]:,} numbers in between; keys times values first, "
            f"{work[1]:,} and {numbers[1]:,}."
        )
        return Themed(lambda: draw.orders_overview(*setting), alt=alt)


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
            f"A plane with q = {q} and k = {k}, and the same vectors lifted to "
            "three dimensions, on half a cone"
            f"{more if self.cloud else ''}. The squared product of q and k and the "
            f"product of the lifted vectors are both {square:.4f}."
        )
        view: dict[str, Any] = {"azimuth": self.azimuth, "elevation": self.elevation}
        return Themed(
            lambda: draw.lift_overview(q, k, cloud=self.cloud, **view), alt=alt
        )


#: ALiBi's slope and its words; 0 is no decay.
SLOPES = {0.0: "0"} | {2.0**-i: f"1/{2**i}" for i in range(8, 0, -1)} | {1.0: "1"}


class CausalState(BookWidget):
    """The causal state as a matrix that decays and grows with each token.

    Parameters
    ----------
    t : int, default 2
        Position of the token that was read last, 0 … 5.
    slope : float, default 0.25
        ALiBi's slope m, one of `SLOPES`: the state decays by e^(-m) per token.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    t = traitlets.Int(2, min=0, max=len(ORDER) - 1)
    slope = traitlets.Enum(tuple(SLOPES), default_value=0.25)

    # The front end starts from these.
    words: Any = traitlets.List(list(WORDS), read_only=True)
    slopes: Any = traitlets.List(
        [list(pair) for pair in SLOPES.items()], read_only=True
    )

    @table
    def tokens(self) -> dict[str, Any]:
        return {name: rows.tolist() for name, rows in tokens().items()}

    @table
    def limit(self) -> float:
        """Largest number that the state can hold, the end of the color scale."""
        return float(state_step(len(ORDER) - 1, 0.0).state.max())

    @table
    def colors(self) -> str:
        return color_table("viridis")

    def picture(self) -> Themed:
        """State and weights of the present setting."""
        output = state_step(self.t, self.slope).output.round(2).tolist()
        alt = (
            f"The causal state after {WORDS[self.t]!r}, token {self.t}, as three heat "
            f"maps: the old state, decayed with slope {SLOPES[self.slope]}, the new "
            "product of key and value, and their sum. Beside them the weights of all "
            f"tokens so far; both give the output {output}."
        )
        return Themed(lambda: draw.state_overview(self.t, self.slope), alt=alt)


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
