"""Words with their vectors, and the numbers that every method would have learned."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc.core import running_example

#: Eleven words with repetitions, since equal words without positions have equal rows.
SENTENCE = "the dog saw the man and the man saw the dog"


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
        Setting of T5, and of the convolution.
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


def drawn(
    words: tuple[str, ...], d: int = 8, *, seed: int = 22, max_distance: int = 8
) -> Example:
    """Return an example with random numbers, where equal words have equal vectors.

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
        Seed of the random numbers; maximal distance of T5's 8 buckets.
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
    """Return the running example, with the numbers of each method's chapter."""
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
