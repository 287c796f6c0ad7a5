"""The widget `MemoryCalculator`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.music_transformer.figures import (
    bytes_in_words,
    memory,
    memory_bytes,
)

LENGTHS = (128, 256, 512, 650, 1024, 2048, 3500, 4096, 8192, 16384, 32768, 65536)


WIDTHS = (64, 128, 256, 512, 768, 1024, 2048, 4096)


HEADS = (1, 2, 4, 8, 16, 32, 64)


LAYERS = (1, 2, 4, 6, 8, 12, 24, 48, 96)


ITEM_SIZES = (2, 4, 8)


PAPER = (
    650,
    2048,
    3500,
)  # lengths of the table in the paper, with heads of 64 features


#: Where R may be guessed: steps from 16 GB, ten to a power of ten, from 1 kB to 1 PB.
GUESSES = tuple(range(-72, 48))


class MemoryCalculator(BookWidget):
    """Bytes of relative attention: a vector per pair, a vector per offset, the scores.

    The page does not say how large the first is until the reader has guessed it.

    Parameters
    ----------
    seq_len, d_model, num_heads, num_layers, itemsize : int
        As in `posenc.music_transformer.figures.memory_bytes`; each one of the
        choices in this module. The defaults are those of the paper: 2048 tokens, 512
        features, 8 heads, numbers of 4 bytes; one layer.
    guess : int
        The guess, one of `GUESSES`.
    revealed : bool, default False
        Whether the page says how large it is.

    Raises
    ------
    traitlets.TraitError
        If a value is none of the choices.
    """

    seq_len = traitlets.Enum(LENGTHS, default_value=2048)
    d_model = traitlets.Enum(WIDTHS, default_value=512)
    num_heads = traitlets.Enum(HEADS, default_value=8)
    num_layers = traitlets.Enum(LAYERS, default_value=1)
    itemsize = traitlets.Enum(ITEM_SIZES, default_value=4)
    guess = traitlets.Enum(GUESSES, default_value=0)
    revealed = traitlets.Bool(False)

    @table
    def choices(self) -> dict[str, Any]:
        return {
            "seq_len": LENGTHS,
            "d_model": WIDTHS,
            "num_heads": HEADS,
            "num_layers": LAYERS,
            "itemsize": ITEM_SIZES,
            "paper": PAPER,
            "guess": GUESSES,
        }

    def picture(self) -> Themed:
        """Curves of the present setting against length, the present length marked."""
        model: dict[str, Any] = {
            key: getattr(self, key)
            for key in ("d_model", "num_heads", "num_layers", "itemsize")
        }
        length = self.seq_len
        need = {
            name: bytes_in_words(count)
            for name, count in memory_bytes(length, **model).items()
        }
        layers = "1 layer" if self.num_layers == 1 else f"{self.num_layers} layers"
        alt = (
            f"Memory against length, three curves. At {length:,} tokens, d_model "
            f"{self.d_model}, {self.num_heads} heads, {layers}: "
            f"a vector for each pair {need['vectors']}, "
            f"a vector for each offset {need['table']}, scores {need['scores']}."
        )
        return Themed(lambda: memory(lengths=(length,), **model), alt=alt)
