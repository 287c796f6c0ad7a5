"""The widget `BitsAndSines`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.sinusoidal.figures import opening

STEP, NUM_DIGITS = 0.125, 4


class BitsAndSines(BookWidget):
    """Binary digits, sines of the same periods, and dials, at a position to move.

    Parameters
    ----------
    position : float, default 5.0
        A multiple of 1/8 from 0 to 16.
    cosines : bool, default False
        Whether the cosines are shown as well.

    Raises
    ------
    traitlets.TraitError
        If `position` is none of those above.

    Examples
    --------
    >>> BitsAndSines(position=5.3)
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: position must be a multiple of 0.125, got 5.3
    """

    position = traitlets.Float(5.0, min=0.0, max=2.0**NUM_DIGITS)
    cosines = traitlets.Bool(False)

    @table
    def choices(self) -> dict[str, Any]:
        return {"step": STEP, "last": 2**NUM_DIGITS, "num_digits": NUM_DIGITS}

    @traitlets.validate("position")
    def _check_position(self, proposal: Any) -> Any:
        if proposal["value"] % STEP:
            msg = f"position must be a multiple of {STEP}, got {proposal['value']}"
            raise traitlets.TraitError(msg)
        return proposal["value"]

    def picture(self) -> Themed:
        """Draw the strips of digits and waves, with a line at the position."""
        alt = (
            "Four strips of binary digits with a sine through each, over the positions "
            f"0 to {2**NUM_DIGITS}, and a line at position {self.position:g}."
        )
        return Themed(lambda: opening(position=self.position), alt=alt)
