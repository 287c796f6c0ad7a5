"""How far the weights of each feature map are from those of softmax."""

from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from posenc.attention import attention_weights
from posenc.kit.figures.themes import color
from posenc.linear_attention import (
    elu_plus_one,
    linear_attention_weights,
    orthogonal_projection,
    positive_random_features,
)

#: Factors of the queries: how much the scores differ, and so how sharp softmax is.
SHARPNESS = (0.25, 0.5, 1.0, 2.0, 4.0)


RANDOM_FEATURES = (64, 1024)


def quality(head_dim: int, *, seq_len: int = 256, seed: int = 0) -> dict[str, Any]:
    """Mean distance of rows of weights from those of softmax, for every sharpness.

    The distance of two rows is half the sum of their absolute differences: the share of
    the weight that lies in another place, from 0 to 1. Queries and keys are standard
    normal; both are multiplied by the root of the sharpness, for softmax and for every
    map. The rows of the random features are at right angles in blocks of `head_dim`.

    Parameters
    ----------
    head_dim, seq_len : int
        Features of a head; queries and keys.
    seed : int, default 0
        Of the random numbers.
    """
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(2, seq_len, head_dim))
    maps: dict[str, Any] = {"uniform": np.ones_like, "elu": elu_plus_one}
    for m in RANDOM_FEATURES:
        rows = orthogonal_projection(m, head_dim, rng=np.random.default_rng(seed + 1))
        maps[f"random {m}"] = partial(positive_random_features, projection=rows)
    found: dict[str, list[float]] = {name: [] for name in ("taylor", *maps)}
    for sharpness in SHARPNESS:
        a, b = q * sharpness**0.5, k * sharpness**0.5
        softmax = attention_weights(a, b)
        for name, feature_map in maps.items():
            shrink = head_dim**-0.25 if "random" in name else 1.0
            weights = linear_attention_weights(
                shrink * a, shrink * b, feature_map=feature_map
            )
            found[name].append(_misplaced(weights, softmax))
        scores = a @ b.T / head_dim**0.5
        kernel = 1 + scores + scores**2 / 2
        weights = kernel / kernel.sum(axis=1, keepdims=True)
        found["taylor"].append(_misplaced(weights, softmax))
    return {"sharpness": SHARPNESS, **found}


def _misplaced(weights: Any, softmax: Any) -> float:
    return float((0.5 * np.abs(weights - softmax).sum(-1)).mean())


_QUALITY: dict[str, tuple[str, str, str]] = {
    "uniform": ("all weights equal", "muted", "--"),
    "taylor": ("1 + s + s²/2", "text", "D-"),
    "elu": ("elu + 1", "query", "o-"),
    "random 64": ("64 random features", "key", "s-."),
    "random 1024": ("1,024 random features", "value", "^-"),
}


def quality_curves(head_dims: tuple[int, ...] = (4, 64)) -> Figure:
    """How far the weights of each map are from those of softmax.

    Parameters
    ----------
    head_dims : tuple of int, default (4, 64)
        Features of a head, one panel each.
    """
    figure, axes = plt.subplots(len(head_dims), 1, figsize=(4.7, 5.4), sharex=True)
    for ax, head_dim in zip(axes, head_dims, strict=True):
        found = quality(head_dim)
        for name, (words, role, style) in _QUALITY.items():
            ax.plot(found["sharpness"], found[name], style, color=color(role), lw=2)
            ax.lines[-1].set_label(words)
        ax.set_xscale("log", base=2)
        ax.set_xticks(found["sharpness"], [f"{s:g}" for s in found["sharpness"]])
        ax.set(ylim=(0, 1), ylabel="share misplaced")
        ax.set_title(f"d = {head_dim}")
    axes[0].legend(fontsize=10)
    axes[-1].set_xlabel("factor of the scores (sharpness)")
    return figure
