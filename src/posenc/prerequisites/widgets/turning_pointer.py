"""The widget `TurningPointer`: its state, and the picture without JavaScript."""

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget
from posenc.prerequisites.figures import OPENING_ALT, opening

#: Tokens of two full turns, and the turn per token in degrees.
LAST, DEGREES = 16, 45


class TurningPointer(BookWidget):
    """A pointer that turns with the position, and the waves of its two coordinates.

    Parameters
    ----------
    t : int, default 3
        Position, 0 … 16: how many times it was turned by 45 degrees.

    Raises
    ------
    traitlets.TraitError
        If it is none of those above.
    """

    t = traitlets.Int(3, min=0, max=LAST)

    last = traitlets.Int(LAST, read_only=True)
    degrees = traitlets.Int(DEGREES, read_only=True)

    def picture(self) -> Themed:
        """Draw the pointer at one position, and both waves."""
        return Themed(opening, alt=OPENING_ALT)
