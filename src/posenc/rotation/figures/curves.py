"""Similarity against the offset, and a head that looks one token back."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from posenc import rotation
from posenc.kit.figures.themes import color

_STYLES = (("query", "-"), ("key", "--"), ("value", "-."), ("position", ":"))


def similarity_curves(
    sizes: Sequence[int],
    longest: int,
    *,
    base: float = 10_000.0,
    ax: Axes | None = None,
) -> Axes:
    """Similarity against distance for several numbers of features, all 1 at 0.

    Parameters
    ----------
    sizes : sequence of int
        Up to four numbers of features d.
    longest : int
        Largest distance, in tokens.
    base : float, default 10_000
        As in `posenc.rotation.position_similarity`.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(5.2, 3.6))[1] if ax is None else ax
    distances = np.arange(longest + 1)
    lowest = -0.2
    for d_model, (role, line) in zip(sizes, _STYLES, strict=False):
        values = rotation.position_similarity(distances, d_model, base=base)
        label = f"$d = {d_model}$"
        values = values / (d_model / 2)
        lowest = min(lowest, values.min())
        ax.plot(distances, values, line, color=color(role), lw=1.6, label=label)
    ax.axhline(0, color=color("line"), lw=0.8)
    ax.set(xlim=(0, longest), ylim=(lowest - 0.08, 1.08))
    ax.set(xlabel="distance (tokens)", ylabel="similarity")
    ax.legend(ncols=2, fontsize=10)
    return ax


def previous_token(
    curves: Mapping[str, Float[np.ndarray, " positions"]],
    trained: int,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Attention weight on the token before, against the position of the query.

    Parameters
    ----------
    curves : mapping
        Label to weights of the queries 1, 2, ….
    trained : int
        Positions that were seen in training.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(5.2, 3.4))[1] if ax is None else ax
    ax.axvspan(0, trained - 0.5, color=color("raised"), zorder=0)
    for (label, weights), (role, line) in zip(curves.items(), _STYLES, strict=False):
        positions = np.arange(1, len(weights) + 1)
        ax.plot(positions, weights, line, color=color(role), lw=1.8, label=label)
    at: dict[str, Any] = {"ha": "center", "fontsize": 10, "color": color("muted")}
    ax.text(trained / 2, 1.04, "trained", **at)
    ax.set(xlim=(0, len(weights)), ylim=(-0.03, 1.15), yticks=[0, 0.5, 1])
    ax.set(xlabel="position of the query", ylabel="weight on the token before")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, fontsize=10)
    return ax
