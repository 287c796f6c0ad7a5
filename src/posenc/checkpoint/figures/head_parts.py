"""Which features of a head turn, in models that turn a part of it."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from posenc.checkpoint import describe
from posenc.checkpoint.published import config
from posenc.kit.figures.themes import choose, color

MODELS = ("Llama 3.1 8B", "GPT-J", "GPT-NeoX 20B", "DeepSeek-V3")
_PAIRS = {"half": "halves", "interleaved": "neighbors"}


def heads(ax: Axes | None = None) -> Axes:
    """Features of one head, those that turn in color, and what forms a pair.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 2.5))[1]  # narrow: a phone shows it large
    for row, name in enumerate(MODELS):
        layer = describe(config(name)).layers[0]
        ax.barh(row, layer.head_dim, height=0.6, color=color("raised"))
        ax.barh(
            row,
            layer.rotary_dim,
            left=layer.first_turned,
            height=0.6,
            color=color("position"),
        )
        words = f"{layer.rotary_dim} of {layer.head_dim}, {_PAIRS[str(layer.layout)]}"
        ax.text(layer.head_dim + 4, row, words, va="center", fontsize=10)
    ax.set_yticks(range(len(MODELS)), labels=MODELS)
    ax.set(
        xlim=(0, choose(470, 590)),
        ylim=(len(MODELS) - 0.5, -0.5),
        xlabel="feature of a query",
    )
    ax.set_xticks(range(0, 257, choose(64, 128)))
    return ax
