"""Bias and weights of one head for equal scores, beside those of a learned bias."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from posenc import t5
from posenc.alibi import alibi_slopes
from posenc.t5.figures import HEAD, mpnet_bias

#: Distance at which the last bucket of the learned bias begins.
LAST_BUCKET = int(t5.bucket_starts()[-1])

#: Shares of the weight whose reach is marked.
SHARES = (0.5, 0.9, 0.99)


class HeadView(NamedTuple):
    """What one query sees of position: its own head's bias, and MPNet's.

    `offsets` are the relative positions of its keys; the weights are the softmax of the
    biases alone, so all scores are taken to be equal.
    """

    offsets: Int[np.ndarray, " k_len"]
    bias: Float[np.ndarray, " k_len"]
    weights: Float[np.ndarray, " k_len"]
    t5_bias: Float[np.ndarray, " k_len"]
    t5_weights: Float[np.ndarray, " k_len"]


def head_view(
    num_heads: int, head: int, length: int, *, causal: bool = True
) -> HeadView:
    """Biases and weights of one query: the last one, or that in the middle.

    Parameters
    ----------
    num_heads, head : int
        Heads in all, and the one to look at, counted from 1 as in the slopes.
    length : int
        Tokens of the sequence.
    causal : bool, default True
        Whether the query is the last one and looks back, or the middle one and looks
        both ways, with -m |i - j|.
    """
    slope = float(alibi_slopes(num_heads)[head - 1])
    query = length - 1 if causal else length // 2
    offsets = np.arange(length) - query
    bias = -slope * np.abs(offsets)
    learned = learned_bias(offsets)
    return HeadView(offsets, bias, prior(bias), learned, prior(learned))


def learned_bias(
    relative_position: Int[np.ndarray, "..."],
) -> Float[np.ndarray, "..."]:
    """Bias that head 7 of MPNet learned, of T5's kind (`posenc.t5.figures.HEAD`).

    Parameters
    ----------
    relative_position : integer array
        Key minus query.
    """
    return mpnet_bias()[t5.relative_position_bucket(relative_position), HEAD]


def prior(bias: Float[np.ndarray, " k_len"]) -> Float[np.ndarray, " k_len"]:
    """Weights of a query whose scores are all equal: the softmax of the bias."""
    weights = np.exp(bias - bias.max())
    return weights / weights.sum()


def measured_reach(
    weights: Float[np.ndarray, " k_len"],
    offsets: Int[np.ndarray, " k_len"],
    share: float,
) -> int:
    """Smallest distance whose keys hold `share` of the weights, by adding them up.

    Parameters
    ----------
    weights : float array of shape (k_len,)
        They sum to 1.
    offsets : integer array of shape (k_len,)
        Relative position of each.
    share : float
        Above 0 and below 1.
    """
    held = np.bincount(np.abs(offsets), weights=weights).cumsum()
    return int(np.argmax(held >= share))
