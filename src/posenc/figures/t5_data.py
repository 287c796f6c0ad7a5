"""What the figures of the chapter on T5 and its widget share: colors and values."""

import numpy as np
from jaxtyping import Float

from posenc import t5

#: matplotlib's color tables for bucket numbers and for biases.
BUCKET_COLORS = "viridis"
BIAS_COLORS = "coolwarm"

#: Bucket, first and last relative position; the outer ends are infinite.
Step = tuple[int, int | float, int | float]


def example_bias(
    num_buckets: int, *, bidirectional: bool = True, seed: int = 7
) -> Float[np.ndarray, " {num_buckets}"]:
    """Biases of one head, made up: they only look like those of a trained T5.

    High for near keys, lower with every bucket, a little uneven, and not the same in
    both directions. A bucket that no pair of tokens uses gets no gradient, so it keeps
    the small value it was initialized with.

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


def bucket_steps(
    *, num_buckets: int, max_distance: int, bidirectional: bool = True
) -> tuple[list[Step], list[tuple[int, float]]]:
    """Range of relative positions of each bucket, and the buckets that have none.

    Parameters
    ----------
    num_buckets, max_distance, bidirectional
        As in `posenc.t5.bucket_starts`.

    Returns
    -------
    steps : list of (bucket, first, last)
        In the order of relative positions; ends without limit are infinite.
    empty : list of (bucket, where)
        Buckets without a relative position, with the edge at which they would lie.

    Examples
    --------
    >>> bucket_steps(num_buckets=4, max_distance=8)[0]
    [(1, -inf, -1), (0, 0, 0), (3, 1, inf)]
    """
    starts = t5.bucket_starts(
        bidirectional=bidirectional, num_buckets=num_buckets, max_distance=max_distance
    ).tolist()
    ends = [*(start - 1 for start in starts[1:]), np.inf]
    steps: list[Step] = []
    empty: list[tuple[int, float]] = []
    for bucket, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if end < start:
            empty.append((bucket, 0.5 - start))
        else:
            steps.insert(0, (bucket, -end, -start))
    if bidirectional:
        half = num_buckets // 2
        empty += [(half + bucket, -at) for bucket, at in empty] + [(half, 0.5)]
        after = [(half + b, -last, -first) for b, first, last in steps if b]
        steps += after[::-1]
    return steps, sorted(empty)
