"""Scores of every method on the same words: the code of the chapters, side by side.

A method is a function from an `Example` to its matrix of scores, divided by the root
of the head's features, before mask and softmax. What position changes is that matrix
minus the one of no encoding.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from posenc import (
    alibi,
    convolutional,
    music_transformer,
    rope,
    running_example,
    shaw,
    sinusoidal,
    swin,
    t5,
)
from posenc.cape import augmented_positions
from posenc.comparison import METHODS

#: matplotlib's color tables for scores and their changes, and for weights.
SCORE_COLORS = "coolwarm"
WEIGHT_COLORS = "viridis"

#: Eleven words with repetitions: without positions equal words have equal rows.
SENTENCE = "the dog saw the man and the man saw the dog"

Matrix = Float[np.ndarray, "q_len k_len"]


@dataclass(frozen=True)
class Example:
    """Words with their vectors, and the learned numbers of every method.

    Attributes
    ----------
    words : tuple of str
        The text.
    x, w_q, w_k : float64 arrays of shape (seq_len, d), (d, d), (d, d)
        Embeddings and projections.
    slope : float
        Slope of ALiBi's head.
    learned : dict of str to arrays
        ``"table"`` (seq_len, d); ``"key_table"`` (2k + 1, d); ``"offsets"``, two-sided
        (2 seq_len - 1, d); ``"projection"`` (d, d), ``"u"`` and ``"v"`` (d,);
        ``"buckets"`` (b, 1); ``"window"`` (2 seq_len - 1, 1); ``"taps"``
        (d, d / groups, kernel).
    max_distance, groups : int
        Of T5, and of the convolution.
    """

    words: tuple[str, ...]
    x: Any
    w_q: Any
    w_k: Any
    slope: float
    learned: dict[str, Any]
    max_distance: int
    groups: int

    @property
    def length(self) -> int:
        """Number of words."""
        return len(self.words)

    @property
    def root(self) -> float:
        """Square root of the features."""
        return math.sqrt(self.x.shape[-1])

    @property
    def q(self) -> Any:
        """Queries of the bare words."""
        return self.x @ self.w_q

    @property
    def k(self) -> Any:
        """Keys of the bare words."""
        return self.x @ self.w_k


def of_inputs(e: Example, x: Any) -> Matrix:
    """Scores of inputs that something was added to."""
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
    said = convolutional.convolutional_encoding(
        e.x[None], e.learned["taps"], np.zeros(e.x.shape[-1]), groups=e.groups
    )
    return of_inputs(e, e.x + said[0])


def _cape(e: Example) -> Matrix:
    # As after training: nothing is drawn, positions are counted from the middle.
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


def drawn(
    words: tuple[str, ...], d: int = 8, *, seed: int = 22, max_distance: int = 8
) -> Example:
    """Example whose numbers are drawn: equal words get equal vectors.

    Embeddings, projections and tables are normally distributed, scaled so that no
    method drowns the words. The biases of T5 and Swin begin high and fall with the
    distance, as trained ones often do; the one for keys to come falls faster.

    Parameters
    ----------
    words : tuple of str
        The text.
    d : int, default 8
        Features; a multiple of 4.
    seed, max_distance : int
        Of the random numbers; of T5's 8 buckets.
    """
    rng, length = np.random.default_rng(seed), len(words)
    vectors = {word: rng.normal(size=d) * 0.9 for word in dict.fromkeys(words)}
    scales = {
        "table": (0.5, (length, d)),
        "key_table": (1.4, (7, d)),
        "offsets": (1.4, (2 * length - 1, d)),
        "projection": (1 / math.sqrt(d), (d, d)),
        "u": (0.5, (d,)),
        "v": (0.5, (d,)),
        "taps": (0.3, (d, d // 2, 3)),
    }
    learned = {key: rng.normal(size=shape) * s for key, (s, shape) in scales.items()}
    falling = 1.5 - 0.33 * np.arange(float(length))
    window = np.concatenate([0.5 - 1.3 * (1.5 - falling)[:0:-1], falling])
    window += rng.normal(size=window.shape) * 0.25
    near = np.asarray([1.0, 1.6, 0.2, -1.2])  # own, one, two or three, farther
    learned["buckets"] = np.concatenate([near, near - [1.0, 0.9, 1.1, 1.3]])[:, None]
    learned["window"] = window[:, None]  # query minus key: those before have the end
    return Example(
        words=words,
        x=np.stack([vectors[word] for word in words]),
        w_q=rng.normal(size=(d, d)) / math.sqrt(d),
        w_k=rng.normal(size=(d, d)) / math.sqrt(d),
        slope=0.25,
        learned=learned,
        max_distance=max_distance,
        groups=2,
    )


def _running() -> Example:
    """The running example, with the numbers that the chapters give each method."""
    two_sided = [[2, 0, 0, 3], [4, 0, 1, 1], [2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 2]]
    taps = np.zeros((4, 2, 3))
    for channel in range(4):
        taps[channel, channel % 2, 0] = 1
        taps[channel, 1 - channel % 2, 2] = -1
    buckets = np.zeros((8, 1))
    buckets[[2, 1, 0, 5, 6], 0] = [-1, 2, 0, 1, -2]
    learned: dict[str, Any] = {
        "table": [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]],
        "key_table": [[0, 0, 2, 0], [0, 0, 0, 0], [-2, 0, 0, 0]],
        "offsets": two_sided,
        "projection": np.eye(4),
        "u": [0, 0, 0, 1],
        "v": [0, 0, 1, 0],
        "buckets": buckets,
        "window": [[-2], [1], [0], [2], [-1]],
        "taps": taps,
    }
    return Example(
        words=running_example.TOKENS,
        x=running_example.X,
        w_q=running_example.W_Q,
        w_k=running_example.W_K,
        slope=0.5,
        learned={name: np.asarray(v, dtype=float) for name, v in learned.items()},
        max_distance=16,
        groups=2,
    )


#: The texts of the page, by their words.
EXAMPLES = {
    " ".join(example.words): example
    for example in (_running(), drawn(tuple(SENTENCE.split())))
}


def all_scores(text: str) -> dict[str, Matrix]:
    """Scores of every method for one of `EXAMPLES`."""
    return {name: scores(EXAMPLES[text]) for name, scores in SCORES.items()}


def shown(text: str, view: str, *, causal: bool) -> dict[str, Matrix]:
    """Matrix of each method in one view; NaN where the mask hides a cell.

    Parameters
    ----------
    text : str
        One of `EXAMPLES`.
    view : {"change", "scores", "weights"}
        What position changes in the scores, the scores, or their softmax.
    causal : bool
        Whether words see none that come later.
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
