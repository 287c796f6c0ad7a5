"""The widget `SegmentReach`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.transformer_xl.figures import (
    first_reached,
    reach,
)

NUM_TOKENS = 24


MAX_SEGMENT_LEN, MAX_MEMORY_LEN, MAX_LAYERS = 8, 12, 5


class SegmentReach(BookWidget):
    """Hidden states that an output can know about, by segment, memory and layers.

    Parameters
    ----------
    segment_len : int, default 4
        Tokens of a segment, 1 … 8.
    memory_len : int, default 4
        Tokens of the memory of each layer, 0 … 12.
    num_layers : int, default 3
        Layers, 1 … 5.
    position : int, default 23
        Token whose output is asked about, 0 … 23.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    segment_len = traitlets.Int(4, min=1, max=MAX_SEGMENT_LEN)
    memory_len = traitlets.Int(4, min=0, max=MAX_MEMORY_LEN)
    num_layers = traitlets.Int(3, min=1, max=MAX_LAYERS)
    position = traitlets.Int(NUM_TOKENS - 1, min=0, max=NUM_TOKENS - 1)

    @table
    def choices(self) -> dict[str, int]:
        return {
            "num_tokens": NUM_TOKENS,
            "segment_len": MAX_SEGMENT_LEN,
            "memory_len": MAX_MEMORY_LEN,
            "num_layers": MAX_LAYERS,
        }

    def picture(self) -> Themed:
        """Grid of hidden states with those in reach marked."""
        names = ("segment_len", "memory_len", "num_layers")
        setting = {name: getattr(self, name) for name in names}
        first = first_reached(self.position, **setting)
        alt = (
            f"Grid of {NUM_TOKENS} tokens and {self.num_layers} layers, segments of "
            f"{self.segment_len}, memories of {self.memory_len}: the output at token "
            f"{self.position} can know about tokens {first} to {self.position}."
        )
        more: Any = {"position": self.position, "num_tokens": NUM_TOKENS}
        return Themed(lambda: reach(**setting, **more), alt=alt)
