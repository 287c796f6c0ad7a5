"""The widget on CAPE as a still picture: positions before and after the moves."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from posenc.kit.figures.themes import color

from .drawn_moves import moved, unit_draws
from .order_swaps import crossings


def overview(
    *,
    seed: int = 0,
    tokens: int = 8,
    max_global_shift: float = 3.0,
    max_local_shift: float = 0.5,
    max_scale: float = 1.5,
    theta: float = 1.0,
) -> Figure:
    """Tokens before and after, and one sine at both: the widget as a still picture.

    Parameters
    ----------
    seed, tokens : int
        Of the draws, and how many there are.
    max_global_shift, max_local_shift, max_scale : float
        As in `posenc.cape.augmented_positions`.
    theta : float, default 1.0
        Frequency of the sine, in radians per token.
    """
    positions = np.arange(float(tokens))
    before = positions - positions.mean()
    after = moved(
        positions,
        unit_draws(seed, tokens),
        max_global_shift=max_global_shift,
        max_local_shift=max_local_shift,
        max_scale=max_scale,
    )
    figure, (top, wave) = plt.subplots(2, 1, figsize=(6.2, 5.0), sharex=True)
    for a, b in zip(before, after, strict=True):
        top.plot([a, b], [1, 0], color=color("line"), lw=1)
    for y, places, role in ((1, before, "text"), (0, after, "position")):
        dots: dict[str, Any] = {"color": color(role), "ms": 13, "mec": color("surface")}
        top.plot(places, [y] * tokens, "o", **dots)
        for number, place in enumerate(places):
            at: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
            top.text(place, y, str(number), color=color("surface"), fontsize=9, **at)
    swapped = len(crossings(before, after))
    plural = "pair has" if swapped == 1 else "pairs have"
    top.set_title(f"{swapped} {plural} changed their order", fontsize=11)
    top.set_yticks([1, 0], ["before", "after"])
    top.set_ylim(-0.35, 1.35)
    top.tick_params(length=0, axis="y")
    edge = max(abs(before).max(), abs(after).max()) + 0.8
    line = np.linspace(-edge, edge, 400)
    wave.plot(line, np.sin(theta * line), color=color("line"), lw=1.5)
    ring: dict[str, Any] = {"mfc": "none", "color": color("text"), "ms": 9}
    wave.plot(before, np.sin(theta * before), "o", label="before", **ring)
    wave.plot(after, np.sin(theta * after), "o", color=color("position"), label="after")
    wave.set(xlabel="position", ylabel="sine of one pair", ylim=(-1.15, 1.6))
    wave.set_xlim(-edge, edge)
    wave.legend(fontsize=9.5, ncols=2, loc="upper left")
    return figure
