"""What the figures of the chapter on rotary embedding and its widgets share."""

import math
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from posenc import _angles, rope

#: Length and angle (degrees) of the query and of the key that turn in one plane.
QUERY, KEY = (1.0, 20), (0.8, 75)

#: Words of the four ways to set the speed of the planes.
METHODS = {
    "none": "as trained",
    "interpolation": "interpolation",
    "ntk": "NTK-aware",
    "yarn": "YaRN",
}
CONTENTS = {
    "ones": "all ones",
    "aligned": "q = k, at random",
    "random": "q and k at random",
}


class Planes(NamedTuple):
    """Planes of a head at one position, as trained and as they are used now.

    `angles` are what the hands show, in radians and not reduced; `seen` is how far each
    hand got in training, at most one round; `new` tells which hands point to where they
    never pointed then.
    """

    theta: Float[np.ndarray, " planes"]
    angles: Float[np.ndarray, " planes"]
    seen: Float[np.ndarray, " planes"]
    new: Any


def planes(
    head_dim: int,
    base: float,
    trained_len: int,
    *,
    method: str = "none",
    scale: float = 1.0,
    position: float = 0.0,
) -> Planes:
    """State of all planes of a head.

    Parameters
    ----------
    head_dim, base, trained_len
        As in `posenc.rope.scaled_frequencies`.
    method : str
        One of `METHODS`.
    scale, position : float
        Factor of the context, and the position (in tokens) of the hands.
    """
    theta = trained = _angles.frequencies(head_dim, base=base)
    if method != "none":
        theta = rope.scaled_frequencies(
            head_dim,
            scale=scale,
            method=method,  # type: ignore[arg-type]
            base=base,
            trained_len=trained_len,
        )
    seen = np.minimum(trained_len * trained, 2 * math.pi)
    angles = position * theta
    new = np.mod(angles, 2 * math.pi) > seen + 1e-9
    return Planes(theta, angles, seen, new)


def contents(name: str, head_dim: int) -> tuple[Any, Any]:
    """Query and key of one of `CONTENTS`; the random ones have the norm of the ones."""
    if name == "ones":
        return np.ones(head_dim), np.ones(head_dim)
    rng = np.random.default_rng(3)
    q, k = rng.normal(size=(2, head_dim))
    k = q if name == "aligned" else k
    root = math.sqrt(head_dim)
    return q * root / np.linalg.norm(q), k * root / np.linalg.norm(k)


def decay_curves(
    name: str, head_dim: int, base: float, last: int
) -> dict[str, Float[np.ndarray, " distances"]]:
    """Score, true bound and the paper's mean at the distances 0 … last."""
    q, k = contents(name, head_dim)
    distances = np.arange(last + 1.0)
    angles = rope.rotary_angles(distances, head_dim, base=base)
    turned = rope.apply_rotary(np.broadcast_to(q, (last + 1, head_dim)), angles)
    return {
        "score": turned @ k,
        "bound": rope.decay_bound(q, k, distances, base=base),
        "mean": rope.mean_partial_sum(distances, head_dim, base=base),
    }


def layout_scores(
    head_dim: int, *, trained: str, runs: str, permuted: bool, last: int
) -> Float[np.ndarray, " offsets"]:
    """Scores of one query and key at the relative positions -last … last.

    Their features are in the order of a model trained with the layout `trained`; code
    of the layout `runs` turns them, after the permutation if `permuted`.
    """
    rng = np.random.default_rng(5)
    q, k = np.round(rng.normal(size=(2, 1, head_dim)), 1)
    if trained == "half":  # the same model, its features in the other order
        order = rope.layout_permutation(head_dim, source="interleaved", target="half")
        q, k = q[:, order], k[:, order]
    if permuted:
        order = rope.layout_permutation(
            head_dim,
            source=trained,  # type: ignore[arg-type]
            target=runs,  # type: ignore[arg-type]
        )
        q, k = q[:, order], k[:, order]
    offsets = np.arange(-last, last + 1.0)
    keys = np.broadcast_to(k, (len(offsets), head_dim))
    angles = rope.rotary_angles(offsets, head_dim, base=100.0)
    turned = rope.apply_rotary(keys, angles, layout=runs)  # type: ignore[arg-type]
    return turned @ q[0]
