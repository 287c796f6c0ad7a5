"""The picture that opens the chapter on today's models."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.checkpoint import describe, planes
from posenc.checkpoint.published import config
from posenc.kit.figures.themes import choose, color


def opening(ax: Axes | None = None, *, model: str = "Llama 3.1 8B") -> Axes:
    """Wavelengths of a model's planes, plain and stretched, and the two lengths.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    model : str, default "Llama 3.1 8B"
        One of ``models.toml`` whose config stretches.
    """
    if ax is None:
        ax = plt.subplots(figsize=(6.2, 3.6))[1]
    checkpoint = describe(config(model))
    trained, promised = checkpoint.trained_len, checkpoint.max_len
    assert trained is not None
    assert promised is not None
    seen = planes(checkpoint.layers[0], trained, promised)
    before, now = seen.wavelengths / seen.slower, seen.wavelengths
    number = np.arange(len(now))
    ax.plot(
        number, before, "--", color=color("query"), lw=1.6, label="before stretching"
    )
    ax.plot(number, now, "o", color=color("position"), ms=3.5, label="stretched")
    for length, words in ((trained, "trained"), (promised, "promised")):
        ax.axhline(length, color=color("muted"), lw=1)
        told = f"{words}: {length:,}" + choose(" tokens", "")
        ax.text(0, length * 1.15, told, color=color("text"), fontsize=10)
    ax.axvspan(len(now) - seen.never_round - 0.5, len(now), color=color("raised"))
    ax.text(
        len(now) - 0.5 - seen.never_round / 2,
        8,
        f"{seen.never_round} of {len(now)} planes"
        + choose(
            " made no\nwhole turn before stretching",
            "\nmade no whole turn\nbefore stretching",
        ),
        ha="center",
        fontsize=10,
    )
    ax.set(yscale="log", xlabel="plane", ylabel="tokens for one turn")
    ax.set_xlim(-1, len(now))
    ax.legend(loc="upper left", fontsize=9.5)
    return ax
