"""Bias of each pair of cells in a window."""

from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.checks import check_floating

from .index import relative_position_index
from .windows import _check_key_window, _check_window


def relative_position_bias(
    table: Float[Any, "num_offsets num_heads"],
    height: int,
    width: int,
    *,
    key_window: tuple[int, int] | None = None,
) -> Float[Any, "num_heads {height}*{width} key_cells"]:
    """Bias of every query and key in a window, to be added to the scores of each head.

    Parameters
    ----------
    table : array of shape ((2 * height - 1) * (2 * width - 1), num_heads)
        Learned scalars; with another window for keys, of h' x w' cells, they are
        (height + h' - 1) * (width + w' - 1).
    height, width : int
        Size of the window, in cells; at least 1.
    key_window : (height, width), optional
        As in `relative_position_index`.

    Returns
    -------
    array of shape (num_heads, height * width, keys)
        As many keys as queries, or h' * w'. With the namespace, dtype and device of
        `table`; gradients flow back to it.

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
    _check_table(table, height, width, key_window)
    xp = array_namespace(table)
    places = {"xp": xp, "device": device_of(table)}
    index = relative_position_index(height, width, key_window=key_window, **places)
    values = xp.take(table.T, xp.reshape(index, (-1,)), axis=1)  # (H, N * N)
    return xp.reshape(values, (table.shape[1], *index.shape))


def _check_table(
    table: Any, height: int, width: int, key_window: tuple[int, int] | None = None
) -> None:
    check_floating("table", table)
    key_height, key_width = _check_key_window(key_window, height, width)
    rows = (height + key_height - 1) * (width + key_width - 1)
    if table.ndim != 2 or table.shape[0] != rows:
        msg = (
            f"table must have shape ({rows}, num_heads), got shape "
            f"{tuple(table.shape)}: a window of {height} x {width} cells has "
            f"({height} + {key_height} - 1) * ({width} + {key_width} - 1) = {rows} "
            f"offsets to keys of {key_height} x {key_width}"
        )
        raise ValueError(msg)
