"""The widget `ShiftSteps`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.transformer_xl.figures import (
    DISTANCE_COLORS,
    STEPS,
    shift_steps,
)

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
