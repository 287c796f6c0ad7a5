"""The picture that opens the chapter on CAPE: one row of tokens, moved three times."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.kit.figures.themes import choose, color

from .drawn_moves import UnitDraws, moved

_TOKENS = 8


_DRAWS = UnitDraws(0.7, 0.8, np.asarray([0.5, -0.4, 0.9, -0.3, -0.7, 0.7, 0.4, -0.3]))


_STEPS: tuple[tuple[str, dict[str, float]], ...] = (
    ("centered", {}),
    ("all shifted alike", {"max_global_shift": 3.0}),
    ("each one jittered", {"max_local_shift": 0.5}),
    ("all stretched alike", {"max_scale": 1.5}),
)


def opening(ax: Axes | None = None) -> Axes:
    """Tokens on a time line, and where a shift, a jitter and a scale take them.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.4, 4.5))[1]
    ax.set(xlim=choose((-10.6, 9.6), (-7, 8.6)), ylim=(-0.75, len(_STEPS) + 0.1))
    ax.spines[["left", "top", "right"]].set_visible(False)
    ax.set_yticks([])
    ax.set_xticks(range(-4, 9, 2), [str(n).replace("-", "−") for n in range(-4, 9, 2)])
    ax.axvline(0, color=color("line"), lw=0.8, ls=(0, (3, 3)))
    ax.set_xlabel("position that goes into the sines", color=color("position"))
    maxima: dict[str, Any] = {}
    above = None
    for row, (words, more) in enumerate(_STEPS):
        maxima |= more
        y = len(_STEPS) - 1 - row
        places = moved(np.arange(float(_TOKENS)), _DRAWS, **maxima)
        if above is not None:
            for a, b in zip(above, places, strict=True):
                ax.plot([a, b], [y + 0.78, y + 0.22], color=color("line"), lw=1)
        _tokens(ax, places, y)
        at = choose((-10.5, y + 0.02), (-7, y + (-0.32 if row else 0.3)))
        ax.text(
            *at,
            choose(words, words.replace(" alike", "\nalike").replace("one ", "one\n")),
            fontsize=11.5,
            va="center",
        )
        above = places
    return ax


def _tokens(ax: Axes, places: Any, y: float) -> None:
    ax.plot([-5.0, 9.6], [y, y], color=color("line"), lw=0.8, zorder=0)
    style: dict[str, Any] = {"ms": 15, "mec": color("surface"), "mew": 1}
    ax.plot(places, [y] * len(places), "o", color=color("position"), **style)
    for number, place in enumerate(places):
        at: dict[str, Any] = {"ha": "center", "va": "center_baseline", "fontsize": 10}
        ax.text(place, y, str(number), color=color("surface"), **at)
