"""Error of angles that are computed in float32."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes

from posenc.kit.figures.themes import color


def float32_error(
    positions: Sequence[int],
    errors: Mapping[str, Sequence[float]],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Largest error of a feature against position, one curve per way to compute it."""
    ax = plt.subplots(figsize=(4.8, 3.8))[1] if ax is None else ax
    styles = (("key", "s"), ("query", "^"), ("value", "o"))
    for (words, values), (role, marker) in zip(errors.items(), styles, strict=False):
        ax.plot(positions, values, marker=marker, color=color(role), label=words)
    ax.set(xscale="log", yscale="log", ylabel="largest error")
    ax.set_xscale("log", base=2)
    ax.set_xlabel("position", color=color("position"))
    ax.grid(visible=True)
    ax.legend(loc="upper left")
    return ax


def all_in_float32(
    positions: Int[np.ndarray, "seq_len"], d_model: int
) -> Float[np.ndarray, "seq_len d_model"]:
    """Return the interleaved table with every number in 32 bits, the angles too."""
    i = np.arange(0, d_model, 2, dtype=np.float32)
    theta = 1 / np.float32(10_000) ** (i / np.float32(d_model))
    angles = positions.astype(np.float32)[:, None] * theta
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(len(positions), d_model)
