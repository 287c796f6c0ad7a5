"""The widget of the chapter on Swin: two cells, their offset, a row of the table."""

from typing import Any, ClassVar

import traitlets

from posenc.figures.swin import overview
from posenc.figures.swin_data import (
    BIAS_COLORS,
    MAX_SIDE,
    ROW_COLORS,
    RULES,
    example_table,
    stride,
)
from posenc.figures.themes import Themed

from ._base import BookWidget, color_table


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
        Whether cells show rows of the table, or the made-up bias of one head.
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

    scripts: ClassVar = ("swin_index.js", "swin_grid.js", "swin.js")

    height = traitlets.Int(3, min=1, max=MAX_SIDE).tag(sync=True)
    width = traitlets.Int(4, min=1, max=MAX_SIDE).tag(sync=True)
    query = traitlets.List(
        traitlets.Int(min=0, max=MAX_SIDE - 1), [2, 1], minlen=2, maxlen=2
    ).tag(sync=True)
    key = traitlets.List(
        traitlets.Int(min=0, max=MAX_SIDE - 1), [0, 3], minlen=2, maxlen=2
    ).tag(sync=True)
    rule = traitlets.Enum(tuple(RULES), default_value="width").tag(sync=True)
    view = traitlets.Enum(("rows", "bias"), default_value="rows").tag(sync=True)
    moves = traitlets.Enum(("key", "query"), default_value="key").tag(sync=True)

    # What the front end looks up instead of computing it.
    strides = traitlets.Dict(read_only=True).tag(sync=True)
    biases: Any = traitlets.List(read_only=True).tag(sync=True)
    rules = traitlets.Dict(read_only=True).tag(sync=True)
    colors = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("strides")
    def _default_strides(self) -> dict[str, list[list[int]]]:
        """Factor of the row offset by rule, height and width (both less 1)."""
        sides = range(1, MAX_SIDE + 1)
        return {
            rule: [[stride(rule, h, w) for w in sides] for h in sides] for rule in RULES
        }

    @traitlets.default("biases")
    def _default_biases(self) -> list[list[float]]:
        """Made-up biases of the largest window; smaller ones use its center."""
        table: list[list[float]] = example_table(MAX_SIDE, MAX_SIDE).tolist()
        return table

    @traitlets.default("rules")
    def _default_rules(self) -> dict[str, str]:
        return RULES

    @traitlets.default("colors")
    def _default_colors(self) -> dict[str, str]:
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
