"""The widget `EncodingHeatmap`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.sinusoidal import sinusoidal_table
from posenc.sinusoidal.figures import ENCODING_COLORS, heat_map

from .settings import BASES

LENGTHS = (1, 2, 4, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 1000)


WIDTHS = (2, 4, 6, 8, 16, 32, 64, 128, 256, 512, 768, 1024)


class EncodingHeatmap(BookWidget):
    """The table of the sinusoidal encoding as a heat map, with settings to choose.

    Parameters
    ----------
    seq_len, d_model : int, default 50, 64
        Positions and features: one of `LENGTHS` and one of `WIDTHS`.
    base : int, default 10_000
        One of `BASES`.
    order : {"interleaved", "half"}, default "interleaved"
        The `layout` of `posenc.sinusoidal.sinusoidal_encoding` (in a widget, that
        name is taken).
    """

    seq_len = traitlets.Enum(LENGTHS, default_value=50)
    d_model = traitlets.Enum(WIDTHS, default_value=64)
    base = traitlets.Enum(BASES, default_value=10_000)
    order = traitlets.Enum(("interleaved", "half"), default_value="interleaved")

    @table
    def choices(self) -> dict[str, Any]:
        return {"seq_len": LENGTHS, "d_model": WIDTHS, "base": BASES}

    @table
    def colors(self) -> str:
        return color_table(ENCODING_COLORS)

    def picture(self) -> Themed:
        """Draw the heat map of the present setting."""
        order: Any = self.order
        table = sinusoidal_table(
            self.seq_len, self.d_model, base=float(self.base), layout=order
        )
        alt = (
            f"Heat map of the sinusoidal encoding of {self.seq_len} positions with "
            f"{self.d_model} features, base {self.base:,}, layout {self.order}."
        )
        return Themed(lambda: heat_map(table), alt=alt)
