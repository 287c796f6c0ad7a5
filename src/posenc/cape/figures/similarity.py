"""How alike moved positions look, in one draw and on average."""

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.kit.figures.lines import DASHES
from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.themes import choose, color
from posenc.sinusoidal import sinusoidal_encoding

from .drawn_moves import moved, unit_draws


def similarities(
    *, seq_len: int = 25, d_model: int = 64, ax: Axes | None = None
) -> Axes:
    """Dot products of the middle token's encoding with all others, after moving.

    Parameters
    ----------
    seq_len : int, default 25
        Tokens.
    d_model : int, default 64
        Features of the encoding.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.0, 3.7))[1]
    positions, draws = np.arange(float(seq_len)), unit_draws(3, seq_len)
    kinds: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("as they are", {}, "text"),
        ("shifted by up to 50", {"max_global_shift": 50.0}, "position"),
        ("jittered by up to ½", {"max_local_shift": 0.5}, "key"),
        ("scaled by up to 2", {"max_scale": 2.0}, "value"),
    )
    offsets = np.arange(seq_len) - seq_len // 2
    for (words, maxima, role), dash in zip(kinds, DASHES, strict=True):
        table = sinusoidal_encoding(moved(positions, draws, **maxima), d_model)
        wide = {"lw": 5, "alpha": 0.35} if role == "text" else {"lw": 2}
        line: dict[str, Any] = {"color": color(role), "ls": dash, **wide}
        ax.plot(offsets, table @ table[seq_len // 2], label=words, **line)
    top = choose(0.7, 0.55) * d_model
    ax.set(ylabel="product of two encodings", ylim=(0.25 * d_model, top))
    ax.set_xlabel("tokens apart", color=color("position"))
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:.0f}".replace("-", "−"))
    above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    columns: dict[str, Any] = {"ncols": 2, "loc": "upper center"}
    ax.legend(fontsize=10, **choose(columns, above))
    return ax


def averages(length: int = 6, *, ax: Axes | None = None) -> Axes:
    """Weights of a causal mean: each row shares one evenly among the tokens so far.

    Parameters
    ----------
    length : int, default 6
        Tokens.
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 4.0))[1]
    shades = np.ones((length, length, 4))
    shades[...] = mpl.colors.to_rgba(color("raised"))
    words = np.full((length, length), "", dtype=object)
    fill = np.asarray(mpl.colors.to_rgba(color("position")))
    back = np.asarray(mpl.colors.to_rgba(color("surface")))
    for i, j in np.ndindex(length, length):
        if j <= i:
            share = 1 / (i + 1)
            shades[i, j] = share * fill + (1 - share) * back
            words[i, j] = "1" if i == 0 else f"1/{i + 1}"
    draw_matrix(shades, words, ax=ax)
    ax.add_patch(
        mpl.patches.Rectangle(
            (-0.5, -0.5), 1, length, fc="none", ec=color("value"), lw=3
        )
    )
    return ax
