"""The widget `SkewFlight`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.text import signed_offset
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.music_transformer.figures import OFFSET_COLORS, opening, skew_frames

SEQ_LEN = 4


class SkewFlight(BookWidget):
    """The causal skew of four queries, whose numbers fly from matrix to matrix.

    Parameters
    ----------
    step : int, default 0
        Which matrix is shown: 0, the products, to 3, the result.

    Raises
    ------
    traitlets.TraitError
        If it is none of those above.
    """

    step = traitlets.Int(0, min=0, max=3)

    @table
    def frames(self) -> dict[str, Any]:
        """Matrices of numbers, heads and words for each; labels and colors."""
        frames = skew_frames(SEQ_LEN)
        products = range(SEQ_LEN * frames.columns)
        queries, keys = list("abcd"), [str(j) for j in range(SEQ_LEN)]
        offsets = [signed_offset(j + 1 - SEQ_LEN) for j in range(SEQ_LEN)]
        offset = {"columns": offsets, "name": "offset", "role": "position"}
        key = {"columns": keys, "name": "key", "role": "key"}
        return {
            "matrices": [matrix.tolist() for matrix in frames.matrices],
            "heads": [
                {**offset, "rows": queries, "from": 0},
                {**offset, "rows": queries, "from": 1},
                None,
                {**key, "rows": queries, "from": 0},
            ],
            "names": [
                "b2 is query b times the vector of column 2; each column is an offset",
                "a column of zeros on the left",
                "the same numbers, read in shorter rows",
                "no first row: columns are keys; gray and dashed cells are masked",
            ],
            "labels": {n: frames.label(n) for n in products},
            "shares": {
                n: n % frames.columns / (frames.columns - 1)
                for n in products
                if n in frames.wanted
            },
        }

    @table
    def colors(self) -> str:
        return color_table(OFFSET_COLORS)

    def picture(self) -> Themed:
        """Draw the first matrix and the last."""
        alt = (
            "A triangle of colored columns that becomes one of colored diagonals, at "
            f"step {self.step}: {self.frames['names'][self.step]}."
        )
        return Themed(opening, alt=alt)
