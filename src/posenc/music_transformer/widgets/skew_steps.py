"""The widget `SkewSteps`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.music_transformer.figures import (
    OFFSET_COLORS,
    STEPS,
    skew_frames,
    steps,
)

MIN_LENGTH, MAX_LENGTH = 2, 6


class SkewSteps(BookWidget):
    """The skew step by step, with one number followed through all matrices.

    Parameters
    ----------
    seq_len : int, default 4
        Queries, 2 … 6.
    masked : bool, default True
        Whether it is `posenc.music_transformer.skew` or `skew_unmasked`.
    step : {0, 1, 2}, default 0
        Which step is shown, before on the left and after it on the right.
    query : int, default 1
        Query of the product that is followed, 0 … 5; beyond the last one, the last.
    offset : int, default -1
        Its offset, -5 … 5; beyond the ends of the table, the end.
    zero : int, default -1
        Which of the zeros that are put in is followed instead of a product, 0 … 10;
        -1 for none, and so is one that is neither before the step nor after it.
    """

    seq_len = traitlets.Int(4, min=MIN_LENGTH, max=MAX_LENGTH)
    masked = traitlets.Bool(True)
    step = traitlets.Int(0, min=0, max=2)
    query = traitlets.Int(1, min=0, max=MAX_LENGTH - 1)
    offset = traitlets.Int(-1, min=1 - MAX_LENGTH, max=MAX_LENGTH - 1)
    zero = traitlets.Int(-1, min=-1, max=2 * MAX_LENGTH - 2)

    @table
    def frames(self) -> dict[str, Any]:
        """Matrices of every setting, as `skew_frames` gives them."""
        lengths = range(MIN_LENGTH, MAX_LENGTH + 1)
        found = {
            f"{name},{length}": skew_frames(length, masked=name == "causal")
            for name in ("causal", "both")
            for length in lengths
        }
        return {
            key: {
                "columns": frames.columns,
                "matrices": [matrix.tolist() for matrix in frames.matrices],
                "wanted": sorted(frames.wanted),
            }
            for key, frames in found.items()
        }

    @table
    def names(self) -> dict[str, Any]:
        """Words for the steps of both versions."""
        return {"causal": STEPS[True], "both": STEPS[False]}

    @table
    def colors(self) -> str:
        return color_table(OFFSET_COLORS)

    def followed(self) -> int:
        """Return the followed number, counted along the products; zeros are below 0."""
        if 0 <= self.zero < (self.seq_len if self.masked else 2 * self.seq_len - 1):
            return -1 - self.zero
        query = min(self.query, self.seq_len - 1)
        last = 0 if self.masked else self.seq_len - 1
        offset = max(1 - self.seq_len, min(self.offset, last))
        columns = self.seq_len + last
        return query * columns + offset + self.seq_len - 1

    def picture(self) -> Themed:
        """All four matrices of the present setting."""
        setting: dict[str, Any] = {"seq_len": self.seq_len, "masked": self.masked}
        label = skew_frames(**setting).label(self.followed())
        framed = "A zero that was put in" if label == "0" else f"The product {label}"
        words = "; ".join(
            f"{i}. {name}" for i, name in enumerate(STEPS[self.masked], 1)
        )
        kind = "causal" if self.masked else "unmasked"
        alt = (
            f"The {kind} skew of the products of {self.seq_len} queries in four "
            f"matrices: products; {words}. {framed} has a thick frame."
        )
        return Themed(lambda: steps(**setting, followed=self.followed()), alt=alt)
