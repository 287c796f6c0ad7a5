"""Buckets of distances: where they begin, and which one a distance falls into."""

import operator
from functools import cache
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_torch_array
from array_api_compat import device as device_of
from jaxtyping import Int

from posenc.core.checks import (
    as_int64,
    check_even,
    check_flag,
    check_int,
    check_integral,
)
from posenc.core.dtypes import integer_namespace, is_exported, is_plain, is_traced


def bucket_starts(
    *,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
    xp: Any = np,
    device: Any = None,
) -> Int[Any, " buckets_per_side"]:
    r"""Return the first distance of each bucket of one direction.

    With B buckets for the direction, the first :math:`E = \lfloor B/2 \rfloor` hold one
    distance each. Bucket :math:`E + t`, with :math:`t = 0, \dots, m - 1` and
    :math:`m = B - E`, begins at the smallest distance n for which

    .. math:: & E + \Bigl\lfloor m\,\frac{\log(n/E)}{\log(M/E)} \Bigr\rfloor
        \ge E + t \\ & \quad\Longleftrightarrow\quad n^m E^t \ge M^t E^m ,

    M being `max_distance`. The right-hand side is a comparison of whole numbers, so no
    rounding can move an edge.

    Parameters
    ----------
    bidirectional : bool, default True
        True if two directions have half of the buckets each.
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
    setting = _checked(bidirectional, num_buckets, max_distance)
    xp = integer_namespace(xp, device)
    return xp.asarray(_starts(*setting), dtype=xp.int64, device=device)


def _checked(
    bidirectional: bool, num_buckets: int, max_distance: int
) -> tuple[int, int]:
    """Return the number of buckets of one direction, and the maximum distance."""
    side = _buckets_per_side(bidirectional, num_buckets)
    exact = side // 2
    remedy = (
        f"with num_buckets={num_buckets} the distances below {exact} have a "
        "bucket each, and the logarithmic ones need room beyond them"
    )
    return side, check_int(
        "max_distance", max_distance, minimum=exact + 1, below=2**53, remedy=remedy
    )


@cache
def _starts(side: int, max_distance: int) -> list[int]:
    """Return the first distance of each of `side` buckets."""
    exact = side // 2
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
    return starts


def _starts_beside(relative_position: Any, setting: tuple[int, int]) -> Any:
    """Return `_starts` as an array where `relative_position` lies."""
    xp, device = array_namespace(relative_position), device_of(relative_position)
    if (
        is_torch_array(relative_position)
        and is_plain(relative_position)
        and not is_traced(relative_position)
    ):
        return _starts_on(*setting, device)
    return xp.asarray(_starts(*setting), dtype=xp.int64, device=device)


@cache
def _starts_on(side: int, max_distance: int, device: Any) -> Any:
    """Return `_starts` on a device, once for each, since copies to a GPU cost time."""
    import torch

    return torch.asarray(_starts(side, max_distance), dtype=torch.int64, device=device)


def relative_position_bucket(
    relative_position: Int[Any, "..."],
    *,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> Int[Any, "..."]:
    """Return the bucket of each relative position.

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
    TypeError, ValueError
        If `relative_position` does not hold integers below 2^63, or as in
        `bucket_starts`.

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
    setting = _checked(bidirectional, num_buckets, max_distance)
    starts = _starts_beside(relative_position, setting)
    num_buckets = operator.index(num_buckets)  # checked by now
    max_distance = operator.index(max_distance)
    # Beyond max_distance nothing changes, so clip: abs of the smallest int64 overflows.
    r = as_int64("relative_position", relative_position)
    r = xp.clip(r, min=-max_distance, max=max_distance)
    distance = xp.abs(r) if bidirectional else xp.where(r < 0, -r, 0)
    # The last bucket that begins at or before the distance; empty ones are skipped.
    if is_exported(distance):  # ONNX has no search
        bucket = xp.sum(xp.astype(distance[..., None] >= starts, xp.int64), axis=-1) - 1
    else:
        flat = xp.searchsorted(starts, xp.reshape(distance, (-1,)), side="right") - 1
        bucket = xp.reshape(flat, distance.shape)
    if bidirectional:
        bucket = xp.where(r > 0, bucket + num_buckets // 2, bucket)
    return bucket


def _buckets_per_side(bidirectional: bool, num_buckets: int) -> int:
    check_flag("bidirectional", bidirectional)
    if not bidirectional:
        return check_int("num_buckets", num_buckets, minimum=2, remedy="raise it")
    num_buckets = check_even(
        "num_buckets",
        num_buckets,
        minimum=4,
        remedy="bidirectional buckets are halved between the two directions; "
        "raise it to the next even number, or set bidirectional=False",
    )
    return num_buckets // 2
