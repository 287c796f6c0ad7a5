"""The widget `BucketRoad`: its state, and the picture without JavaScript."""

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.t5.figures import BIAS_COLORS, HEAD, bucket_steps, mpnet_bias, opening

REACH, NUM_HEADS = 128, 12


class BucketRoad(BookWidget):
    """A key that walks away from the query, and the bucket that it falls into.

    Parameters
    ----------
    offset : int, default 3
        Relative position of the key, -128 … 128.
    head : int, default 7
        Head of MPNet whose biases are shown, 0 … 11.

    Raises
    ------
    traitlets.TraitError
        If it is none of those above.
    """

    offset = traitlets.Int(3, min=-REACH, max=REACH)
    head = traitlets.Int(HEAD, min=0, max=NUM_HEADS - 1)

    @table
    def steps(self) -> list[list[float]]:
        """Bucket of each step, its first and its last relative position."""
        steps, _ = bucket_steps(num_buckets=32, max_distance=REACH)
        return [[b, max(first, -REACH), min(last, REACH)] for b, first, last in steps]

    @table
    def biases(self) -> list[list[float]]:
        """Bias of each bucket that MPNet learned, head by head."""
        return (mpnet_bias().T.round(2) + 0.0).tolist()  # no minus before a zero

    @table
    def colors(self) -> str:
        return color_table(BIAS_COLORS)

    def picture(self) -> Themed:
        """Draw the buckets of all relative positions."""
        bucket = next(b for b, _, last in self.steps if self.offset <= last)
        alt = (
            "A ruler of boxes that widen away from the query. A key at relative "
            f"position {self.offset} falls into bucket {bucket}; the colors are the "
            f"biases of head {self.head} of MPNet."
        )
        return Themed(lambda: opening(head=self.head), alt=alt)
