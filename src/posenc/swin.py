r"""Swin's relative position bias in two dimensions. Companion of ``book/swin.md``.

An image is cut into windows of height h and width w; attention stays within a window.
Two of its N = h w cells can be -(h - 1) … h - 1 rows and -(w - 1) … w - 1 columns
apart. A table holds one learned scalar per head for each of these
(2h - 1)(2w - 1) offsets, and is added to the scores before the softmax.

Cells are numbered row by row. The offset counts *query minus key* here, as in the
authors' code, and in this module alone; all others of this package count key minus
query, which is the transposed index.

References
----------
Liu et al. (2021), Swin Transformer, https://arxiv.org/abs/2103.14030, sec. 3.2, eq. 4.
The order of the table is that of the authors' code, class ``WindowAttention``.
"""

from typing import Any

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Int

from ._arrays import working_dtype
from ._checks import check_floating, check_int, check_shape


def relative_position_index(
    height: int, width: int, *, xp: Any = np, device: Any = None
) -> Int[Any, "{height}*{width} {height}*{width}"]:
    r"""Row of the table for every pair of cells in a window.

    Cells (r, c) and (r', c') of query and key have the index

    .. math:: (r - r' + h - 1)\,(2w - 1) + (c - c' + w - 1).

    Adding h - 1 and w - 1 makes both offsets begin at 0. Multiplying by 2w - 1, the
    number of *column* offsets, keeps (2, 1) and (1, 2) apart.

    Parameters
    ----------
    height, width : int
        Size of the window, in cells; at least 1.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    int64 array of shape (height * width, height * width)
        Queries down, keys across; every value from 0 to (2h - 1)(2w - 1) - 1 occurs.

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
    _check_window("height", height, "width", width)
    cells = xp.arange(height * width, dtype=xp.int64, device=device)
    row, column = cells // width, cells % width  # row by row: (N,) each
    row_offset = row[:, None] - row[None, :] + (height - 1)  # (N, N), 0 … 2h - 2
    column_offset = column[:, None] - column[None, :] + (width - 1)  # 0 … 2w - 2
    return row_offset * (2 * width - 1) + column_offset


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

    >>> table = np.asarray([-2.0, -1.0, 0.0, 1.0, 2.0])[:, None]
    >>> relative_position_bias(table, 1, 3)
    array([[[ 0., -1., -2.],
            [ 1.,  0., -1.],
            [ 2.,  1.,  0.]]])
    """
    _check_window("height", height, "width", width)
    _check_table(table, height, width)
    xp = array_namespace(table)
    index = relative_position_index(height, width, xp=xp, device=device_of(table))
    values = xp.take(table.T, xp.reshape(index, (-1,)), axis=1)  # (H, N * N)
    return xp.reshape(values, (table.shape[1], *index.shape))


def resize_table(
    table: Float[Any, "num_offsets num_heads"],
    window: tuple[int, int],
    new_window: tuple[int, int],
) -> Float[Any, "new_num_offsets num_heads"]:
    r"""Table for a window of another size, by bicubic interpolation.

    The table is seen as an image of (2h - 1) x (2w - 1) offsets and resized to
    (2h' - 1) x (2w' - 1), first along one axis, then along the other. The new offset
    number o lies at :math:`x = (o + \tfrac12)\,n/n' - \tfrac12` among the n old ones,
    and is a mixture of the four around it with the weights of cubic convolution,

    .. math:: k(t) = \begin{cases}
        (a + 2)\,t^3 - (a + 3)\,t^2 + 1 & t \le 1 \\
        a\,t^3 - 5a\,t^2 + 8a\,t - 4a & 1 < t < 2 \end{cases}

    of the distance t, with a = -0.75. Beyond the border the outermost value repeats.
    Offset zero stays at the center, with its value. All this is what
    ``torch.nn.functional.interpolate(mode="bicubic", align_corners=False)`` does.

    Parameters
    ----------
    table : array of shape ((2 * height - 1) * (2 * width - 1), num_heads)
        Learned scalars.
    window, new_window : (height, width)
        Sizes of the old and the new window, in cells; each side at least 1.

    Returns
    -------
    array of shape ((2 * new_height - 1) * (2 * new_width - 1), num_heads)
        With the namespace, dtype and device of `table`; gradients flow back to it.

    Raises
    ------
    TypeError, ValueError
        As in `relative_position_bias`.

    References
    ----------
    Keys (1981), Cubic convolution interpolation for digital image processing,
    https://doi.org/10.1109/TASSP.1981.1163711.
    Liu et al. (2021), sec. 3.2, names bicubic interpolation for this use.

    Examples
    --------
    >>> table = np.asarray([-1.0, 0.0, 1.0])[:, None]
    >>> resize_table(table, (1, 2), (1, 3))[:, 0]
    array([-1.096, -0.684,  0.   ,  0.684,  1.096])
    """
    height, width = _check_window("window height", window[0], "width", window[1])
    _check_window("new_window height", new_window[0], "width", new_window[1])
    _check_table(table, height, width)
    xp, num_heads = array_namespace(table), table.shape[1]
    image = xp.astype(table, working_dtype(table), copy=False)
    image = xp.reshape(image, (2 * height - 1, 2 * width - 1, num_heads))
    for axis in (0, 1):
        weights = _cubic_weights(image.shape[axis], 2 * new_window[axis] - 1, image)
        # Sum over the old offsets of this axis; the new ones come out last: put back.
        image = xp.moveaxis(
            xp.tensordot(image, weights, axes=((axis,), (1,))), -1, axis
        )
    return xp.astype(xp.reshape(image, (-1, num_heads)), table.dtype, copy=False)


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
    >>> image = np.arange(8.0).reshape(2, 4, 1)
    >>> window_partition(image, 2, 2)[..., 0]
    array([[0., 1., 4., 5.],
           [2., 3., 6., 7.]])
    """
    _check_window("height", height, "width", width)
    check_shape("x", x, ("rows", "columns", "d_model"))
    *batch, rows, columns, d_model = x.shape
    _check_divides(rows, columns, height, width)
    xp = array_namespace(x)
    grid = (rows // height, height, columns // width, width)
    split = xp.moveaxis(xp.reshape(x, (*batch, *grid, d_model)), -4, -3)
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
    _check_window("height", height, "width", width)
    check_int("rows", rows)
    check_int("columns", columns)
    _check_divides(rows, columns, height, width)
    grid = (rows // height, columns // width)
    cells = (grid[0] * grid[1], height * width)
    check_shape("windows", windows, (*cells, "d_model"), "they must fill the image")
    *batch, _, _, d_model = windows.shape
    xp = array_namespace(windows)
    split = xp.reshape(windows, (*batch, *grid, height, width, d_model))
    return xp.reshape(xp.moveaxis(split, -3, -4), (*batch, rows, columns, d_model))


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
    _check_window("window height", window[0], "window width", window[1])
    check_int("rows", rows)
    check_int("columns", columns)
    _check_divides(rows, columns, *window)
    parts = []
    for length, side, away in zip((rows, columns), window, shift, strict=True):
        _check_shift(away, side)
        place = xp.arange(length, dtype=xp.int64, device=device)
        one, zero = xp.ones_like(place), xp.zeros_like(place)
        last = xp.where(place >= length - side, one, zero)
        parts.append(last + xp.where(place >= length - away, one, zero))
    return 3 * parts[0][:, None] + parts[1]


def _cubic_weights(old_len: int, new_len: int, like: Any) -> Any:
    """Matrix (new_len, old_len) of cubic convolution, dtype and device of `like`."""
    xp, a = array_namespace(like), -0.75
    new = xp.arange(new_len, dtype=xp.float64, device=device_of(like))
    x = (new + 0.5) * (old_len / new_len) - 0.5  # (new,)
    # The four old points around x: floor(x) - 1, …, floor(x) + 2.
    taps = xp.floor(x)[:, None] + xp.arange(
        -1, 3, dtype=xp.float64, device=device_of(like)
    )
    t = xp.abs(x[:, None] - taps)  # (new, 4)
    near = ((a + 2) * t - (a + 3)) * t**2 + 1
    far = a * (((t - 5) * t + 8) * t - 4)
    weights = xp.where(t <= 1, near, far)
    # Each tap adds its weight to the column of its point; those outside, to the border.
    points = xp.arange(old_len, dtype=xp.float64, device=device_of(like))
    hits = xp.clip(taps, min=0, max=old_len - 1)[:, :, None] == points  # (new, 4, old)
    matrix = xp.sum(xp.where(hits, weights[:, :, None], 0.0), axis=1)
    return xp.astype(matrix, like.dtype)


def _check_window(
    height_name: str, height: int, width_name: str, width: int
) -> tuple[int, int]:
    check_int(height_name, height, minimum=1)
    check_int(width_name, width, minimum=1)
    return height, width


def _check_shift(shift: int, side: int) -> None:
    check_int("shift", shift)
    if shift >= side:
        msg = (
            f"shift must be less than the window's side of {side} cells, got {shift}: "
            "shift by the remainder"
        )
        raise ValueError(msg)


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


def _check_divides(rows: int, columns: int, height: int, width: int) -> None:
    if rows % height or columns % width:
        msg = (
            f"the window of {height} x {width} cells must divide the image, got "
            f"{rows} x {columns} cells: pad the image first"
        )
        raise ValueError(msg)
