"""The widgets of the chapter on the skew: its three steps, and what memory it saves."""

from typing import Any, ClassVar

import traitlets

from posenc.figures.music_transformer import memory, steps
from posenc.figures.music_transformer_data import (
    OFFSET_COLORS,
    STEPS,
    bytes_in_words,
    memory_bytes,
    skew_frames,
)
from posenc.figures.themes import Themed

from ._base import BookWidget, color_table

MIN_LENGTH, MAX_LENGTH = 2, 6
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


class SkewSteps(BookWidget):
    """The skew step by step, with one product followed through all matrices.

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
    """

    scripts: ClassVar = ("music_grid.js", "music_skew.js", "music_transformer.js")

    seq_len = traitlets.Int(4, min=MIN_LENGTH, max=MAX_LENGTH).tag(sync=True)
    masked = traitlets.Bool(True).tag(sync=True)
    step = traitlets.Int(0, min=0, max=2).tag(sync=True)
    query = traitlets.Int(1, min=0, max=MAX_LENGTH - 1).tag(sync=True)
    offset = traitlets.Int(-1, min=1 - MAX_LENGTH, max=MAX_LENGTH - 1).tag(sync=True)

    # What the front end looks up instead of computing it.
    frames = traitlets.Dict(read_only=True).tag(sync=True)
    names = traitlets.Dict(read_only=True).tag(sync=True)
    colors = traitlets.Unicode(read_only=True).tag(sync=True)

    @traitlets.default("frames")
    def _default_frames(self) -> dict[str, Any]:
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

    @traitlets.default("names")
    def _default_names(self) -> dict[str, Any]:
        """Words for the steps of both versions."""
        return {"causal": STEPS[True], "both": STEPS[False]}

    @traitlets.default("colors")
    def _default_colors(self) -> str:
        return color_table(OFFSET_COLORS)

    def followed(self) -> int:
        """Number of the product that is followed, in the products of this setting."""
        query = min(self.query, self.seq_len - 1)
        last = 0 if self.masked else self.seq_len - 1
        offset = max(1 - self.seq_len, min(self.offset, last))
        columns = self.seq_len + last
        return query * columns + offset + self.seq_len - 1

    def picture(self) -> Themed:
        """All four matrices of the present setting."""
        setting: dict[str, Any] = {"seq_len": self.seq_len, "masked": self.masked}
        label = skew_frames(**setting).label(self.followed())
        words = "; ".join(
            f"{i}. {name}" for i, name in enumerate(STEPS[self.masked], 1)
        )
        kind = "causal" if self.masked else "unmasked"
        alt = (
            f"The {kind} skew of the products of {self.seq_len} queries in four "
            f"matrices: products; {words}. The product {label} has a thick frame."
        )
        return Themed(lambda: steps(**setting, followed=self.followed()), alt=alt)


class MemoryCalculator(BookWidget):
    """Bytes of relative attention: a vector per pair, a vector per offset, the scores.

    Parameters
    ----------
    seq_len, d_model, num_heads, num_layers, itemsize : int
        As in `posenc.figures.music_transformer_data.memory_bytes`; each one of the
        choices in this module. The defaults are those of the paper: 2048 tokens, 512
        features, 8 heads, numbers of 4 bytes; one layer.

    Raises
    ------
    traitlets.TraitError
        If a value is none of the choices.
    """

    scripts: ClassVar = ("music_memory.js",)

    seq_len = traitlets.Enum(LENGTHS, default_value=2048).tag(sync=True)
    d_model = traitlets.Enum(WIDTHS, default_value=512).tag(sync=True)
    num_heads = traitlets.Enum(HEADS, default_value=8).tag(sync=True)
    num_layers = traitlets.Enum(LAYERS, default_value=1).tag(sync=True)
    itemsize = traitlets.Enum(ITEM_SIZES, default_value=4).tag(sync=True)
    choices = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("choices")
    def _default_choices(self) -> dict[str, Any]:
        return {
            "seq_len": LENGTHS,
            "d_model": WIDTHS,
            "num_heads": HEADS,
            "num_layers": LAYERS,
            "itemsize": ITEM_SIZES,
            "paper": PAPER,
        }

    def picture(self) -> Themed:
        """Curves of one head against length, the present length marked."""
        head_dim, length = max(self.d_model // self.num_heads, 1), self.seq_len
        need = {
            name: bytes_in_words(count)
            for name, count in memory_bytes(
                length,
                self.d_model,
                self.num_heads,
                num_layers=self.num_layers,
                itemsize=self.itemsize,
            ).items()
        }
        layers = "1 layer" if self.num_layers == 1 else f"{self.num_layers} layers"
        alt = (
            f"Memory at {length:,} tokens, d_model {self.d_model}, {self.num_heads} "
            f"heads, {layers}: a vector for each pair {need['vectors']}, "
            f"a vector for each offset {need['table']}, scores {need['scores']}."
        )
        return Themed(lambda: memory(head_dim=head_dim, lengths=(length,)), alt=alt)
