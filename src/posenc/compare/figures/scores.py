"""Scores of every method on the same words: the code of the chapters, side by side.

A method is a function from an `Example` to its matrix of scores, divided by the root
of the head's features, before mask and softmax. What position changes is that matrix
minus the one of no encoding.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from jaxtyping import Float

from posenc import (
    alibi,
    convolutional,
    music_transformer,
    rope,
    shaw,
    sinusoidal,
    swin,
    t5,
)
from posenc.cape import augmented_positions
from posenc.compare import METHODS

from .examples import EXAMPLES, Example

Matrix = Float[np.ndarray, "q_len k_len"]


def of_inputs(e: Example, x: Any) -> Matrix:
    """Return the scores of inputs that something was added to."""
    return (x @ e.w_q) @ (x @ e.w_k).T / e.root


def _none(e: Example) -> Matrix:
    return of_inputs(e, e.x)


def _learned(e: Example) -> Matrix:
    return of_inputs(e, e.x + e.learned["table"])


def _sinusoidal(e: Example) -> Matrix:
    return of_inputs(e, e.x + sinusoidal.sinusoidal_table(e.length, e.x.shape[-1]))


def _shaw(e: Example) -> Matrix:
    return shaw.attention_scores(e.q, e.k, e.learned["key_table"]) / e.root


def _music_transformer(e: Example) -> Matrix:
    table = e.learned["offsets"]
    return music_transformer.attention_scores(e.q, e.k, table, causal=False) / e.root


def _transformer_xl(e: Example) -> Matrix:
    # Both sides, as in XLNet: one vector for each offset, which is minus the distance.
    distances = np.arange(e.length - 1.0, -e.length, -1)
    sines = sinusoidal.sinusoidal_encoding(distances, e.x.shape[-1], layout="half")
    r, u, v = sines @ e.learned["projection"], e.learned["u"], e.learned["v"]
    position = music_transformer.position_scores(e.q + v, r, causal=False)
    return ((e.q + u) @ e.k.T + position) / e.root


def _t5(e: Example) -> Matrix:
    size = e.length, e.length
    bias = t5.relative_position_bias(
        e.learned["buckets"], *size, max_distance=e.max_distance
    )
    return _none(e) + bias[0]


def _swin(e: Example) -> Matrix:
    return _none(e) + swin.relative_position_bias(e.learned["window"], 1, e.length)[0]


def _alibi(e: Example) -> Matrix:
    # The bias is proportional to the slope, and a single head has slope 1/256.
    bias = alibi.alibi_bias(1, e.length, e.length, symmetric=True)[0]
    return _none(e) + bias * 256 * e.slope


def _rope(e: Example) -> Matrix:
    angles = rope.rotary_angles(np.arange(float(e.length)), e.x.shape[-1])
    q, k = (rope.apply_rotary(rows, angles) for rows in (e.q, e.k))
    return q @ k.T / e.root


def _convolutional(e: Example) -> Matrix:
    encoding = convolutional.convolutional_encoding(
        e.x[None], e.learned["taps"], np.zeros(e.x.shape[-1]), groups=e.groups
    )
    return of_inputs(e, e.x + encoding[0])


def _cape(e: Example) -> Matrix:
    # After training nothing is drawn, and positions are counted from the middle.
    positions = augmented_positions(
        np.arange(float(e.length)),
        max_global_shift=0.0,
        max_local_shift=0.0,
        max_scale=1.0,
        rng=np.random.default_rng(0),
    )
    return of_inputs(e, e.x + sinusoidal.sinusoidal_encoding(positions, e.x.shape[-1]))


#: Scores of each method, by its name, in the order of the comparison.
SCORES: dict[str, Callable[[Example], Matrix]] = {
    "none": _none,
    "learned": _learned,
    "sinusoidal": _sinusoidal,
    "shaw": _shaw,
    "music_transformer": _music_transformer,
    "transformer_xl": _transformer_xl,
    "t5": _t5,
    "swin": _swin,
    "alibi": _alibi,
    "rope": _rope,
    "convolutional": _convolutional,
    "cape": _cape,
}


TITLES = {method.name: method.title for method in METHODS}


def all_scores(text: str) -> dict[str, Matrix]:
    """Return the scores of every method for one of `EXAMPLES`."""
    return {name: scores(EXAMPLES[text]) for name, scores in SCORES.items()}


def shown(text: str, view: str, *, causal: bool) -> dict[str, Matrix]:
    """Return the matrix of each method in one view; NaN where the mask hides a cell.

    Parameters
    ----------
    text : str
        One of `EXAMPLES`.
    view : {"change", "scores", "weights"}
        The change of the scores by position, the scores, or their softmax.
    causal : bool
        True if words see none that come later.
    """
    scores = all_scores(text)
    length = EXAMPLES[text].length
    hidden = np.triu(np.ones((length, length), bool), 1) & causal
    if view == "change":
        scores = {name: matrix - scores["none"] for name, matrix in scores.items()}
    if view != "weights":
        return {name: np.where(hidden, np.nan, m) for name, m in scores.items()}
    powers = {
        name: np.exp(np.where(hidden, -np.inf, matrix))
        for name, matrix in scores.items()
    }
    return {
        name: np.where(hidden, np.nan, p / p.sum(axis=1, keepdims=True))
        for name, p in powers.items()
    }
