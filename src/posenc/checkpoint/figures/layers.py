"""Layers that differ: windows, bases, and none that turns."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from posenc.checkpoint import Layer, describe
from posenc.checkpoint.published import config
from posenc.kit.figures.themes import choose, color

MODELS = ("Llama 3.1 8B", "Gemma 3 4B", "gpt-oss 20B", "Llama 4 Scout", "SmolLM3 3B")
#: Words, color and hatch of each kind of layer.
KINDS = {
    "all tokens": ("position", ""),
    "window": ("key", "//"),
    "no rotation": ("raised", ".."),
}


def kind_of(layer: Layer) -> str:
    """One of `KINDS`."""
    if layer.method == "none":
        return "no rotation"
    return "window" if layer.window else "all tokens"


def layer_kinds(ax: Axes | None = None, *, first: int = 24) -> Axes:
    """Draw the first layers of some models, colored by kind.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    first : int, default 24
        Layers that are drawn.
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 2.7))[1]  # narrow: a phone shows it large
    for row, name in enumerate(MODELS):
        for layer in describe(config(name)).layers[:first]:
            shade, hatch = KINDS[kind_of(layer)]
            ax.barh(
                row,
                0.86,
                left=layer.number - 0.43,
                height=0.66,
                color=color(shade),
                edgecolor=color("surface" if shade != "raised" else "muted"),
                hatch=hatch,
                lw=0,
            )
    ax.set_yticks(range(len(MODELS)), labels=MODELS)
    ax.set(xlim=(-0.7, first - 0.3), ylim=(len(MODELS) - 0.4, -0.6), xlabel="layer")
    handles = [
        Patch(facecolor=color(shade), edgecolor=color("muted"), hatch=hatch, label=kind)
        for kind, (shade, hatch) in KINDS.items()
    ]
    ax.legend(
        handles=handles,
        ncols=3,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        fontsize=9,
        columnspacing=choose(1.2, 0.9),
        handlelength=choose(1.6, 1.2),
    )
    return ax
