"""The widget `FourTerms`: its state, and the picture without JavaScript."""

from typing import Any

import numpy as np
import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.transformer_xl.figures import (
    MEMORY_LEN,
    TERM_COLORS,
    TERMS,
    WORDS,
    example_terms,
    four_terms,
    term_limit,
)


class FourTerms(BookWidget):
    """The four terms of the scores as heat maps, their sum, and the weights.

    Parameters
    ----------
    use_a, use_b, use_u, use_v : bool, default True
        Whether the terms of query and key, of query and distance, with u and with v
        take part.
    """

    use_a = traitlets.Bool(True)
    use_b = traitlets.Bool(True)
    use_u = traitlets.Bool(True)
    use_v = traitlets.Bool(True)

    # What the front end looks up instead of computing it.
    memory_len = traitlets.Int(MEMORY_LEN, read_only=True)

    @table
    def terms(self) -> dict[str, Any]:
        rows = (np.asarray(term).tolist() for term in example_terms())
        return dict(zip(TERMS, rows, strict=True))

    @table
    def limit(self) -> float:
        return term_limit(example_terms())

    @table
    def words(self) -> list[str]:
        return list(WORDS)

    @table
    def names(self) -> dict[str, str]:
        return TERMS

    @table
    def colors(self) -> dict[str, str]:
        return {"term": color_table(TERM_COLORS), "weight": color_table("viridis")}

    def picture(self) -> Themed:
        """Draw the six heat maps of the present setting."""
        switched = {
            "query times key": self.use_a,
            "query times distance": self.use_b,
            "u": self.use_u,
            "v": self.use_v,
        }
        off = [name for name, on in switched.items() if not on]
        letters = "".join(
            letter
            for letter, on in zip(TERMS, switched.values(), strict=True)
            if not on
        )
        alt = (
            f"Heat maps for {len(WORDS) - MEMORY_LEN} queries and {len(WORDS)} keys: "
            "query times key, query times distance, u times key with equal rows, v "
            "times distance with equal diagonals, their sum, and the weights. "
            + (f"Switched off: {', '.join(off)}." if off else "All take part.")
        )
        return Themed(lambda: four_terms(off=letters), alt=alt)
