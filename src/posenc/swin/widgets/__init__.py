"""The widget of the chapter on Swin: two cells, their offset, a row of the table."""

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.swin.figures import (
    BIAS_COLORS,
    MAX_SIDE,
    ROW_COLORS,
    RULES,
    example_table,
    overview,
    stride,
)

__all__ = ["WindowIndex"]


class WindowIndex(BookWidget):
    """A window, a query and a key in it, and the row of the table that they read.

    Parameters
    ----------
    height, width : int, default 3 and 4
        Size of the window in cells, 1 … 8.
    query, key : [row, column], default [2, 1] and [0, 3]
        Two cells, 0 … 7; what lies beyond the window is moved to its edge.
    rule : {"width", "added", "height"}, default "width"
        How an offset becomes a row: right, without a factor, or with the wrong one.
    view : {"rows", "bias"}, default "rows"
        Whether cells show rows of the table, or the made-up bias that is read there.
    moves : {"key", "query"}, default "key"
        Which of the two a click or an arrow key moves.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> WindowIndex(height=9)
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: The value of the 'height' trait of a WindowIndex ...
    """

    height = traitlets.Int(3, min=1, max=MAX_SIDE)
    width = traitlets.Int(4, min=1, max=MAX_SIDE)
    query = traitlets.List(
        traitlets.Int(min=0, max=MAX_SIDE - 1), [2, 1], minlen=2, maxlen=2
    )
    key = traitlets.List(
        traitlets.Int(min=0, max=MAX_SIDE - 1), [0, 3], minlen=2, maxlen=2
    )
    rule = traitlets.Enum(tuple(RULES), default_value="width")
    view = traitlets.Enum(("rows", "bias"), default_value="rows")
    moves = traitlets.Enum(("key", "query"), default_value="key")

    @table
    def strides(self) -> dict[str, list[list[int]]]:
        """Factor of the row offset by rule, height and width (both less 1)."""
        sides = range(1, MAX_SIDE + 1)
        return {
            rule: [[stride(rule, h, w) for w in sides] for h in sides] for rule in RULES
        }

    @table
    def biases(self) -> list[list[float]]:
        """Made-up biases of the largest window; smaller ones use its center."""
        table: list[list[float]] = example_table(MAX_SIDE, MAX_SIDE).tolist()
        return table

    @table
    def rules(self) -> dict[str, str]:
        return RULES

    @table
    def colors(self) -> dict[str, str]:
        return {"row": color_table(ROW_COLORS), "bias": color_table(BIAS_COLORS)}

    def picture(self) -> Themed:
        """Window and table of the present choice."""
        edge = self.height - 1, self.width - 1
        query, key = (
            (min(cell[0], edge[0]), min(cell[1], edge[1]))
            for cell in (self.query, self.key)
        )
        offset = query[0] - key[0], query[1] - key[1]
        row = (offset[0] + edge[0]) * stride(self.rule, self.height, self.width)
        row += offset[1] + edge[1]
        shown = "made-up biases" if self.view == "bias" else "rows of the table"
        alt = (
            f"A window of {self.height} × {self.width} cells with a query in cell "
            f"{query} and a key in cell {key}, and the table of all offsets, both "
            f"showing {shown}. Query minus key is {offset}: row {row}."
        )
        return Themed(
            lambda: overview(
                self.height,
                self.width,
                query,
                key,
                rule=self.rule,
                show_bias=self.view == "bias",
            ),
            alt=alt,
        )
