"""Positions in another unit."""

from typing import Any

from jaxtyping import Float, Real

from posenc.core.checks import check_number, check_real
from posenc.core.dtypes import cast, result_dtype


def scaled_position(
    positions: Real[Any, "..."], *, scale: int | float = 1.0
) -> Float[Any, "..."]:
    r"""Position in another unit: :math:`s\,p`.

    Parameters
    ----------
    positions : array of any shape
        Positions p, in tokens.
    scale : int or float, default 1
        Units per token, s.

    Returns
    -------
    array of the shape of `positions`
        With its namespace and device; floating-point.

    Raises
    ------
    TypeError, ValueError
        If `positions` does not hold real numbers, or `scale` is no finite number.

    Examples
    --------
    >>> import numpy as np
    >>> scaled_position(np.arange(3), scale=0.5)
    array([0. , 0.5, 1. ])
    """
    check_real("positions", positions)
    check_number("scale", scale)
    return cast(positions, result_dtype(positions)) * scale
