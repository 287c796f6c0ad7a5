"""Bias of each pair of cells in a window, from a table with a row per offset."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Int

from posenc.core.checks import check_floating, check_pair, check_tensor
from posenc.core.dtypes import as_given, integer_namespace, placed, upcast, wide_device
from posenc.core.relative_positions import ScoreMod

from .windows import _check_key_window, _check_window


def relative_position_index(
    height: int,
    width: int,
    *,
    key_window: tuple[int, int] | None = None,
    xp: Any = np,
    device: Any = None,
) -> Int[Any, "{height}*{width} key_cells"]:
    r"""Return the table row of every pair of cells in a window.

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


def relative_position_bias(
    table: Float[Any, "num_offsets num_heads"],
    height: int,
    width: int,
    *,
    key_window: tuple[int, int] | None = None,
) -> Float[Any, "num_heads {height}*{width} key_cells"]:
    """Return the bias of every query and key in a window, to be added to the scores.

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


def resize_table(
    table: Float[Any, "num_offsets num_heads"],
    window: tuple[int, int],
    new_window: tuple[int, int],
) -> Float[Any, "new_num_offsets num_heads"]:
    r"""Return the table for a window of another size, by bicubic interpolation.

    The table is seen as an image of (2h - 1) x (2w - 1) offsets and resized to
    (2h' - 1) x (2w' - 1), first along one axis, then along the other. The new offset
    number o lies at :math:`x = (o + \tfrac12)\,n/n' - \tfrac12` among the n old ones,
    and is a mixture of the four around it with the weights of cubic convolution,

    .. math:: & k(t) = \\ & \begin{cases}
        (a + 2)\,t^3 - (a + 3)\,t^2 + 1 & t \le 1 \\
        a\,t^3 - 5a\,t^2 + 8a\,t - 4a & 1 < t < 2 \end{cases}

    of the distance t, with a = -0.75. Beyond the border the outermost old value
    repeats, so the new border may overshoot it. Offset zero stays at the center, with
    its value. All this is what
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
    >>> import numpy as np
    >>> table = np.asarray([-1.0, 0.0, 1.0])[:, None]
    >>> resize_table(table, (1, 2), (1, 3))[:, 0]
    array([-1.096, -0.684,  0.   ,  0.684,  1.096])
    """
    height, width = check_pair("window", window)
    height, width = _check_window("window height", height, "window width", width)
    rows, columns = check_pair("new_window", new_window)
    new_window = _check_window("new_window height", rows, "new_window width", columns)
    _check_table(table, height, width)
    xp, num_heads = array_namespace(table), table.shape[1]
    image = xp.reshape(upcast(table), (2 * height - 1, 2 * width - 1, num_heads))
    for axis in (0, 1):
        weights = _cubic_weights(image.shape[axis], 2 * new_window[axis] - 1, image)
        # Sum over the old offsets of this axis, and move the new ones back to it.
        with as_given(image):
            mixed = xp.tensordot(image, weights, axes=((axis,), (1,)))
        image = xp.permute_dims(mixed, (2, 0, 1) if axis == 0 else (0, 2, 1))
    return xp.astype(xp.reshape(image, (-1, num_heads)), table.dtype, copy=False)


def _cubic_weights(old_len: int, new_len: int, like: Any) -> Any:
    """Return a matrix (new_len, old_len) of cubic convolution, of dtype as `like`."""
    xp, a = array_namespace(like), -0.75
    device = device_of(like)
    home = wide_device(xp, device)
    new = xp.arange(new_len, dtype=xp.float64, device=home)
    x = (new + 0.5) * (old_len / new_len) - 0.5  # (new,)
    # The four old points around x: floor(x) - 1, …, floor(x) + 2.
    taps = xp.floor(x)[:, None] + xp.arange(-1, 3, dtype=xp.float64, device=home)
    t = xp.abs(x[:, None] - taps)  # (new, 4)
    near = ((a + 2) * t - (a + 3)) * t**2 + 1
    far = a * (((t - 5) * t + 8) * t - 4)
    weights = xp.where(t <= 1, near, far)
    # Each tap adds its weight to the column of its point, outside to the border's.
    points = xp.arange(old_len, dtype=xp.float64, device=home)
    hits = xp.clip(taps, min=0, max=old_len - 1)[:, :, None] == points  # (new, 4, old)
    matrix = xp.sum(xp.where(hits, weights[:, :, None], 0.0), axis=1)
    return placed(xp.astype(matrix, like.dtype), home, device)


def score_mod(
    table: Float[Any, "num_offsets num_heads"],
    height: int,
    width: int,
    *,
    key_window: tuple[int, int] | None = None,
) -> ScoreMod:
    """Return `relative_position_bias` for FlexAttention, with windows as its batch.

    Parameters
    ----------
    table, height, width, key_window
        As in `relative_position_bias`; the table is a torch tensor.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the bias added; gradients flow to `table` (on a GPU: FlexAttention has no
        backward pass on a CPU).

    Raises
    ------
    TypeError, ValueError
        As in `relative_position_bias`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    height, width = _check_window("height", height, "width", width)
    check_tensor("table", table, ("num_offsets", "num_heads"))
    _check_table(table, height, width, key_window)
    places = {"xp": array_namespace(table), "device": device_of(table)}
    index = relative_position_index(height, width, key_window=key_window, **places)
    return lambda score, batch, head, query, key: score + table[index[query, key], head]
