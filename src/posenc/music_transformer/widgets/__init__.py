"""The widgets of the chapter on the skew: its three steps, and what memory it saves."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.music_transformer.figures import (
    OFFSET_COLORS,
    STEPS,
    bytes_in_words,
    memory,
    memory_bytes,
    skew_frames,
    steps,
)

__all__ = ["MemoryCalculator", "SkewSteps"]

MIN_LENGTH, MAX_LENGTH = 2, 6


class SkewSteps(BookWidget):
    """The skew step by step, with one number followed through all matrices.

    Parameters
    ----------
    seq_len : int, default 4
        Queries, 2 … 6.
    masked : bool, default True
        Whether it is `posenc.music_transformer.skew` or `skew_unmasked`.
    step : {0, 1, 2}, default 0
        Which step is shown, before on the left and after it on the right.
    query : int, default 1
        Query of the product that is followed, 0 … 5; beyond the last one, the last.
    offset : int, default -1
        Its offset, -5 … 5; beyond the ends of the table, the end.
    zero : int, default -1
        Which of the zeros that are put in is followed instead of a product, 0 … 10;
        -1 for none, and so is one that is neither before the step nor after it.
    """

    seq_len = traitlets.Int(4, min=MIN_LENGTH, max=MAX_LENGTH)
    masked = traitlets.Bool(True)
    step = traitlets.Int(0, min=0, max=2)
    query = traitlets.Int(1, min=0, max=MAX_LENGTH - 1)
    offset = traitlets.Int(-1, min=1 - MAX_LENGTH, max=MAX_LENGTH - 1)
    zero = traitlets.Int(-1, min=-1, max=2 * MAX_LENGTH - 2)

    @table
    def frames(self) -> dict[str, Any]:
        """Matrices of every setting, as `skew_frames` gives them."""
        lengths = range(MIN_LENGTH, MAX_LENGTH + 1)
        found = {
            f"{name},{length}": skew_frames(length, masked=name == "causal")
            for name in ("causal", "both")
            for length in lengths
        }
        return {
            key: {
                "columns": frames.columns,
                "matrices": [matrix.tolist() for matrix in frames.matrices],
                "wanted": sorted(frames.wanted),
            }
            for key, frames in found.items()
        }

    @table
    def names(self) -> dict[str, Any]:
        """Words for the steps of both versions."""
        return {"causal": STEPS[True], "both": STEPS[False]}

    @table
    def colors(self) -> str:
        return color_table(OFFSET_COLORS)

    def followed(self) -> int:
        """Return the followed number, counted along the products; zeros are below 0."""
        if 0 <= self.zero < (self.seq_len if self.masked else 2 * self.seq_len - 1):
            return -1 - self.zero
        query = min(self.query, self.seq_len - 1)
        last = 0 if self.masked else self.seq_len - 1
        offset = max(1 - self.seq_len, min(self.offset, last))
        columns = self.seq_len + last
        return query * columns + offset + self.seq_len - 1

    def picture(self) -> Themed:
        """All four matrices of the present setting."""
        setting: dict[str, Any] = {"seq_len": self.seq_len, "masked": self.masked}
        label = skew_frames(**setting).label(self.followed())
        framed = "A zero that was put in" if label == "0" else f"The product {label}"
        words = "; ".join(
            f"{i}. {name}" for i, name in enumerate(STEPS[self.masked], 1)
        )
        kind = "causal" if self.masked else "unmasked"
        alt = (
            f"The {kind} skew of the products of {self.seq_len} queries in four "
            f"matrices: products; {words}. {framed} has a thick frame."
        )
        return Themed(lambda: steps(**setting, followed=self.followed()), alt=alt)


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
