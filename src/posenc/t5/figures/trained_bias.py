"""Biases that a model of the laboratory has learned, one curve for each head."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from posenc.kit.figures.lines import line_style
from posenc.kit.figures.themes import color


def trained_bias(
    bias: Float[np.ndarray, "num_heads distances"],
    *,
    last_start: int,
    ax: Axes | None = None,
) -> Axes:
    """Bias of each head against the distance to a key before the query.

    Parameters
    ----------
    bias : array of shape (num_heads, distances)
        At the distances 0, 1, 2, …; up to four heads.
    last_start : int
        Distance from which on all keys share a bucket; marked by a line.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.4, 3.4))[1]
    distances = np.arange(bias.shape[1])
    for head, values in enumerate(bias):
        style: dict[str, Any] = {"marker": "o", "ms": 3.5, "label": f"head {head}"}
        ax.plot(distances, values, **style, **line_style(head))
    ax.axvline(last_start, color=color("line"), ls="--")
    words: dict[str, Any] = {"va": "top", "fontsize": 10, "color": color("text")}
    ax.text(last_start + 0.3, bias.max(), "one number\nfrom here on", **words)
    ax.axhline(0, color=color("line"), lw=0.8)
    ax.set(xlabel="distance to a key before the query", ylabel="learned bias")
    ax.set_xticks(distances[::5])
    ax.legend(fontsize=10, loc="upper center")
    ax.grid(visible=True, axis="y")
    return ax
