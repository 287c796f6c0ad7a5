"""By how much each rule of stretching slows each plane."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.checkpoint import describe, planes
from posenc.kit.figures.lines import line_style
from posenc.kit.figures.themes import color

TRAINED, FACTOR = 4096, 8
BASIC = {
    "model_type": "llama",
    "hidden_size": 128,
    "num_attention_heads": 1,
    "max_position_embeddings": TRAINED * FACTOR,
}
_LENGTH = {"original_max_position_embeddings": TRAINED}
#: What `rope_scaling` says, under the name of its curve.
RULES = {
    "linear": {"rope_type": "linear", "factor": FACTOR, **_LENGTH},
    "dynamic": {"rope_type": "dynamic", "factor": 1.0},
    "yarn": {"rope_type": "yarn", "factor": FACTOR, **_LENGTH},
    "llama3": {
        "rope_type": "llama3",
        "factor": FACTOR,
        "low_freq_factor": 1,
        "high_freq_factor": 4,
        **_LENGTH,
    },
}


def slowness(rule: str) -> np.ndarray:
    """By how much each plane is slower than unstretched, at the promised length."""
    keys = {**BASIC, "rope_scaling": RULES[rule]}
    if rule == "dynamic":  # its length is the trained one; it grows beyond it by itself
        keys["max_position_embeddings"] = TRAINED
    layer = describe(keys).layers[0]
    found: np.ndarray = planes(layer, TRAINED, TRAINED * FACTOR).slower
    return found


def slowed(ax: Axes | None = None) -> Axes:
    """Slowness of each plane, a curve for each rule.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    if ax is None:
        ax = plt.subplots(figsize=(4.6, 3.2))[1]  # narrow: a phone shows it large
    for number, rule in enumerate(RULES):
        ax.plot(slowness(rule), lw=2, label=rule, **line_style(number))
    layer = describe(BASIC | {"max_position_embeddings": TRAINED}).layers[0]
    never = planes(layer, TRAINED).never_round
    ax.axvline(63.5 - never, color=color("muted"), lw=1)
    words = f"no whole turn in\n{TRAINED:,} tokens →"
    ax.text(63.9 - never, 1.05, words, fontsize=9.5)
    ax.set(xlabel="plane", ylabel="slowed by", yscale="log", ylim=(0.93, 11))
    ax.set_yticks([1, 2, 4, 8], labels=["1", "2", "4", "8"])
    ax.minorticks_off()
    ax.legend(fontsize=9.5, loc="upper left", bbox_to_anchor=(0.0, 0.82))
    return ax
