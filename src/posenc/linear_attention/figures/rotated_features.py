"""Rotated features: negative weights, and a denominator that gets zero."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from posenc.kit.figures.themes import choose, color
from posenc.linear_attention import linear_attention_weights
from posenc.rope import rotary_angles


def negative_share(
    seq_len: int, head_dim: int, feature_map: Any, *, seed: int = 0
) -> float:
    """Share of negative weights under rotated features, on standard normal data.

    Parameters
    ----------
    seq_len, head_dim : int
        Tokens and features of a head.
    feature_map : callable
        As in `posenc.linear_attention.linear_attention`; keeps the head dimension.
    seed : int, default 0
        Of the random numbers.
    """
    q, k = np.random.default_rng(seed).normal(size=(2, seq_len, head_dim))
    angles = rotary_angles(np.arange(float(seq_len)), head_dim)
    weights = linear_attention_weights(q, k, feature_map=feature_map, angles=angles)
    return float((weights < 0).mean())


def last_weight(angles: Any, *, others: int = 2, rotated: bool = False) -> Any:
    """Weight of a query's own value, with `others` keys turned by each of `angles`.

    All features are 1, so that nothing but the rotation decides.

    Parameters
    ----------
    angles : array
        Radians between the query and each of the other keys.
    others : int, default 2
        How many keys there are besides its own.
    rotated : bool, default False
        Whether the denominator is rotated, too.
    """
    ones = np.ones((others + 1, 2))
    turned = np.append(np.ones(others), 0.0)[:, None]
    return np.asarray(
        [
            linear_attention_weights(
                ones,
                ones,
                feature_map=np.asarray,
                angles=turned * angle,
                rotate_denominator=rotated,
            )[-1, -1]
            for angle in np.asarray(angles)
        ]
    )


def denominator(ax: Axes | None = None) -> Axes:
    """Weight of a query's own value while two other keys turn, in both versions.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw (default: new Axes).
    """
    ax = plt.subplots(figsize=(4.8, 3.3))[1] if ax is None else ax
    degrees = np.linspace(0, 180, 361)
    degrees = degrees[degrees != 120]  # there the denominator is 0
    angles = np.radians(degrees)
    both = last_weight(angles, rotated=True)
    numerator = last_weight(angles)
    ax.axhline(0, color=color("line"), lw=0.8)
    for side in (degrees < 120, degrees > 120):
        look: dict[str, Any] = {"color": color("key"), "lw": 2.2}
        ax.plot(degrees[side], both[side], "--", **look)
    ax.lines[-1].set_label("rotated above and below")
    ax.axvline(120, color=color("muted"), ls=":", lw=1.2)
    ax.plot(degrees, numerator, color=color("query"), lw=2.2)
    ax.lines[-1].set_label("rotated above only")
    ax.set(xlim=(0, 180), ylim=(-8, 8), xticks=range(0, 181, 30))
    ax.set_yticks(range(-8, 9, choose(2, 4)))
    ax.set_xlabel("angle of the two other keys (degrees)")
    ax.set_ylabel("weight of the own value")
    above: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    ax.legend(fontsize=10, **choose({"loc": "lower left"}, above))
    return ax
