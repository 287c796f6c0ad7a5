"""Values with a vector for each relative position."""

from typing import Any

from jaxtyping import Float

from posenc.core.dtypes import cast

from .labels import label_values, value_labels


def position_values(
    weights: Float[Any, "... q_len k_len"],
    value_table: Float[Any, "*heads vectors value_dim"],
    *,
    q_offset: int = 0,
) -> Float[Any, "... q_len value_dim"]:
    r"""Position part of the output, :math:`\sum_j \alpha_{ij} a^V_{ij}`.

    The mirror image of `position_scores`: first add up the weights of all keys that
    share a vector, 2k + 1 sums per query, then mix the vectors.
    `position_values_broadcast` and `position_values_batched` do the same with a vector
    for each pair.

    Parameters
    ----------
    weights : array of shape (..., q_len, k_len)
        Attention weights :math:`\alpha`.
    value_table : array of shape (2k + 1, value_dim) or (num_heads, 2k + 1, value_dim)
        The vectors :math:`w^V`, from offset -k to k.
    q_offset : int, default 0
        As in `relative_position_index`.

    Returns
    -------
    array of shape (..., q_len, value_dim)
        With the namespace, dtype and device of `weights`.

    Raises
    ------
    TypeError, ValueError
        If an array does not hold floating-point numbers, or as in `position_scores`.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.asarray([[1.0, 0], [0, 0], [0, 1]])  # k = 1: counts left and right
    >>> position_values(np.full((3, 3), 1 / 3), table).round(2)
    array([[0.  , 0.67],
           [0.33, 0.33],
           [0.67, 0.  ]])
    """
    labels = value_labels(weights, value_table, q_offset)
    values = label_values(weights, value_table, labels)
    return cast(values, weights.dtype)
