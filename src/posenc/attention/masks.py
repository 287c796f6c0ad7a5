"""Who may look at whom."""

from typing import Any

import numpy as np
from jaxtyping import Bool

from posenc.core.arrays import relative_positions
from posenc.core.checks import check_lengths
from posenc.core.dtypes import integer_namespace


def causal_mask(
    q_len: int, k_len: int, *, q_offset: int = 0, xp: Any = np, device: Any = None
) -> Bool[Any, "{q_len} {k_len}"]:
    """Mask that lets each query attend to the keys at or before its own position.

    Parameters
    ----------
    q_len, k_len : int
        Numbers of queries and keys.
    q_offset : int, default 0
        Position of the first query; keys begin at 0. For decoding with a cache of past
        keys this is ``k_len - q_len``.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    bool array of shape (q_len, k_len)
        True where the query may attend.

    Raises
    ------
    TypeError, ValueError
        If a length or the offset is not an integer at or above 0.

    Examples
    --------
    >>> causal_mask(2, 3, q_offset=1)
    array([[ True,  True, False],
           [ True,  True,  True]])
    """
    q_len, k_len, q_offset = check_lengths(q_len, k_len, q_offset)
    xp = integer_namespace(xp, device)
    return (
        relative_positions(q_len, k_len, q_offset=q_offset, xp=xp, device=device) <= 0
    )
