"""Bias of each pair of cells in a window."""

from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.checks import check_floating

from .index import relative_position_index
from .windows import _check_window


def relative_position_bias(
    table: Float[Any, "num_offsets num_heads"], height: int, width: int
) -> Float[Any, "num_heads {height}*{width} {height}*{width}"]:
    """Bias of every query and key in a window, to be added to the scores of each head.

    Parameters
    ----------
    table : array of shape ((2 * height - 1) * (2 * width - 1), num_heads)
        Learned scalars.
    height, width : int
        Size of the window, in cells; at least 1.

    Returns
    -------
    array of shape (num_heads, height * width, height * width)
        With the namespace, dtype and device of `table`; gradients flow back to it.

    Raises
    ------
    TypeError, ValueError
        If a side is not an integer of at least 1, or `table` does not hold
        floating-point numbers or has the wrong number of rows.

    Examples
    --------
    The one-dimensional case, three tokens in a row:

    >>> import numpy as np
    >>> table = np.asarray([-2.0, -1.0, 0.0, 1.0, 2.0])[:, None]
    >>> relative_position_bias(table, 1, 3)
    array([[[ 0., -1., -2.],
            [ 1.,  0., -1.],
            [ 2.,  1.,  0.]]])
    """
    height, width = _check_window("height", height, "width", width)
    _check_table(table, height, width)
    xp = array_namespace(table)
    index = relative_position_index(height, width, xp=xp, device=device_of(table))
    values = xp.take(table.T, xp.reshape(index, (-1,)), axis=1)  # (H, N * N)
    return xp.reshape(values, (table.shape[1], *index.shape))


def _check_table(table: Any, height: int, width: int) -> None:
    check_floating("table", table)
    rows = (2 * height - 1) * (2 * width - 1)
    if table.ndim != 2 or table.shape[0] != rows:
        msg = (
            f"table must have shape ({rows}, num_heads), got shape "
            f"{tuple(table.shape)}: a window of {height} x {width} cells has "
            f"(2 * {height} - 1) * (2 * {width} - 1) = {rows} offsets"
        )
        raise ValueError(msg)
