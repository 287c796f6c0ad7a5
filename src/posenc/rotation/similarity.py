"""Dot product of two encodings."""

from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core import angles as _angles
from posenc.core.checks import TURNING, check_even, check_positions, check_real
from posenc.core.dtypes import result_dtype

from .shift import _PAIRS


def position_similarity(
    distance: Real[Any, "*shape"], d_model: int, *, base: float = 10_000.0
) -> Float[Any, "*shape"]:
    r"""Dot product of two encodings as a function of their distance.

    .. math:: \mathrm{PE}(s) \cdot \mathrm{PE}(t) = \sum_i \cos(\theta_i (s - t))

    Parameters
    ----------
    distance : array of any shape
        Distances s - t, in tokens, in the range of positions of `sinusoidal_encoding`.
        The sign does not matter: that is the trouble.
    d_model : int
        Features D of the encoding. Even.
    base : float, default 10_000
        As in `posenc.sinusoidal.sinusoidal_encoding`.

    Returns
    -------
    array of the same shape
        D/2 at distance 0, less at any other whole distance; not monotone. Dtype as
        in `posenc.sinusoidal.sinusoidal_encoding`.

    Raises
    ------
    TypeError, ValueError
        As in `posenc.sinusoidal.sinusoidal_encoding`, with `distance` for positions.

    Examples
    --------
    >>> import numpy as np
    >>> position_similarity(np.asarray([-3, 0, 3, 6]), 8).round(2)  # not monotone
    array([1.96, 4.  , 1.96, 3.78])
    """
    check_real("distance", distance)
    check_positions("distance", distance, far=TURNING)
    d_model = check_even("d_model", d_model, remedy=_PAIRS)
    xp, device = array_namespace(distance), device_of(distance)
    theta = _angles.frequencies(d_model, base=base, xp=xp, device=device)
    total = xp.sum(xp.cos(_angles.angles(distance, theta)), axis=-1)
    return xp.astype(total, result_dtype(distance))
