"""The widget `ProductOrder`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.linear_attention import figures as draw
from posenc.linear_attention.figures import (
    multiplications,
    numbers_between,
)

LENGTHS, SIZES = tuple(2**i for i in range(3, 17)), tuple(2**i for i in range(3, 9))


class ProductOrder(BookWidget):
    """The matrices of linear attention in both orders, and what each order costs.

    Parameters
    ----------
    seq_len : int, default 1024
        Tokens L, one of `LENGTHS`.
    head_dim : int, default 64
        Numbers d of a query, one of `SIZES`.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    seq_len = traitlets.Enum(LENGTHS, default_value=1024)
    head_dim = traitlets.Enum(SIZES, default_value=64)

    @table
    def choices(self) -> dict[str, Any]:
        return {"seq_len": LENGTHS, "head_dim": SIZES}

    def picture(self) -> Themed:
        """Shapes and bars of the present setting."""
        setting = self.seq_len, self.head_dim
        work, numbers = multiplications(*setting), numbers_between(*setting)
        alt = (
            f"Matrices of {self.seq_len:,} tokens and {self.head_dim} numbers each in "
            f"two orders: queries times keys first, {work[0]:,} multiplications and "
            f"{numbers[0]:,} numbers in between; keys times values first, "
            f"{work[1]:,} and {numbers[1]:,}."
        )
        return Themed(lambda: draw.orders_overview(*setting), alt=alt)
