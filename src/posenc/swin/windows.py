"""Cut an image into windows, and put it together again."""

from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float

from posenc.core.checks import check_int, check_pair, check_shape


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
    """(..., a, b, c, d, D) -> (..., a, c, b, d, D)."""
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
    """Size of the keys' window: by default that of the queries."""
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
