r"""TITLE: one sentence that says what this encoding does.

Companion of ``book/SLUG.md``. Replace the function below by those of the method, each
from its mathematics.

Axis names: ``seq_len`` = L, ``...`` = any leading axes.

References
----------
Authors (year), Title, link, and the section that each function follows.
"""

from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float, Real

from ._checks import check_number, check_real


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
    xp = array_namespace(positions)
    if xp.isdtype(positions.dtype, "integral"):
        positions = xp.astype(positions, xp.float64)
    return positions * scale
