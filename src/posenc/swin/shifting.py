"""Pieces of a rolled image that were no neighbors before."""

from typing import Any

import numpy as np
from jaxtyping import Int

from posenc.core.checks import check_int, check_pair
from posenc.core.dtypes import integer_namespace

from .windows import _check_divides, _check_window


def shift_regions(
    rows: int,
    columns: int,
    window: tuple[int, int],
    shift: tuple[int, int],
    *,
    xp: Any = np,
    device: Any = None,
) -> Int[Any, "{rows} {columns}"]:
    r"""Piece of the image that each cell belongs to once the image has been rolled.

    Shifted windows are made by rolling the image up and left. What leaves at the top
    comes back at the bottom, into windows with cells that were no neighbors of it.
    Within a window, cells with equal numbers were neighbors all along: a query may
    attend to a key only where their numbers are equal.

    Parameters
    ----------
    rows, columns : int
        Size of the image, in cells; multiples of the window's.
    window : (height, width)
        Size of the window, in cells; each side at least 1.
    shift : (rows, columns)
        Cells by which the image was rolled up and left; less than the window's sides.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    int64 array of shape (rows, columns)
        Numbers 0 … 8 in the order of the pieces, row by row: along each axis there are
        all windows but the last, the last one's own cells, and those that came back.

    Raises
    ------
    TypeError, ValueError
        If a size is not an integer of at least 1, a window does not divide the image,
        or a shift is negative or not less than the window's side.

    References
    ----------
    Liu et al. (2021), sec. 3.2, on batch computation for the shifted configuration.

    Examples
    --------
    >>> shift_regions(4, 4, (2, 2), (1, 1))
    array([[0, 0, 1, 2],
           [0, 0, 1, 2],
           [3, 3, 4, 5],
           [6, 6, 7, 8]])
    """
    height, width = check_pair("window", window)
    window = _check_window("window height", height, "window width", width)
    rows, columns = check_int("rows", rows), check_int("columns", columns)
    _check_divides(rows, columns, *window)
    shift = check_pair("shift", shift)
    xp = integer_namespace(xp, device)
    parts = []
    for length, side, away in zip((rows, columns), window, shift, strict=True):
        away = _check_shift(away, side)
        place = xp.arange(length, dtype=xp.int64, device=device)
        one, zero = xp.ones_like(place), xp.zeros_like(place)
        last = xp.where(place >= length - side, one, zero)
        parts.append(last + xp.where(place >= length - away, one, zero))
    return 3 * parts[0][:, None] + parts[1]


def _check_shift(shift: int, side: int) -> int:
    shift = check_int("shift", shift)
    if shift >= side:
        msg = (
            f"shift must be less than the window's side of {side} cells, got {shift}: "
            "shift by the remainder"
        )
        raise ValueError(msg)
    return shift
