"""The widget `CountingBack`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.transformer_xl.figures import opening
from posenc.transformer_xl.figures.segments import SEGMENT_LEN, SENTENCE


class CountingBack(BookWidget):
    """A query that counts back, across the border between its segment and the memory.

    Parameters
    ----------
    query : int, default 4
        Where it stands among the words, 4 … 7.

    Raises
    ------
    traitlets.TraitError
        If it is none of those above.
    """

    query = traitlets.Int(SEGMENT_LEN, min=SEGMENT_LEN, max=len(SENTENCE) - 1)

    @table
    def text(self) -> dict[str, Any]:
        """The words, and how many of them a segment has."""
        return {"words": SENTENCE, "segment": SEGMENT_LEN}

    def picture(self) -> Themed:
        """Both segments, with what is counted."""
        word = SENTENCE[self.query]
        alt = (
            "Two segments, with distances that run across their border, "
            f"as the query “{word}” counts them."
        )
        return Themed(opening, alt=alt)
