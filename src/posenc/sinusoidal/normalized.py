"""Position as a fraction of the sequence."""

from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float, Real

from posenc.core.checks import check_int, check_positions, check_real
from posenc.core.dtypes import cast, computing_dtype, result_dtype


def normalized_position(
    positions: Real[Any, "*shape"], seq_len: int
) -> Float[Any, "*shape"]:
    """Position as a fraction of the sequence: bounded, but its step depends on L.

    Parameters
    ----------
    positions : array of any shape
        Positions, in tokens.
    seq_len : int
        Length L of the sequence, in tokens; at least 1 unless there are no positions.

    Returns
    -------
    array of the same shape
        ``positions / seq_len``, in [0, 1) for 0 … L - 1. Dtype as in
        `sinusoidal_encoding`.

    Raises
    ------
    TypeError, ValueError
        As in `sinusoidal_encoding` for `positions`, or if `seq_len` is too small.

    Examples
    --------
    >>> import numpy as np
    >>> normalized_position(np.arange(4), 4)
    array([0.  , 0.25, 0.5 , 0.75])
    """
    check_real("positions", positions)
    check_positions("positions", positions)
    least = 1 if 0 not in positions.shape else 0
    seq_len = check_int("seq_len", seq_len, minimum=least, below=2**53)
    dtype = result_dtype(positions)
    wide = computing_dtype(array_namespace(positions), dtype)
    return cast(cast(positions, wide) / max(seq_len, 1), dtype)
