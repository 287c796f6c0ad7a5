"""The widget `MethodMatrices`: its state, and the picture without JavaScript."""

from typing import Any

import numpy as np
import traitlets

from posenc.compare import METHODS
from posenc.compare.figures import (
    EXAMPLES,
    SCORE_COLORS,
    SENTENCE,
    TITLES,
    WEIGHT_COLORS,
    alt_text,
    color_range,
    matrices,
    shown,
)
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table

VIEWS = ("change", "scores", "weights")


DIGITS = 5


#: Choices of the buttons.
GROUPS = {
    "all methods": [m.name for m in METHODS],
    "relative ones": [m.name for m in METHODS if m.kind.word == "relative"],
    "numbers added": [m.name for m in METHODS if m.enters.note == "a number added"],
}


class MethodMatrices(BookWidget):
    """Scores of the same words by every method, in one scale of colors.

    Parameters
    ----------
    text : str, default "the dog saw the man and the man saw the dog"
        One of `compare_data.EXAMPLES`.
    view : {"change", "scores", "weights"}, default "change"
        What position changes in the scores; the scores; or their softmax.
    causal : bool, default False
        Hide the words after the query.
    methods : list of str, optional
        Names of the methods to show (default: all).

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above, or `methods` is empty.

    Examples
    --------
    >>> MethodMatrices(methods=["rope", "alibi"]).methods
    ['alibi', 'rope']
    """

    text = traitlets.Enum(tuple(EXAMPLES), default_value=SENTENCE)
    view = traitlets.Enum(VIEWS, default_value="change")
    causal = traitlets.Bool(False)
    methods: Any = traitlets.List(traitlets.Enum(tuple(TITLES)), minlen=1)

    @traitlets.default("methods")
    def _default_methods(self) -> list[str]:
        return list(TITLES)

    @traitlets.validate("methods")
    def _in_order(self, proposal: Any) -> list[str]:
        """Put them into the book's order, each once."""
        return [name for name in TITLES if name in proposal["value"]]

    @table
    def groups(self) -> dict[str, list[str]]:
        return GROUPS

    @table
    def titles(self) -> dict[str, str]:
        return TITLES

    @table
    def values(self) -> dict[str, Any]:
        """Matrices by text, view, mask and method; None where the mask hides a cell."""

        null: Any = None

        def rounded(text: str, view: str, causal: bool) -> dict[str, Any]:
            matrices = shown(text, view, causal=causal)
            return {
                name: np.where(np.isnan(m), null, m.round(DIGITS) + 0.0).tolist()
                for name, m in matrices.items()
            }

        return {
            text: {
                v: [rounded(text, v, causal) for causal in (False, True)] for v in VIEWS
            }
            for text in EXAMPLES
        }

    @table
    def limits(self) -> dict[str, Any]:
        return {
            text: {view: color_range(text, view)[1] for view in VIEWS}
            for text in EXAMPLES
        }

    @table
    def colors(self) -> dict[str, str]:
        scores, weights = color_table(SCORE_COLORS), color_table(WEIGHT_COLORS)
        return {"change": scores, "scores": scores, "weights": weights}

    def picture(self) -> Themed:
        """Draw all matrices of the present setting."""
        setting: dict[str, Any] = {"causal": self.causal, "methods": self.methods}
        where = (self.text, self.view)
        return Themed(
            lambda: matrices(*where, **setting), alt=alt_text(*where, **setting)
        )
