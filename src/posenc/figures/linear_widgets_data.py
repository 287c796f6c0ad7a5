"""Numbers behind the widgets on linear attention: the lift, two orders, the state."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from posenc.linear_attention import (
    elu_plus_one,
    linear_attention_weights,
    polynomial_lift,
    recurrent_form,
)
from posenc.running_example import TOKENS, K, Q, V

#: The sentence of the running example, there and back: six tokens.
ORDER = (0, 1, 2, 2, 1, 0)
WORDS = tuple(TOKENS[i] for i in ORDER)

#: What the measured methods are called; a file may hold more of them, or fewer.
METHODS = {
    "softmax": "softmax, fused",
    "softmax_matrix": "softmax, L × L matrix",
    "linear": "linear, all keys",
    "linear_causal": "linear, causal",
    "alibi_decay": "linear, ALiBi as decay",
    "toeplitz_fft": "linear, any bias by FFT",
}


def ellipse_plane(
    long: float = 1.2, short: float = 0.6, degrees: float = 30.0
) -> Float[np.ndarray, " 3"]:
    """Normal n of the plane n · φ(x) = 1 that cuts an ellipse out of the lifted plane.

    Parameters
    ----------
    long, short : float
        Half axes of the ellipse.
    degrees : float
        Angle of the long one.
    """
    turn = math.radians(degrees)
    axes = np.asarray(
        [[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]
    )
    form = axes.T @ np.diag([long**-2, short**-2]) @ axes
    return np.asarray([form[0, 0], math.sqrt(2) * form[0, 1], form[1, 1]])


def cloud(each: int = 24, *, seed: int = 105) -> Float[np.ndarray, "{2*each} 2"]:
    """Points of the plane: `each` inside the ellipse, then as many outside of it."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1.45, 1.45, (2000, 2)).round(2)
    side = polynomial_lift(points) @ ellipse_plane()
    near = np.hypot(*points.T) < 1.45  # or the lifted ones stand far above the others
    return np.concatenate(
        [points[side < 0.85][:each], points[near & (side > 1.2)][:each]]
    )


def project(
    lifted: Float[np.ndarray, "n 3"], azimuth: float, elevation: float
) -> Float[np.ndarray, "n 3"]:
    """Lifted points as a viewer sees them: right, up, and away from the eye.

    The axis of the cone stands upright: height is the squared length of the point
    before the lift, over the root of 2.
    """
    around, up = math.radians(azimuth), math.radians(elevation)
    a, b, c = lifted.T
    x, height = (a - c) / math.sqrt(2), (a + c) / math.sqrt(2)
    right = x * math.cos(around) - b * math.sin(around)
    away = x * math.sin(around) + b * math.cos(around)
    return np.stack(
        [
            right,
            height * math.cos(up) + away * math.sin(up),
            away * math.cos(up) - height * math.sin(up),
        ],
        axis=-1,
    )


def multiplications(seq_len: int, head_dim: int) -> tuple[int, int]:
    """Multiplications of (φ(Q) φ(K)ᵀ) V and of φ(Q) (φ(K)ᵀ V), with d features."""
    return 2 * seq_len**2 * head_dim, 2 * seq_len * head_dim**2


def numbers_between(seq_len: int, head_dim: int) -> tuple[int, int]:
    """Numbers of the product in the brackets, in both orders."""
    return seq_len**2, head_dim**2


@dataclass(frozen=True)
class StateStep:
    """One step of the causal sums, and the same output by weights.

    ``decayed``, ``added`` and ``state`` have shape (r, E + 1): S with z as its last
    column.
    """

    decayed: Float[np.ndarray, "r 5"]
    added: Float[np.ndarray, "r 5"]
    state: Float[np.ndarray, "r 5"]
    weights: Float[np.ndarray, " tokens"]
    output: Float[np.ndarray, " 4"]


def tokens() -> dict[str, Any]:
    """Features of queries and keys, and the values, of the six tokens."""
    rows = list(ORDER)
    return {
        "phi_q": elu_plus_one(Q)[rows],
        "phi_k": elu_plus_one(K)[rows],
        "v": V[rows],
    }


def state_step(t: int, slope: float) -> StateStep:
    """State after token `t` with a decay of e^(-slope) per token."""
    rows, decay = list(ORDER), math.exp(-slope)
    phi_k, values = tokens()["phi_k"], tokens()["v"]
    extended = np.concatenate([values, np.ones((len(rows), 1))], axis=1)
    decayed = sum(
        (decay ** (t - j) * np.outer(phi_k[j], extended[j]) for j in range(t)),
        start=np.zeros((phi_k.shape[1], extended.shape[1])),
    )
    added = np.outer(phi_k[t], extended[t])
    q, k = Q[rows], K[rows]
    weights = linear_attention_weights(q, k, causal=True, decay=decay)[t]
    output = recurrent_form(q, k, values, decay=decay)[t]
    return StateStep(decayed, added, decayed + added, weights, output)
