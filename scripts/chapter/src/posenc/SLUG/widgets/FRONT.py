"""The widget `CLASSLine`: its state, and the picture without JavaScript."""

import numpy as np
import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.SLUG import scaled_position
from posenc.SLUG.figures import opening

SCALES = (0.25, 0.5, 1.0, 2.0)
LENGTH = 16


class CLASSLine(BookWidget):
    """Positions in another unit, along a line.

    Parameters
    ----------
    scale : float, default 0.5
        Units per token, one of `SCALES`.

    Raises
    ------
    traitlets.TraitError
        If it is none of them.

    Examples
    --------
    >>> CLASSLine(scale=2.0).picture().alt
    'Two lines: one rises by 1 unit per token, one by 2.'
    """

    scale = traitlets.Enum(SCALES, default_value=0.5)

    @table
    def lines(self) -> list[list[float]]:
        """Scaled positions of `LENGTH` tokens, for each of `SCALES`."""
        positions = np.arange(LENGTH)
        return [scaled_position(positions, scale=s).tolist() for s in SCALES]

    @table
    def choices(self) -> dict[str, list[float]]:
        """What readers choose from."""
        return {"scale": list(SCALES)}

    def picture(self) -> Themed:
        """The line of the present scale."""
        scale = float(self.scale)
        alt = f"Two lines: one rises by 1 unit per token, one by {scale:g}."
        return Themed(lambda: opening(scale=scale), alt=alt)
