"""The widget of the chapter on ALiBi: slopes, bias, weights, and T5 beside them."""

from typing import Any

import numpy as np
import traitlets

from posenc.alibi import alibi_slopes
from posenc.alibi.figures import DEEPEST, LAST_BUCKET, SHARES, learned_bias, overview
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.t5.figures import BIAS_COLORS

__all__ = ["LinearBias"]

MAX_HEADS = 64
LENGTHS = (8, 16, 32, 64, 128, 256, 512, 1024, 2048)
VIEWS = ("weights", "within")


class LinearBias(BookWidget):
    """ALiBi head by head: slope, bias, weights with equal scores, and their reach.

    Parameters
    ----------
    num_heads : int, default 8
        Attention heads, 1 … 64.
    head : int, default 2
        Head to look at, counted from 1; beyond `num_heads`, the last one.
    length : int, default 64
        Tokens, one of `LENGTHS`.
    causal : bool, default True
        Whether queries look back only, or both ways with ``-m |i - j|``.
    view : {"weights", "within"}, default "weights"
        Whether the last picture shows each weight, or the share within a distance.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> LinearBias(num_heads=12, head=9).picture().alt[:38]
    'Slope 0.707 of head 9 of 12, with the '
    """

    num_heads = traitlets.Int(8, min=1, max=MAX_HEADS)
    head = traitlets.Int(2, min=1, max=MAX_HEADS)
    length = traitlets.Enum(LENGTHS, default_value=64)
    causal = traitlets.Bool(True)
    view = traitlets.Enum(VIEWS, default_value="weights")

    @table
    def slopes(self) -> list[list[float]]:
        """Slopes of 1, 3, 7, … heads: fewer, down to a power of two, are the first."""
        counts = [2 ** (n + 1) - 1 for n in range(MAX_HEADS.bit_length())]
        return [alibi_slopes(min(n, MAX_HEADS)).tolist() for n in counts]

    @table
    def learned(self) -> list[float]:
        """Bias of MPNet's head from offset −128 to 128, which holds beyond, too."""
        return learned_bias(np.arange(-128, 129)).tolist()

    @table
    def bias_colors(self) -> str:
        return color_table(BIAS_COLORS)

    @table
    def choices(self) -> dict[str, Any]:
        heads = {"max_heads": MAX_HEADS, "length": LENGTHS}
        return {**heads, "shares": SHARES, "deepest": DEEPEST, "flat": LAST_BUCKET}

    def picture(self) -> Themed:
        """Slopes, bias and weights of the present setting."""
        head = min(self.head, self.num_heads)
        slope = float(alibi_slopes(self.num_heads)[head - 1])
        direction = "the past only" if self.causal else "both directions"
        alt = (
            f"Slope {slope:.3g} of head {head} of {self.num_heads}, with the slopes of "
            "the others; its bias as a heat map, on the same scale for all heads, and "
            "as a straight line beside the staircase of a head of MPNet; and the "
            "weights that both give to "
            f"{self.length:,} tokens with equal scores, for {direction}."
        )
        setting: dict[str, Any] = {"length": self.length, "causal": self.causal}
        heads: dict[str, Any] = {"num_heads": self.num_heads, "head": head}
        return Themed(lambda: overview(**heads, **setting), alt=alt)
