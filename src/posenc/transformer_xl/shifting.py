"""Relative shift: from a column per distance to a column per key."""

from typing import Any

from jaxtyping import Float

from posenc.core.arrays import shift_rows
from posenc.core.checks import check_floating, check_shape
from posenc.music_transformer import skew


def relative_shift(
    scores: Float[Any, "... q_len k_len"],
) -> Float[Any, "... q_len k_len"]:
    """Shift row i of the scores to the left by q_len - 1 - i, without copying.

    Column c of `scores` belongs to distance k_len - 1 - c. The last query needs just
    that: distance 0 in the last column. The query before it needs everything one
    column further left, and so on::

        distance  3  2  1  0                 (q_len = 3, k_len = 4)
                 a0 a1 a2 a3        [a2 a3] b0  b1
                 b0 b1 b2 b3   ->   [b1 b2  b3] c0
                 c0 c1 c2 c3        [c0 c1  c2  c3]

    In brackets the valid cells, those with j <= i + (k_len - q_len). **All others are
    garbage, for a causal mask to hide**: there the row has ended, and cell (i, j)
    shows ``scores[i + 1, j - i - (k_len - q_len) - 1]``, from the row below.

    Parameters
    ----------
    scores : array of shape (..., q_len, k_len)
        Products of each query with each distance, from k_len - 1 down to 0;
        k_len >= q_len.

    Returns
    -------
    array of the same shape
        ``out[i, j] = scores[i, j + q_len - 1 - i]`` on the valid cells: the product of
        query i with distance i + (k_len - q_len) - j. A **view** wherever `scores` is
        contiguous (read-only in NumPy), in which neighboring rows share a cell: do not
        write into it. A copy where torch records gradients; they flow.

    Raises
    ------
    TypeError, ValueError
        If `scores` does not hold floating-point numbers or k_len < q_len.

    Examples
    --------
    >>> import numpy as np
    >>> relative_shift(np.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]))
    array([[1., 2., 3.],
           [3., 4., 5.]])
    """
    check_floating("scores", scores)
    check_shape("scores", scores, ("q_len", "k_len"))
    _check_lengths("scores", *scores.shape[-2:])
    return shift_rows(scores, scores.shape[-1])


def relative_shift_padded(
    scores: Float[Any, "... q_len k_len"],
) -> Float[Any, "... q_len k_len"]:
    """`relative_shift` by padding and reshaping, as the authors' code has it: a copy.

    It is the skew of the Music Transformer, with more columns than rows. The valid
    cells agree with those of `relative_shift`. Of the garbage, the first cell of each
    row is the pad, 0, and the rest of it lies one column further right than there.
    """
    return skew(scores)


def _check_lengths(name: str, q_len: int, k_len: int) -> None:
    if k_len < q_len:
        msg = (
            f"{name} must have k_len >= q_len, got k_len = {k_len} and q_len = {q_len}:"
            " the queries are the last of the positions, so no key may be missing"
        )
        raise ValueError(msg)
