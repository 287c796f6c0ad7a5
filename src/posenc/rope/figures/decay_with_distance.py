"""How scores fall with the distance: the score, its bound and the mean."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from posenc import rope
from posenc.kit.figures.themes import color

CONTENTS = {
    "ones": "all ones",
    "aligned": "q = k, at random",
    "random": "q and k at random",
}


def contents(name: str, head_dim: int) -> tuple[Any, Any]:
    """Query and key of one of `CONTENTS`; the random ones have the norm of the ones."""
    if name == "ones":
        return np.ones(head_dim), np.ones(head_dim)
    rng = np.random.default_rng(3)
    q, k = rng.normal(size=(2, head_dim))
    k = q if name == "aligned" else k
    root = math.sqrt(head_dim)
    return q * root / np.linalg.norm(q), k * root / np.linalg.norm(k)


def decay_curves(
    name: str, head_dim: int, base: float, last: int
) -> dict[str, Float[np.ndarray, " distances"]]:
    """Score, true bound and the paper's mean at the distances 0 … last."""
    q, k = contents(name, head_dim)
    distances = np.arange(last + 1.0)
    angles = rope.rotary_angles(distances, head_dim, base=base)
    turned = rope.apply_rotary(np.broadcast_to(q, (last + 1, head_dim)), angles)
    return {
        "score": turned @ k,
        "bound": rope.decay_bound(q, k, distances, base=base),
        "mean": rope.mean_partial_sum(distances, head_dim, base=base),
    }


def decay(
    name: str = "ones", *, head_dim: int = 128, base: float = 10_000.0, last: int = 299
) -> Figure:
    """Score and mean on a linear scale; size of the score, bound and mean on another.

    Parameters
    ----------
    name, head_dim, base, last
        As in `decay_curves`.
    """
    curves = decay_curves(name, head_dim, base, last)
    figure, (left, right) = plt.subplots(2, 1, figsize=(5.8, 5.6), sharex=True)
    left.axhline(0, color=color("line"), lw=0.8)
    left.plot(curves["score"], color=color("text"), lw=1.6, label="score")
    left.plot(
        curves["mean"], "--", color=color("position"), label="mean of $|S_j|$ (paper)"
    )
    right.plot(curves["bound"], "-.", color=color("key"), label="true bound")
    right.plot(np.abs(curves["score"]), color=color("text"), lw=1.6, label="|score|")
    right.plot(curves["mean"], "--", color=color("position"))
    right.set(yscale="log", ylabel="size (log scale)", ylim=(0.5, None))
    right.set_xlabel("distance (tokens)", color=color("position"))
    left.set_ylabel("score")
    for ax in (left, right):
        ax.legend(fontsize=10)
    return figure
