"""The widget of the chapter on CAPE: tokens on a time line, moved by chance."""

from typing import Any

import traitlets

from posenc.cape.figures import overview, unit_draws
from posenc.core.angles import frequencies
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table

__all__ = ["AugmentedTimeline"]

MOST_TOKENS, DRAWS = 16, 12
CHOICES: dict[str, tuple[float, ...]] = {
    "max_global_shift": (0.0, 1.0, 2.0, 3.0, 5.0, 8.0),
    "max_local_shift": (0.0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 1.0, 1.5, 2.0),
    "max_scale": (1.0, 1.1, 1.25, 1.5, 2.0),
}


#: Radians per token of the pairs to choose from.
THETAS = tuple(float(theta) for theta in frequencies(16)[:4])


class AugmentedTimeline(BookWidget):
    """Places to which the augmentations of CAPE move the tokens of one sequence.

    Parameters
    ----------
    tokens : int, default 8
        How many there are, 4 … 16.
    max_global_shift, max_local_shift, max_scale : float
        Maxima of the noise, each one of `CHOICES`.
    draw : int, default 0
        Which of the draws is shown, 0 … 11.
    pair : int, default 0
        Frequency of the sine below, an index of `THETAS`.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> AugmentedTimeline(tokens=5).picture().alt[:38]
    '5 tokens on a time line, before and af'
    """

    tokens = traitlets.Int(8, min=4, max=MOST_TOKENS)
    max_global_shift = traitlets.Enum(CHOICES["max_global_shift"], default_value=3.0)
    max_local_shift = traitlets.Enum(CHOICES["max_local_shift"], default_value=0.5)
    max_scale = traitlets.Enum(CHOICES["max_scale"], default_value=1.5)
    draw = traitlets.Int(0, min=0, max=DRAWS - 1)
    pair = traitlets.Int(0, min=0, max=len(THETAS) - 1)

    @table
    def draws(self) -> list[dict[str, Any]]:
        """Shift, scale and jitters of each draw, between −1 and 1."""
        drawn = (unit_draws(seed, MOST_TOKENS) for seed in range(DRAWS))
        return [{**d._asdict(), "jitter": d.jitter.tolist()} for d in drawn]

    @table
    def choices(self) -> dict[str, Any]:
        return {**CHOICES, "thetas": THETAS, "most_tokens": MOST_TOKENS}

    def picture(self) -> Themed:
        """Tokens before and after, and the sine of a pair at both."""
        maxima: dict[str, float] = {name: getattr(self, name) for name in CHOICES}
        alt = (
            f"{self.tokens} tokens on a time line, before and after a shift of at most "
            f"{self.max_global_shift:g}, jitters of at most {self.max_local_shift:g} "
            f"and a scale of at most {self.max_scale:g}, with lines from each token to "
            f"its new place, for draw {self.draw}; and the sine of frequency "
            f"{THETAS[self.pair]:.3g} at the old and the new places."
        )
        setting: dict[str, Any] = {"seed": self.draw, "tokens": self.tokens, **maxima}
        theta = THETAS[self.pair]
        return Themed(lambda: overview(theta=theta, **setting), alt=alt)
