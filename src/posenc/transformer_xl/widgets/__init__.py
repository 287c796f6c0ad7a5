"""The widgets of the chapter on Transformer-XL: reach, the shift, the four terms."""

from typing import Any

import numpy as np
import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.transformer_xl.figures import (
    DISTANCE_COLORS,
    MEMORY_LEN,
    STEPS,
    TERM_COLORS,
    TERMS,
    WORDS,
    example_terms,
    first_reached,
    four_terms,
    reach,
    shift_step,
    shift_steps,
    term_limit,
)

__all__ = ["FourTerms", "SegmentReach", "ShiftSteps"]


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

    # The front end looks these up instead of computing them.
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


MAX_Q_LEN, MAX_K_LEN = 5, 8


class ShiftSteps(BookWidget):
    """The relative shift step by step, for any number of queries and keys.

    Parameters
    ----------
    q_len, k_len : int, default 3 and 5
        Queries, 1 … 5, and keys, q_len … 8.
    method : {"pad", "view"}, default "pad"
        By padding and reshaping, or as a view.
    step : int, default 0
        Index into ``STEPS[method]``.
    followed : int, default -1
        Cell to follow, counted along the rows of the products; -1 for none.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above. To pass through an impossible setting,
        change traits in `hold_trait_notifications`.
    """

    q_len = traitlets.Int(3, min=1, max=MAX_Q_LEN)
    k_len = traitlets.Int(5, min=1, max=MAX_K_LEN)
    method = traitlets.Enum(tuple(STEPS), default_value="pad")
    step = traitlets.Int(0, min=0, max=max(map(len, STEPS.values())) - 1)
    followed = traitlets.Int(-1, min=-1, max=MAX_Q_LEN * MAX_K_LEN - 1)

    @table
    def choices(self) -> dict[str, Any]:
        return {"q_len": MAX_Q_LEN, "k_len": MAX_K_LEN, "steps": STEPS}

    @table
    def cells(self) -> dict[str, list[list[str]]]:
        """Rows of cells at each step, by method and lengths; a star marks garbage."""
        return {
            f"{method},{q_len},{k_len}": [
                [" ".join(cell.name for cell in row) for row in rows]
                for rows in (
                    shift_step(method, n, q_len, k_len) for n in range(len(steps))
                )
            ]
            for method, steps in STEPS.items()
            for q_len in range(1, MAX_Q_LEN + 1)
            for k_len in range(q_len, MAX_K_LEN + 1)
        }

    @table
    def colors(self) -> str:
        return color_table(DISTANCE_COLORS)

    @traitlets.validate("q_len", "k_len", "method", "step", "followed")
    def _check_setting(self, proposal: Any) -> Any:
        """Refuse more queries than keys, and a step or a cell that is not there."""
        names = ("q_len", "k_len", "method", "step", "followed")
        now = {name: getattr(self, name) for name in names}
        now[proposal["trait"].name] = proposal["value"]
        problem = ""
        if now["k_len"] < now["q_len"]:
            problem = (
                f"k_len must be at least q_len = {now['q_len']}, got {now['k_len']}"
            )
        elif now["step"] >= len(STEPS[now["method"]]):
            last = len(STEPS[now["method"]]) - 1
            problem = f"step must be at most {last}, got {now['step']}"
        elif now["followed"] >= now["q_len"] * now["k_len"]:
            problem = f"followed must be a cell of the products, got {now['followed']}"
        if problem:
            raise traitlets.TraitError(problem)
        return proposal["value"]

    def picture(self) -> Themed:
        """All steps, one below the other."""
        lengths: Any = {"q_len": self.q_len, "k_len": self.k_len}
        steps = ", then ".join(STEPS[self.method])
        alt = (
            f"The relative shift of {self.q_len} queries and {self.k_len} keys step by "
            f"step: {steps}. At the end every diagonal holds one distance."
        )
        return Themed(lambda: shift_steps(**lengths, method=self.method), alt=alt)


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
