"""The widget `LayoutMixup`: its state, and the picture without JavaScript."""

from itertools import product
from typing import Any

import numpy as np
import traitlets

from posenc import rope
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.rope import figures as draw
from posenc.rope.figures import (
    layout_scores,
)

LAYOUTS, LAYOUT_SIZES, LAYOUT_REACH = ("interleaved", "half"), (4, 8), 8


class LayoutMixup(BookWidget):
    """Features in two orders, and the scores if the code pairs them the wrong way.

    Parameters
    ----------
    head_dim : int, default 8
        One of `LAYOUT_SIZES`.
    trained, runs : {"half", "interleaved"}, default "half" and "interleaved"
        Layout of the training, and of the code.
    permuted : bool, default False
        Whether the features are put into the order of the code first.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    head_dim = traitlets.Enum(LAYOUT_SIZES, default_value=8)
    trained = traitlets.Enum(LAYOUTS, default_value="half")
    runs = traitlets.Enum(LAYOUTS, default_value="interleaved")
    permuted = traitlets.Bool(False)

    sizes: Any = traitlets.List(list(LAYOUT_SIZES), read_only=True)

    @table
    def scores(self) -> dict[str, list[float]]:
        """Scores at the relative positions -8 … 8, by setting."""
        found = {}
        for d, trained, runs, permuted in product(
            LAYOUT_SIZES, LAYOUTS, LAYOUTS, (False, True)
        ):
            setting: dict[str, Any] = {"runs": runs, "permuted": permuted}
            scores = layout_scores(d, trained=trained, last=LAYOUT_REACH, **setting)
            key = f"{d},{trained},{runs},{str(permuted).lower()}"
            found[key] = np.round(scores, 4).tolist()
        return found

    @table
    def orders(self) -> dict[str, list[int]]:
        """Which feature of the one layout comes to each place of the other."""
        return {
            f"{d},{a},{b}": rope.layout_permutation(
                d,
                source=a,  # type: ignore[arg-type]
                target=b,  # type: ignore[arg-type]
            ).tolist()
            for d, a, b in product(LAYOUT_SIZES, LAYOUTS, LAYOUTS)
        }

    def picture(self) -> Themed:
        """Lanes and scores of the present setting."""
        names = ("head_dim", "trained", "runs", "permuted")
        setting = {name: getattr(self, name) for name in names}
        alt = (
            f"The features of a head of {self.head_dim} in both orders, joined by "
            f"lines, and the scores of a model trained with the layout {self.trained} "
            f"under code of the layout {self.runs}, "
            f"{'after' if self.permuted else 'without'} the permutation."
        )
        return Themed(lambda: draw.layouts_overview(**setting), alt=alt)
