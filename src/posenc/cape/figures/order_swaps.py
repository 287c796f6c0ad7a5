"""How often a local shift makes two tokens change places."""

import itertools
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from posenc.kit.figures.themes import color


def crossings(
    before: Float[np.ndarray, " seq_len"], after: Float[np.ndarray, " seq_len"]
) -> list[tuple[int, int]]:
    """Pairs of tokens that have changed their order."""
    pairs = itertools.combinations(range(len(before)), 2)
    return [
        (i, j) for i, j in pairs if (before[i] - before[j]) * (after[i] - after[j]) < 0
    ]


def swap_chance(step: float, max_local_shift: float) -> float:
    """Chance that the jitters of two tokens turn them around."""
    if 2 * max_local_shift <= step:
        return 0.0
    return 0.5 * (1 - step / (2 * max_local_shift)) ** 2


def swaps(*, seeds: int = 4000, ax: Axes | None = None) -> Axes:
    """Chance that two neighbors change their order, by formula and by drawing.

    Parameters
    ----------
    seeds : int, default 4000
        Pairs of jitters that are drawn for each dot.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, 3.3))[1]
    maxima = np.linspace(0, 2, 201)
    chance = [swap_chance(1.0, float(m)) for m in maxima]
    ax.plot(maxima, chance, color=color("position"), lw=2, label="formula")
    first, second = np.random.default_rng(0).uniform(-1, 1, size=(2, seeds))
    some = np.linspace(0.25, 2, 8)
    drawn = [float((m * (first - second) > 1).mean()) for m in some]
    dots: dict[str, Any] = {"color": color("text"), "mfc": color("surface")}
    ax.plot(some, drawn, "o", label=f"{seeds:,} pairs drawn", **dots)
    ax.axvline(0.5, color=color("muted"), ls="--", lw=1)
    ax.text(0.53, 0.27, "half a step", color=color("muted"), fontsize=10.5)
    ax.set(
        xlabel="largest jitter, in steps", ylabel="neighbors swap", ylim=(-0.01, 0.32)
    )
    ax.set_yticks([0, 0.1, 0.2, 0.3], ["0", "10 %", "20 %", "30 %"])
    ax.legend(fontsize=10, loc="lower right")
    return ax
