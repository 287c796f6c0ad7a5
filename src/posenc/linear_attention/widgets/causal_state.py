"""The widget `CausalState`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.linear_attention import figures as draw
from posenc.linear_attention.figures import (
    ORDER,
    WORDS,
    state_step,
    tokens,
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

    # What the front end starts from.
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
