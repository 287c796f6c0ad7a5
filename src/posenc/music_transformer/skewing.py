"""The two skews of chapter 5; public as ``posenc.music_transformer.skew`` and so on."""

from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.checks import check_floating, check_shape


def skew(
    scores: Float[Any, "... q_len k_len"],
) -> Float[Any, "... q_len k_len"]:
    """Move the product of each offset to the column of its key; causal part only.

    Pad a column on the left, reshape, drop the first row. Where the rows were four
    long with the pad, they are read again as if they were three long: row i moves L - 1
    - i columns to the left, the first row most, the last one not at all::

        a0 a1 a2        .  a0 a1 a2        .  a0 a1  <- dropped     [a2] .   b0
        b0 b1 b2   ->   .  b0 b1 b2   ->   a2 .  b0           ->    [b1 b2]  .
        c0 c1 c2        .  c0 c1 c2        b1 b2 .                  [c0 c1  c2]
                                           c0 c1 c2

    Column r of `scores` belongs to offset r - (L - 1): a2, b2, c2 are the products of
    each query with its own position, and come to lie on the diagonal. In brackets the
    valid cells, those with j <= i. **Garbage, for a causal mask to hide, are all cells
    above the diagonal**: the first one of a row is the pad, 0, the cell (i, j) behind
    it is ``scores[i + 1, j - i - 2]``, the beginning of the next row.

    Parameters
    ----------
    scores : array of shape (..., L, L)
        Products of each query with each offset from -(L - 1) to 0. With more columns
        than rows, (..., q_len, k_len), the queries are the last q_len of k_len
        positions, as when decoding with a cache, the offsets run from -(k_len - 1) to
        0, the valid cells are those with j <= i + m, where m = k_len - q_len, and the
        garbage is 0 in column i + m + 1, then ``scores[i + 1, j - i - m - 2]``.

    Returns
    -------
    array of the same shape
        ``out[i, j] = scores[i, j + q_len - 1 - i]`` on the valid cells; a new array.

    Raises
    ------
    TypeError, ValueError
        If `scores` does not hold floating-point numbers or has more rows than columns.

    Examples
    --------
    >>> import numpy as np
    >>> skew(np.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]))
    array([[2., 0., 3.],
           [4., 5., 0.],
           [6., 7., 8.]])
    """
    check_floating("scores", scores)
    check_shape("scores", scores, ("q_len", "k_len"))
    *batch, q_len, k_len = scores.shape
    if k_len < q_len:
        msg = (
            "scores must have at least as many columns as rows (k_len >= q_len), got "
            f"shape {tuple(scores.shape)}: the queries are the last of the positions"
        )
        raise ValueError(msg)
    xp = array_namespace(scores)
    pad = xp.zeros((*batch, q_len, 1), dtype=scores.dtype, device=device_of(scores))
    padded = xp.concat([pad, scores], axis=-1)  # (..., Q, K + 1)
    longer = xp.reshape(padded, (*batch, k_len + 1, q_len))
    return xp.reshape(longer[..., 1:, :], (*batch, q_len, k_len))


def skew_unmasked(
    scores: Float[Any, "... seq_len offsets"],
) -> Float[Any, "... seq_len seq_len"]:
    """Move the product of each offset, on both sides, to the column of its key.

    Pad a column on the right, lay the rows end to end, add L - 1 numbers to fill a
    last row, and read rows one number shorter. The valid cells have come to lie in
    the last L columns of the first L rows::

        a0 a1 a2 a3 a4        a0 a1 a2 a3 a4 .         a0 a1 [a2 a3 a4]
        b0 b1 b2 b3 b4   ->   b0 b1 b2 b3 b4 .   ->    .  b0 [b1 b2 b3]
        c0 c1 c2 c3 c4        c0 c1 c2 c3 c4 .         b4 .  [c0 c1 c2]
                              .  .                     c3 c4  .  .  .

    Column r of `scores` belongs to offset r - (L - 1), so a2, b2, c2 are the products
    with the query's own position. **No cell is garbage.**

    Parameters
    ----------
    scores : array of shape (..., L, 2L - 1)
        Products of each query with each offset from -(L - 1) to L - 1.

    Returns
    -------
    array of shape (..., L, L)
        ``out[i, j] = scores[i, j - i + L - 1]``; a new array.

    Raises
    ------
    TypeError, ValueError
        If `scores` does not hold floating-point numbers or has not 2L - 1 columns.

    Examples
    --------
    >>> import numpy as np
    >>> skew_unmasked(np.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    check_floating("scores", scores)
    check_shape("scores", scores, ("seq_len", "2 * seq_len - 1"))
    *batch, seq_len, width = scores.shape
    if width != max(2 * seq_len - 1, 0):
        msg = (
            f"scores must have 2 * seq_len - 1 = {max(2 * seq_len - 1, 0)} columns, "
            f"one per offset, got shape {tuple(scores.shape)}"
        )
        raise ValueError(msg)
    if seq_len == 0:
        return scores
    xp = array_namespace(scores)
    like = {"dtype": scores.dtype, "device": device_of(scores)}
    column = xp.zeros((*batch, seq_len, 1), **like)
    tail = xp.zeros((*batch, seq_len - 1), **like)
    padded = xp.concat([scores, column], axis=-1)  # (..., L, 2L)
    flat = xp.reshape(padded, (*batch, seq_len * 2 * seq_len))
    filled = xp.concat([flat, tail], axis=-1)  # 2L² + L - 1 = (L + 1)(2L - 1) numbers
    shorter = xp.reshape(filled, (*batch, seq_len + 1, width))
    return shorter[..., :seq_len, seq_len - 1 :]
