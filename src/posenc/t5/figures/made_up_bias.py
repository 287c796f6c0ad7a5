"""Biases of one head, made up, and their colors."""

import numpy as np
from jaxtyping import Float

BIAS_COLORS = "coolwarm"


def example_bias(
    num_buckets: int, *, bidirectional: bool = True, seed: int = 7
) -> Float[np.ndarray, " {num_buckets}"]:
    """Biases of one head, made up: no model was trained for them.

    High for near keys, lower with every bucket, a little uneven, and not the same in
    both directions. The bucket that no pair of tokens uses has a small random value.

    Parameters
    ----------
    num_buckets : int
        Buckets in all.
    bidirectional : bool, default True
        Whether the second half of the buckets is for keys after the query.
    seed : int, default 7
        Of the unevenness.

    Returns
    -------
    float64 array of shape (num_buckets,)
        One scalar per bucket, rounded to two decimals.
    """
    side = num_buckets // 2 if bidirectional else num_buckets
    rng = np.random.default_rng(seed)
    noise = rng.normal(scale=0.22, size=num_buckets)
    far = np.arange(side) / max(side - 1, 1)  # 0 at the query, 1 in the last bucket
    bias = 2.6 * np.exp(-3.0 * far) - 2.4 * far
    if bidirectional:
        after = 1.8 * np.exp(-3.2 * far) - 2.0 * far**1.5
        after[0] = 0.0  # distance 0 belongs to the other half
        bias = np.concatenate([bias, after])
    return np.round(bias + noise, 2)
