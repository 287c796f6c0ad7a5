"""The widget `LongerTexts`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.laboratory.figures import LOOKS, OPENING_ALT, opening, shown
from posenc.laboratory.figures.looks import own_model

LENGTHS = (64, 128, 256, 512, 1024)


class LongerTexts(BookWidget):
    """Right answers on `copy` at one length of the test, a bar for each encoding.

    Parameters
    ----------
    length : int, default 64
        Tokens of the test, one of `LENGTHS`.

    Raises
    ------
    traitlets.TraitError
        If it is none of those above.
    """

    length = traitlets.Enum(LENGTHS, default_value=LENGTHS[0])

    @table
    def lengths(self) -> tuple[int, ...]:
        return LENGTHS

    @table
    def bars(self) -> list[dict[str, Any]]:
        """Encodings that solved the task: title, color, shares by length and run."""
        return [
            {
                "title": LOOKS[name].title,
                "role": LOOKS[name].role,
                "shares": [tested.of_solved(length) for length in LENGTHS],
            }
            for name, tested in shown("copy").items()
            if any(tested.solved) and own_model(name, tested)
        ]

    def picture(self) -> Themed:
        """Draw some of these encodings against the length."""
        return Themed(opening, alt=OPENING_ALT)
