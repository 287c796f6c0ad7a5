"""Bias of every query and key, from a table with a row per bucket."""

from typing import Any

from array_api_compat import array_namespace, is_torch_array
from array_api_compat import device as device_of
from jaxtyping import Float, Integer

from posenc.core.arrays import relative_positions, toeplitz
from posenc.core.checks import (
    check_floating,
    check_int,
    check_lengths,
    check_namespace,
    check_shape,
    check_tensor,
)
from posenc.core.relative_positions import ScoreMod, offset_fn, positions_apart

from .buckets import relative_position_bucket


def relative_position_bias(
    table: Float[Any, "num_buckets num_heads"],
    q_len: int,
    k_len: int,
    *,
    bidirectional: bool = True,
    max_distance: int = 128,
    q_offset: int = 0,
) -> Float[Any, "num_heads {q_len} {k_len}"]:
    """Return the bias of every query and key, to be added to the scores of each head.

    Only q_len + k_len - 1 relative positions are distinct. Their values are looked up
    and laid along the diagonals. `relative_position_bias_full` needs no such trick.

    Parameters
    ----------
    table : array of shape (num_buckets, num_heads)
        Learned scalars. Its first axis gives the number of buckets. A transposed table,
        such as (12, 32), is read as 12 buckets of 32 heads without an error.
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
        With the namespace, dtype and device of `table`; gradients flow back to it. Give
        torch's fused attention four axes, ``attn_mask=bias[None]``: with three it
        leaves its fast path.

    Raises
    ------
    TypeError, ValueError
        If `table` is not a two-dimensional array of floating-point numbers, a length or
        the offset is not an integer at or above 0, or as in `bucket_starts`.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.arange(8.0)[:, None]
    >>> relative_position_bias(table, 2, 4, bidirectional=False, q_offset=2)
    array([[[2., 1., 0., 0.],
            [3., 2., 1., 0.]]])
    """
    q_len, k_len, q_offset = _check_bias_arguments(table, q_len, k_len, q_offset)
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
    """Return `relative_position_bias`, with a bucket for each of the Q x K pairs."""
    q_len, k_len, q_offset = _check_bias_arguments(table, q_len, k_len, q_offset)
    xp = array_namespace(table)
    offsets = relative_positions(
        q_len, k_len, q_offset=q_offset, xp=xp, device=device_of(table)
    )
    values = _look_up(table, offsets, bidirectional, max_distance)  # (Q, K, H)
    return xp.permute_dims(values, (2, 0, 1))


def relative_position_bias_at(
    table: Float[Any, "num_buckets num_heads"],
    q_positions: Integer[Any, "*#batch q_len"],
    k_positions: Integer[Any, "*#batch k_len"],
    *,
    bidirectional: bool = True,
    max_distance: int = 128,
) -> Float[Any, "*batch num_heads q_len k_len"]:
    """Return the bias at any positions, as in padded or packed batches.

    Parameters
    ----------
    table, bidirectional, max_distance
        As in `relative_position_bias`.
    q_positions, k_positions : integer arrays of shape (..., q_len) and (..., k_len)
        Position of every query and key. Keep tokens of packed documents apart by
        a mask, such as `posenc.attention.document_mask_mod`.

    Returns
    -------
    array of shape (..., num_heads, q_len, k_len)
        With the namespace, dtype and device of `table`; gradients flow back to it.

    Raises
    ------
    TypeError, ValueError
        As in `relative_position_bias`, or if positions are no integers below 2^53 or
        their leading axes do not broadcast.

    Examples
    --------
    Two documents of two tokens each, in one row:

    >>> import numpy as np
    >>> table, places = np.arange(8.0)[:, None], np.asarray([0, 1, 0, 1])
    >>> relative_position_bias_at(table, places[2:], places, bidirectional=False)
    array([[[0., 0., 0., 0.],
            [1., 0., 1., 0.]]])
    """
    _check_table(table)
    offsets = positions_apart(q_positions, k_positions)
    xp = check_namespace(table=table, q_positions=q_positions)
    values = _look_up(table, offsets, bidirectional, max_distance)  # (..., Q, K, H)
    n = values.ndim
    return xp.permute_dims(values, (*range(n - 3), n - 1, n - 3, n - 2))


def _look_up(table: Any, offsets: Any, bidirectional: bool, max_distance: int) -> Any:
    """Return rows of `table`, shape (*offsets.shape, num_heads)."""
    xp = array_namespace(table)
    buckets = relative_position_bucket(
        offsets,
        bidirectional=bidirectional,
        num_buckets=table.shape[0],
        max_distance=max_distance,
    )
    flat = xp.reshape(buckets, (-1,))
    if is_torch_array(table):  # `take` converts other kinds of indices first
        rows = table.index_select(0, flat)
    else:
        rows = xp.take(table, flat, axis=0)
    return xp.reshape(rows, (*offsets.shape, table.shape[1]))


def _check_bias_arguments(
    table: Any, q_len: int, k_len: int, q_offset: int
) -> tuple[int, int, int]:
    _check_table(table)
    return check_lengths(q_len, k_len, q_offset)


def _check_table(table: Any) -> None:
    check_floating("table", table)
    if table.ndim != 2:
        check_shape("table", table, ("num_buckets", "num_heads"))
        msg = (
            "table must have exactly two axes, (num_buckets, num_heads), "
            f"got shape {tuple(table.shape)}"
        )
        raise ValueError(msg)


def score_mod(
    table: Float[Any, "num_buckets num_heads"],
    *,
    bidirectional: bool = True,
    max_distance: int = 128,
    q_offset: int = 0,
    q_positions: Any = None,
    k_positions: Any = None,
) -> ScoreMod:
    """Return `relative_position_bias` for FlexAttention, without a Q x K matrix.

    From `max_distance` on, either way, all keys are in one bucket. So the values of
    2 * max_distance + 1 relative positions hold the bias of any sequence.

    Parameters
    ----------
    table, bidirectional, max_distance, q_offset
        As in `relative_position_bias`; the table is a torch tensor.
    q_positions, k_positions : integer tensors (seq_len,) or (batch, seq_len), optional
        Position of every query and key, where they are not 0, 1, … in order.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the bias added; gradients flow to `table` (on a GPU: FlexAttention has no
        backward pass on a CPU).

    Raises
    ------
    TypeError, ValueError
        As in `relative_position_bias` and `posenc.attention.causal_mask_mod`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    _check_table(table)
    check_tensor("table", table, ("num_buckets", "num_heads"))
    far = check_int("max_distance", max_distance, minimum=1)
    xp = array_namespace(table)
    offsets = xp.arange(-far, far + 1, dtype=xp.int64, device=device_of(table))
    values = _look_up(table, offsets, bidirectional, far)  # (2 * far + 1, H)
    relative = offset_fn(q_offset, q_positions, k_positions)

    def add_bias(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        row = relative(batch, query, key).clamp(-far, far) + far
        return score + values[row, head]

    return add_bias
