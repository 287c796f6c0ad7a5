"""The widget `ShiftedSentence`: its state, and the picture without JavaScript."""

from typing import Any

import numpy as np
import traitlets

from posenc import rope, sinusoidal
from posenc.compare.figures import (
    COVER_ALT,
    KINDS,
    LARGEST_SHIFT,
    LAST_POSITION,
    SCORE_COLORS,
    TITLES,
    bias_of_offsets,
    cover,
    sentence,
    shifted,
    shifted_limit,
    shifted_scores,
)
from posenc.core import running_example
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table

DIGITS = 4


class ShiftedSentence(BookWidget):
    """Three words at any place of a text, and their scores by two methods or more.

    Parameters
    ----------
    shift : int, default 0
        Position of the first word, 0 … 18.
    swapped : bool, default False
        Whether *dog* and *man* have changed places.
    methods : list of str, optional
        Two or more of ``"sinusoidal"``, ``"t5"``, ``"alibi"`` and ``"rope"`` (default:
        an addition, a bias and a rotation, which are all but ALiBi).

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above, or `methods` are fewer than two.

    Examples
    --------
    >>> widget = ShiftedSentence(methods=["rope", "alibi"], shift=7)
    >>> widget.methods
    ['alibi', 'rope']
    >>> widget.scores["alibi"][0][7] == widget.scores["alibi"][0][0]
    True
    """

    shift = traitlets.Int(0, min=0, max=LARGEST_SHIFT)
    swapped = traitlets.Bool(False)
    methods: Any = traitlets.List(
        traitlets.Enum(tuple(KINDS)), ["sinusoidal", "t5", "rope"], minlen=2
    )

    @traitlets.validate("methods")
    def _in_order(self, proposal: Any) -> list[str]:
        """Put them into the book's order, each once."""
        methods = [name for name in KINDS if name in proposal["value"]]
        if len(methods) < 2:
            msg = f"methods must be two or more, got {proposal['value']}"
            raise traitlets.TraitError(msg)
        return methods

    @table
    def sentences(self) -> list[list[str]]:
        """The words in their order; the second with *dog* and *man* swapped."""
        return [list(sentence(swapped=swapped)) for swapped in (False, True)]

    @table
    def kinds(self) -> dict[str, str]:
        return KINDS

    @table
    def titles(self) -> dict[str, str]:
        return {name: TITLES[name] for name in KINDS}

    @table
    def scores(self) -> dict[str, Any]:
        """Matrices of scores, by method, sentence and shift."""

        def rounded(name: str, shift: int, swapped: bool) -> list[list[float]]:
            scores = shifted_scores(name, shift, swapped=swapped)
            return (scores.round(DIGITS) + 0.0).tolist()  # no minus zeros

        shifts = range(LARGEST_SHIFT + 1)
        return {
            name: [[rounded(name, shift, s) for shift in shifts] for s in (False, True)]
            for name in KINDS
        }

    @table
    def limit(self) -> float:
        return shifted_limit()

    @table
    def sines(self) -> list[list[float]]:
        """What addition adds at each position."""
        d = running_example.X.shape[-1]
        rows = sinusoidal.sinusoidal_table(LAST_POSITION + 1, d)
        return np.round(rows, DIGITS).tolist()

    @table
    def angles(self) -> list[float]:
        """How far rotation turns the first pair at each position, in radians."""
        positions = np.arange(LAST_POSITION + 1.0)
        angles = rope.rotary_angles(positions, running_example.X.shape[-1])
        return np.unwrap(angles[:, 0]).round(DIGITS).tolist()  # on, not back by 2π

    @table
    def biases(self) -> dict[str, list[float]]:
        """What a bias adds for the offsets -2 … 2."""
        biased = [name for name, kind in KINDS.items() if kind == "bias"]
        return {name: bias_of_offsets(name) for name in biased}

    @table
    def colors(self) -> str:
        return color_table(SCORE_COLORS)

    def picture(self) -> Themed:
        """Draw ruler and matrices of the present setting."""
        shift, swapped, methods = self.shift, self.swapped, self.methods
        words = " ".join(sentence(swapped=swapped))
        titles = ", ".join(f"{KINDS[name]} ({TITLES[name]})" for name in methods)
        alt = (
            f"A ruler of positions 0 to {LAST_POSITION}; the words “{words}” stand at "
            f"{shift}, {shift + 1} and {shift + 2}. Below it the scores of the words, "
            f"queries down, keys across, by {titles}."
        )
        return Themed(lambda: shifted(shift, swapped=swapped, methods=methods), alt=alt)

    def _still(self) -> Themed:
        """Draw the book's cover, the first page's opening picture without motion."""
        return Themed(cover, alt=COVER_ALT) if self.simple else self.picture()
