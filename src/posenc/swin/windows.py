"""Windows of an image: cut, merged, shifted."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace
from jaxtyping import Float, Int

from posenc.core.checks import check_int, check_pair, check_shape
from posenc.core.dtypes import integer_namespace


def window_partition(
    x: Float[Any, "... rows columns d_model"], height: int, width: int
) -> Float[Any, "... num_windows {height}*{width} d_model"]:
    """Cut an image into windows, and read each row by row.

    Parameters
    ----------
    x : array of shape (..., rows, columns, d_model)
        Features of every cell; `rows` and `columns` are multiples of the window's.
    height, width : int
        Size of the window, in cells; at least 1.

    Returns
    -------
    array of shape (..., num_windows, height * width, d_model)
        The windows, too, are numbered row by row.

    Raises
    ------
    TypeError, ValueError
        If a side is not an integer of at least 1, or does not divide the image's.

    Examples
    --------
    >>> import numpy as np
    >>> image = np.arange(8.0).reshape(2, 4, 1)
    >>> window_partition(image, 2, 2)[..., 0]
    array([[0., 1., 4., 5.],
           [2., 3., 6., 7.]])
    """
    height, width = _check_window("height", height, "width", width)
    check_shape("x", x, ("rows", "columns", "d_model"))
    *batch, rows, columns, d_model = x.shape
    _check_divides(rows, columns, height, width)
    xp = array_namespace(x)
    grid = (rows // height, height, columns // width, width)
    split = _swap_middle(xp.reshape(x, (*batch, *grid, d_model)))
    return xp.reshape(split, (*batch, grid[0] * grid[2], height * width, d_model))


def window_merge(
    windows: Float[Any, "... num_windows cells d_model"],
    height: int,
    width: int,
    *,
    rows: int,
    columns: int,
) -> Float[Any, "... {rows} {columns} d_model"]:
    """Undo `window_partition`.

    Parameters
    ----------
    windows : array of shape (..., num_windows, height * width, d_model)
        From `window_partition`, or as many windows of new features.
    height, width : int
        Size of the window, in cells; at least 1.
    rows, columns : int
        Size of the image, in cells; multiples of the window's.

    Returns
    -------
    array of shape (..., rows, columns, d_model)
        The image put together again.

    Raises
    ------
    TypeError, ValueError
        As in `window_partition`, or if the windows do not fill the image.
    """
    height, width = _check_window("height", height, "width", width)
    rows, columns = check_int("rows", rows), check_int("columns", columns)
    _check_divides(rows, columns, height, width)
    grid = (rows // height, columns // width)
    cells = (grid[0] * grid[1], height * width)
    check_shape("windows", windows, (*cells, "d_model"), "they must fill the image")
    *batch, _, _, d_model = windows.shape
    xp = array_namespace(windows)
    split = xp.reshape(windows, (*batch, *grid, height, width, d_model))
    return xp.reshape(_swap_middle(split), (*batch, rows, columns, d_model))


def _swap_middle(split: Any) -> Any:
    """Permute (..., a, b, c, d, D) to (..., a, c, b, d, D)."""
    n = split.ndim
    axes = (*range(n - 4), n - 3, n - 4, n - 2, n - 1)
    return array_namespace(split).permute_dims(split, axes)


def _check_window(
    height_name: str, height: int, width_name: str, width: int
) -> tuple[int, int]:
    return (
        check_int(height_name, height, minimum=1),
        check_int(width_name, width, minimum=1),
    )


def _check_key_window(
    key_window: tuple[int, int] | None, height: int, width: int
) -> tuple[int, int]:
    """Return the size of the keys' window, by default that of the queries."""
    if key_window is None:
        return height, width
    height, width = check_pair("key_window", key_window)
    return _check_window("key_window height", height, "key_window width", width)


def _check_divides(rows: int, columns: int, height: int, width: int) -> None:
    if rows % height or columns % width:
        msg = (
            f"the window of {height} x {width} cells must divide the image, got "
            f"{rows} x {columns} cells: pad the image first"
        )
        raise ValueError(msg)


def shift_regions(
    rows: int,
    columns: int,
    window: tuple[int, int],
    shift: tuple[int, int],
    *,
    xp: Any = np,
    device: Any = None,
) -> Int[Any, "{rows} {columns}"]:
    r"""Return the piece of the image that each cell belongs to after rolling.

    Shifted windows are made by rolling the image up and left. What leaves at the top
    comes back at the bottom, into windows with cells that were no neighbors of it.
    Within a window, cells with equal numbers were neighbors all along. A query may
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
        ones, zeros = xp.ones_like(place), xp.zeros_like(place)
        last = xp.where(place >= length - side, ones, zeros)
        parts.append(last + xp.where(place >= length - away, ones, zeros))
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
