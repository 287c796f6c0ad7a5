"""The widget `SlidingWindow`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.convolutional.figures import example_taps, leak, opening, window
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table

LENGTH, KERNEL = 12, 5


class SlidingWindow(BookWidget):
    """A window that slides over equal frames, and what it sees at their ends.

    Parameters
    ----------
    frame : int, default 5
        The frame in its middle, 0 … 11.

    Raises
    ------
    traitlets.TraitError
        If it is none of those above.
    """

    frame = traitlets.Int(5, min=0, max=LENGTH - 1)

    @table
    def layer(self) -> dict[str, Any]:
        """First and last frame of a window, and what each output has of the borders."""
        first, last = window(KERNEL)
        sizes = leak(LENGTH, example_taps(4, 2, KERNEL), groups=2)
        return {"first": first, "last": last, "sizes": sizes.tolist()}

    def picture(self) -> Themed:
        """Two windows, one of them over an end."""
        alt = (
            "Windows over a row of frames, and how much each output differs from the "
            f"inner ones: that of frame {self.frame} by "
            f"{self.layer['sizes'][self.frame]:.2f}."
        )
        return Themed(opening, alt=alt)
