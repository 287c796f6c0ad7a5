"""Row of the table for each pair of cells in a window."""

from typing import Any

import numpy as np
from jaxtyping import Int

from posenc.core.dtypes import integer_namespace

from .windows import _check_key_window, _check_window


def relative_position_index(
    height: int,
    width: int,
    *,
    key_window: tuple[int, int] | None = None,
    xp: Any = np,
    device: Any = None,
) -> Int[Any, "{height}*{width} key_cells"]:
    r"""Row of the table for every pair of cells in a window.

    Cells (r, c) and (r', c') of query and key have the index

    .. math:: & (r - r' + h - 1)\,(2w - 1) \\ & + (c - c' + w - 1).

    Adding h - 1 and w - 1 makes both offsets begin at 0. Multiplying by 2w - 1, the
    number of *column* offsets, keeps (2, 1) and (1, 2) apart.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells; at least 1.
    key_window : (height, width), optional
        Size of the keys' window, if it is another one. Each window counts its cells
        from its own first one, wherever the windows lie.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    int64 array of shape (height * width, height * width)
        Queries down, keys across; every value from 0 to (2h - 1)(2w - 1) - 1 occurs.
        With a key window of h' x w' cells the 2h - 1 and 2w - 1 become h + h' - 1 and
        w + w' - 1, and the last axis has h' w' keys.

    Raises
    ------
    TypeError, ValueError
        If a side is not an integer of at least 1.

    Notes
    -----
    The opposite sign, key minus query, gives the transposed matrix; which is also
    ``(2h - 1)(2w - 1) - 1 - index``, and the index read from its far corner,
    ``index[::-1, ::-1]``. A table learned with one sign serves the other once its rows
    are reversed.

    Examples
    --------
    >>> relative_position_index(2, 2)
    array([[4, 3, 1, 0],
           [5, 4, 2, 1],
           [7, 6, 4, 3],
           [8, 7, 5, 4]])
    """
    height, width = _check_window("height", height, "width", width)
    xp = integer_namespace(xp, device)
    key_height, key_width = _check_key_window(key_window, height, width)
    cells = xp.arange(height * width, dtype=xp.int64, device=device)
    keys = xp.arange(key_height * key_width, dtype=xp.int64, device=device)
    row, column = cells // width, cells % width  # row by row: (N,) each
    key_row, key_column = keys // key_width, keys % key_width
    row_offset = row[:, None] - key_row + (key_height - 1)  # (N, N'), 0 … h + h' - 2
    column_offset = column[:, None] - key_column + (key_width - 1)  # 0 … w + w' - 2
    return row_offset * (width + key_width - 1) + column_offset
