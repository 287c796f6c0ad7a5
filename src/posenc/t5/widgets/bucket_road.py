"""The widget `BucketRoad`: its state, and the picture without JavaScript."""

import numpy as np
import traitlets

from posenc import t5
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.t5.figures import BIAS_COLORS, example_bias, opening

NUM_BUCKETS, REACH = 32, 128


class BucketRoad(BookWidget):
    """A key that walks away from the query, and the bucket that it falls into.

    Parameters
    ----------
    offset : int, default 3
        Relative position of the key, -128 … 128.

    Raises
    ------
    traitlets.TraitError
        If it is none of those above.
    """

    offset = traitlets.Int(3, min=-REACH, max=REACH)

    @table
    def buckets(self) -> list[int]:
        """Bucket of each relative position, from the lowest on."""
        return t5.relative_position_bucket(np.arange(-REACH, REACH + 1)).tolist()

    @table
    def biases(self) -> list[float]:
        """Made-up bias of each bucket."""
        return example_bias(NUM_BUCKETS).tolist()

    @table
    def colors(self) -> str:
        return color_table(BIAS_COLORS)

    def picture(self) -> Themed:
        """The buckets of all relative positions."""
        bucket = self.buckets[self.offset + REACH]
        alt = (
            "A ruler of boxes that widen away from the query. A key at relative "
            f"position {self.offset} falls into bucket {bucket}."
        )
        return Themed(opening, alt=alt)
