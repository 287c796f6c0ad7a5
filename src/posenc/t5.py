r"""T5's relative position bias: buckets of distances, one learned scalar per head.

Companion of ``book/t5.md``. The relative position :math:`r = \text{key} - \text{query}`
is mapped to one of a few buckets: near distances have a bucket each, far ones share,
in steps that grow like a geometric progression. A table gives each bucket one scalar
per head, which is added to the attention score before the softmax.

Axis names: ``q_len`` = Q, ``k_len`` = K, ``num_heads`` = H.

References
----------
Raffel et al. (2020), Exploring the Limits of Transfer Learning with a Unified
Text-to-Text Transformer, https://arxiv.org/abs/1910.10683, sec. 2.1. The rule itself is
in no equation of the paper; it is that of the authors' code,
``mesh_tensorflow/transformer/transformer_layers.py``, ``_relative_position_bucket``.
"""

from typing import Any

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Int

from ._arrays import relative_positions, toeplitz
from ._checks import check_even, check_floating, check_int, check_integral, check_shape


def bucket_starts(
    *,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
    xp: Any = np,
    device: Any = None,
) -> Int[Any, " buckets_per_side"]:
    r"""First distance of each bucket of one direction.

    With B buckets for the direction, the first :math:`E = \lfloor B/2 \rfloor` hold one
    distance each. Bucket :math:`E + t`, with :math:`t = 0, \dots, m - 1` and
    :math:`m = B - E`, begins at the smallest distance n for which

    .. math:: E + \Bigl\lfloor m\,\frac{\log(n/E)}{\log(M/E)} \Bigr\rfloor \ge E + t
        \quad\Longleftrightarrow\quad n^m E^t \ge M^t E^m ,

    M being `max_distance`. The right-hand side is a comparison of whole numbers, so no
    rounding can move an edge.

    Parameters
    ----------
    bidirectional : bool, default True
        Whether the buckets are shared out between two directions (half for each).
    num_buckets : int, default 32
        Buckets in all. Even and at least 4 if bidirectional, else at least 2.
    max_distance : int, default 128
        Distance, in tokens, at which the logarithmic scale would reach the bucket after
        the last; larger than the exact range E.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    int64 array of shape (B,)
        Never decreasing. Bucket b holds the distances from ``starts[b]`` to
        ``starts[b + 1] - 1``; if these two are equal it is empty. The last bucket has
        no upper end.

    Raises
    ------
    TypeError, ValueError
        If the setting admits no buckets: see the parameters.

    Examples
    --------
    >>> bucket_starts()
    array([ 0,  1,  2,  3,  4,  5,  6,  7,  8, 12, 16, 23, 32, 46, 64, 91])
    """
    side = _buckets_per_side(bidirectional, num_buckets)
    exact = side // 2
    check_int(
        "max_distance",
        max_distance,
        minimum=exact + 1,
        remedy=f"with num_buckets={num_buckets} the distances below {exact} have a "
        "bucket each, and the logarithmic ones need room beyond them",
    )
    m = side - exact
    starts = list(range(exact))
    for t in range(m):
        low, high = exact, max_distance  # halve the range: n**m never decreases with n
        while low < high:
            n = (low + high) // 2
            if n**m * exact**t < max_distance**t * exact**m:
                low = n + 1
            else:
                high = n
        starts.append(low)
    return xp.asarray(starts, dtype=xp.int64, device=device)


def relative_position_bucket(
    relative_position: Int[Any, "..."],
    *,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> Int[Any, "..."]:
    """Bucket of each relative position.

    Parameters
    ----------
    relative_position : integer array of any shape
        Key position minus query position, in tokens.
    bidirectional : bool, default True
        If True (encoder), keys at or before the query use buckets 0 … B - 1 and keys
        after it B … 2B - 1, with B = num_buckets / 2. If False (causal decoder), all
        buckets are for keys at or before the query, and keys after it fall into
        bucket 0, where a causal mask must hide them.
    num_buckets, max_distance
        As in `bucket_starts`.

    Returns
    -------
    int64 array of the same shape
        Bucket numbers in 0 … num_buckets - 1, on the device of `relative_position`.

    Raises
    ------
    TypeError
        If `relative_position` does not hold integers.
    TypeError, ValueError
        As in `bucket_starts`.

    Notes
    -----
    If bidirectional, bucket B is never used: it would hold keys *after* the query at
    distance 0, and there are none.

    Examples
    --------
    >>> relative_position_bucket(np.asarray([-200, -91, -90, -1, 0, 1, 90, 91]))
    array([15, 15, 14,  1,  0, 17, 30, 31])
    """
    check_integral("relative_position", relative_position)
    xp = array_namespace(relative_position)
    starts = bucket_starts(
        bidirectional=bidirectional,
        num_buckets=num_buckets,
        max_distance=max_distance,
        xp=xp,
        device=device_of(relative_position),
    )
    # Beyond max_distance nothing changes, so clip: abs of the smallest int64 overflows.
    r = xp.clip(
        xp.astype(relative_position, xp.int64), min=-max_distance, max=max_distance
    )
    distance = xp.abs(r) if bidirectional else xp.where(r < 0, -r, 0)
    # The last bucket that begins at or before the distance; empty ones are skipped.
    flat = xp.searchsorted(starts, xp.reshape(distance, (-1,)), side="right") - 1
    bucket = xp.reshape(flat, distance.shape)
    if bidirectional:
        bucket = xp.where(r > 0, bucket + num_buckets // 2, bucket)
    return bucket


def relative_position_bias(
    table: Float[Any, "num_buckets num_heads"],
    q_len: int,
    k_len: int,
    *,
    bidirectional: bool = True,
    max_distance: int = 128,
    q_offset: int = 0,
) -> Float[Any, "num_heads {q_len} {k_len}"]:
    """Bias of every query and key, to be added to the scores of each head.

    Only q_len + k_len - 1 relative positions are distinct: look these up, then lay them
    along the diagonals. `relative_position_bias_full` does the same the plain way.

    Parameters
    ----------
    table : array of shape (num_buckets, num_heads)
        Learned scalars. Its first axis gives the number of buckets.
    q_len, k_len : int
        Numbers of queries and keys.
    bidirectional, max_distance
        As in `bucket_starts`.
    q_offset : int, default 0
        Position of the first query; keys begin at 0. For decoding with a cache of past
        keys this is ``k_len - q_len``.

    Returns
    -------
    array of shape (num_heads, q_len, k_len)
        With the namespace, dtype and device of `table`; gradients flow back to it.

    Raises
    ------
    TypeError, ValueError
        If `table` is not a two-dimensional array of floating-point numbers, a length or
        the offset is not an integer at or above 0, or as in `bucket_starts`.

    Examples
    --------
    >>> table = np.arange(8.0)[:, None]
    >>> relative_position_bias(table, 2, 4, bidirectional=False, q_offset=2)
    array([[[2., 1., 0., 0.],
            [3., 2., 1., 0.]]])
    """
    _check_bias_arguments(table, q_len, k_len, q_offset)
    xp = array_namespace(table)
    first = -(q_offset + q_len - 1)  # the last query looking at the first key
    count = max(q_len + k_len - 1, 0)
    offsets = xp.arange(first, first + count, dtype=xp.int64, device=device_of(table))
    values = _look_up(table, offsets, bidirectional, max_distance)  # (Q + K - 1, H)
    return toeplitz(values.T, q_len, k_len)


def relative_position_bias_full(
    table: Float[Any, "num_buckets num_heads"],
    q_len: int,
    k_len: int,
    *,
    bidirectional: bool = True,
    max_distance: int = 128,
    q_offset: int = 0,
) -> Float[Any, "num_heads {q_len} {k_len}"]:
    """`relative_position_bias` the plain way: a bucket for each of the Q x K pairs."""
    _check_bias_arguments(table, q_len, k_len, q_offset)
    xp = array_namespace(table)
    offsets = relative_positions(
        q_len, k_len, q_offset=q_offset, xp=xp, device=device_of(table)
    )
    values = _look_up(table, offsets, bidirectional, max_distance)  # (Q, K, H)
    return xp.permute_dims(values, (2, 0, 1))


def _look_up(table: Any, offsets: Any, bidirectional: bool, max_distance: int) -> Any:
    """Row of `table` for each relative position: shape (*offsets.shape, num_heads)."""
    xp = array_namespace(table)
    buckets = relative_position_bucket(
        offsets,
        bidirectional=bidirectional,
        num_buckets=table.shape[0],
        max_distance=max_distance,
    )
    rows = xp.take(table, xp.reshape(buckets, (-1,)), axis=0)
    return xp.reshape(rows, (*offsets.shape, table.shape[1]))


def _buckets_per_side(bidirectional: bool, num_buckets: int) -> int:
    if not bidirectional:
        check_int("num_buckets", num_buckets, minimum=2, remedy="raise it")
        return num_buckets
    check_even(
        "num_buckets",
        num_buckets,
        minimum=4,
        remedy="bidirectional buckets are halved between the two directions; "
        "raise it to the next even number, or set bidirectional=False",
    )
    return num_buckets // 2


def _check_bias_arguments(table: Any, q_len: int, k_len: int, q_offset: int) -> None:
    check_floating("table", table)
    if table.ndim != 2:
        check_shape("table", table, ("num_buckets", "num_heads"))
        msg = (
            "table must have exactly two axes, (num_buckets, num_heads), "
            f"got shape {tuple(table.shape)}"
        )
        raise ValueError(msg)
    check_int("q_len", q_len)
    check_int("k_len", k_len)
    check_int(
        "q_offset", q_offset, remedy="it is k_len - q_len when decoding with a cache"
    )
