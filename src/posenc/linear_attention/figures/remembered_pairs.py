"""How many pairs of keys and values a sum can remember."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.attention import attention_weights
from posenc.kit.figures.themes import color
from posenc.linear_attention import linear_attention, polynomial_lift

PAIRS = (4, 8, 16, 32, 64, 128, 256, 512)


def recall(head_dim: int = 16, *, tries: int = 5) -> dict[str, Any]:
    """Share of the signs that come back when every key asks for its own value.

    Keys are standard normal, each value a vector of random signs. Guessing gives 1/2.
    A control has as many features as the lift: elu + 1 of random mixtures of the keys.

    Parameters
    ----------
    head_dim : int, default 16
        Features of keys and of values.
    tries : int, default 5
        Random draws that are averaged.
    """
    found: dict[str, list[float]] = {
        name: [] for name in ("softmax", "lift", "elu, more", "elu")
    }
    many = head_dim * (head_dim + 1) // 2
    for pairs in PAIRS:
        shares: dict[str, list[float]] = {name: [] for name in found}
        for seed in range(tries):
            rng = np.random.default_rng(seed)
            k = rng.normal(size=(pairs, head_dim))
            v = rng.choice([-1.0, 1.0], size=(pairs, head_dim))
            mixed = k @ rng.normal(size=(head_dim, many)) / head_dim**0.5
            answers = {
                "softmax": attention_weights(k, k) @ v,
                "lift": linear_attention(k, k, v, feature_map=polynomial_lift),
                "elu, more": linear_attention(mixed, mixed, v),
                "elu": linear_attention(k, k, v),
            }
            for name, out in answers.items():
                shares[name].append(float((np.sign(out) == v).mean()))
        for name, values in shares.items():
            found[name].append(float(np.mean(values)))
    return {"pairs": PAIRS, **found}


_RECALL: dict[str, tuple[str, str, str]] = {
    "softmax": ("softmax", "text", "D-"),
    "lift": ("linear, lift to 136 features", "key", "s-."),
    "elu, more": ("linear, elu + 1, 136 features", "value", "^-"),
    "elu": ("linear, elu + 1, 16 features", "query", "o-"),
}


def recall_curve(ax: Axes | None = None) -> Axes:
    """Share of remembered signs against the number of pairs to remember.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.7, 3.9))[1] if ax is None else ax
    found = recall()
    for name, (words, role, style) in _RECALL.items():
        look: dict[str, Any] = {"color": color(role), "lw": 2, "label": words}
        ax.plot(found["pairs"], found[name], style, **look)
    ax.axhline(0.5, color=color("muted"), ls="--", lw=1.2)
    ax.text(found["pairs"][0], 0.51, "guessing", color=color("muted"), va="bottom")
    ax.set_xscale("log", base=2)
    ax.set_xticks(found["pairs"], [str(n) for n in found["pairs"]])
    ax.set(ylim=(0.45, 1.03), xlabel="pairs to remember", ylabel="signs recovered")
    ax.legend(fontsize=10, loc="lower left", bbox_to_anchor=(0, 1))
    return ax
