"""The widgets of the chapter on Transformer-XL: reach, the shift, the four terms."""

from typing import Any, ClassVar

import numpy as np
import traitlets

from posenc.figures.themes import Themed
from posenc.figures.transformer_xl import four_terms, reach, shift_steps
from posenc.figures.transformer_xl_data import (
    DISTANCE_COLORS,
    MEMORY_LEN,
    STEPS,
    TERM_COLORS,
    TERMS,
    WORDS,
    example_terms,
    first_reached,
    term_limit,
)

from ._base import BookWidget, color_table

NUM_TOKENS = 24
MAX_SEGMENT_LEN, MAX_MEMORY_LEN, MAX_LAYERS = 8, 12, 5
MAX_Q_LEN, MAX_K_LEN = 5, 8


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

    scripts: ClassVar = ("transformer_xl.js", "transformer_xl_reach.js")

    segment_len = traitlets.Int(4, min=1, max=MAX_SEGMENT_LEN).tag(sync=True)
    memory_len = traitlets.Int(4, min=0, max=MAX_MEMORY_LEN).tag(sync=True)
    num_layers = traitlets.Int(3, min=1, max=MAX_LAYERS).tag(sync=True)
    position = traitlets.Int(NUM_TOKENS - 1, min=0, max=NUM_TOKENS - 1).tag(sync=True)

    choices = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("choices")
    def _default_choices(self) -> dict[str, int]:
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

    scripts: ClassVar = (
        "transformer_xl.js",
        "transformer_xl_cells.js",
        "transformer_xl_shift.js",
    )

    q_len = traitlets.Int(3, min=1, max=MAX_Q_LEN).tag(sync=True)
    k_len = traitlets.Int(5, min=1, max=MAX_K_LEN).tag(sync=True)
    method = traitlets.Enum(tuple(STEPS), default_value="pad").tag(sync=True)
    step = traitlets.Int(0, min=0).tag(sync=True)
    followed = traitlets.Int(-1, min=-1).tag(sync=True)

    choices = traitlets.Dict(read_only=True).tag(sync=True)
    colors = traitlets.Unicode(read_only=True).tag(sync=True)

    @traitlets.default("choices")
    def _default_choices(self) -> dict[str, Any]:
        return {"q_len": MAX_Q_LEN, "k_len": MAX_K_LEN, "steps": STEPS}

    @traitlets.default("colors")
    def _default_colors(self) -> str:
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
        lengths = {"q_len": self.q_len, "k_len": self.k_len}
        steps = ", then ".join(STEPS[self.method])
        alt = (
            f"The relative shift of {self.q_len} queries and {self.k_len} keys step by "
            f"step: {steps}. At the end every diagonal holds one distance."
        )
        return Themed(lambda: shift_steps(**lengths, method=self.method), alt=alt)


class FourTerms(BookWidget):
    """The four terms of the scores as heat maps, their sum, and the weights.

    Parameters
    ----------
    use_u, use_v : bool, default True
        Whether the terms with u and with v take part.
    """

    scripts: ClassVar = ("transformer_xl.js", "transformer_xl_terms.js")

    use_u = traitlets.Bool(True).tag(sync=True)
    use_v = traitlets.Bool(True).tag(sync=True)

    # What the front end looks up instead of computing it.
    terms = traitlets.Dict(read_only=True).tag(sync=True)
    words: Any = traitlets.List(read_only=True).tag(sync=True)
    memory_len = traitlets.Int(MEMORY_LEN, read_only=True).tag(sync=True)
    limit = traitlets.Float(read_only=True).tag(sync=True)
    names = traitlets.Dict(read_only=True).tag(sync=True)
    colors = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("terms")
    def _default_terms(self) -> dict[str, Any]:
        rows = (np.asarray(term).tolist() for term in example_terms())
        return dict(zip(TERMS, rows, strict=True))

    @traitlets.default("limit")
    def _default_limit(self) -> float:
        return term_limit(example_terms())

    @traitlets.default("words")
    def _default_words(self) -> list[str]:
        return list(WORDS)

    @traitlets.default("names")
    def _default_names(self) -> dict[str, str]:
        return TERMS

    @traitlets.default("colors")
    def _default_colors(self) -> dict[str, str]:
        return {"term": color_table(TERM_COLORS), "weight": color_table("viridis")}

    def picture(self) -> Themed:
        """The six heat maps of the present setting."""
        switched = {"u": self.use_u, "v": self.use_v}
        off = [name for name, on in switched.items() if not on]
        alt = (
            f"Heat maps for {len(WORDS) - MEMORY_LEN} queries and {len(WORDS)} keys: "
            "query times key, query times distance, u times key with equal rows, v "
            "times distance with equal diagonals, their sum, and the weights. "
            + (f"Switched off: {', '.join(off)}." if off else "All take part.")
        )
        return Themed(lambda: four_terms(u=self.use_u, v=self.use_v), alt=alt)
