"""What the figures of the chapter on linear attention show, computed by posenc."""

from functools import partial
from typing import Any

import numpy as np

from posenc.attention import attention_weights
from posenc.linear_attention import (
    elu_plus_one,
    linear_attention,
    linear_attention_weights,
    orthogonal_projection,
    polynomial_lift,
    positive_random_features,
)
from posenc.rope import rotary_angles

#: Factors of the queries: how much the scores differ, and so how sharp softmax is.
SHARPNESS = (0.25, 0.5, 1.0, 2.0, 4.0)
RANDOM_FEATURES = (64, 1024)


def quality(head_dim: int, *, seq_len: int = 256, seed: int = 0) -> dict[str, Any]:
    """Mean distance of rows of weights from those of softmax, for every sharpness.

    The distance of two rows is half the sum of their absolute differences: the share of
    the weight that lies in another place, from 0 to 1. Queries and keys are standard
    normal; the scores of softmax are multiplied by the sharpness.

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
    found: dict[str, list[float]] = {name: [] for name in maps}
    for sharpness in SHARPNESS:
        a, b = q * sharpness**0.5, k * sharpness**0.5
        softmax = attention_weights(a, b)
        for name, feature_map in maps.items():
            shrink = head_dim**-0.25 if "random" in name else 1.0
            weights = linear_attention_weights(
                shrink * a, shrink * b, feature_map=feature_map
            )
            distances = 0.5 * np.abs(weights - softmax).sum(-1)
            found[name].append(float(distances.mean()))
    return {"sharpness": SHARPNESS, **found}


PAIRS = (4, 8, 16, 32, 64, 128, 256, 512)


def recall(head_dim: int = 16, *, tries: int = 5) -> dict[str, Any]:
    """Share of the signs that come back when every key asks for its own value.

    Keys are standard normal, each value a vector of random signs. Guessing gives 1/2.

    Parameters
    ----------
    head_dim : int, default 16
        Features of keys and of values.
    tries : int, default 5
        Random draws that are averaged.
    """
    found: dict[str, list[float]] = {"softmax": [], "lift": [], "elu": []}
    for pairs in PAIRS:
        shares: dict[str, list[float]] = {name: [] for name in found}
        for seed in range(tries):
            rng = np.random.default_rng(seed)
            k = rng.normal(size=(pairs, head_dim))
            v = rng.choice([-1.0, 1.0], size=(pairs, head_dim))
            answers = {
                "softmax": attention_weights(k, k) @ v,
                "lift": linear_attention(k, k, v, feature_map=polynomial_lift),
                "elu": linear_attention(k, k, v),
            }
            for name, out in answers.items():
                shares[name].append(float((np.sign(out) == v).mean()))
        for name, values in shares.items():
            found[name].append(float(np.mean(values)))
    return {"pairs": PAIRS, **found}


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
