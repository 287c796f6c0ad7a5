"""Table for a window of another size."""

from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.checks import check_pair
from posenc.core.dtypes import as_given, placed, wide_device, widen

from .bias import _check_table
from .windows import _check_window


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
    image = xp.reshape(widen(table), (2 * height - 1, 2 * width - 1, num_heads))
    for axis in (0, 1):
        weights = _cubic_weights(image.shape[axis], 2 * new_window[axis] - 1, image)
        # Sum over the old offsets of this axis; the new ones come out last: put back.
        with as_given(image):
            mixed = xp.tensordot(image, weights, axes=((axis,), (1,)))
        image = xp.permute_dims(mixed, (2, 0, 1) if axis == 0 else (0, 2, 1))
    return xp.astype(xp.reshape(image, (-1, num_heads)), table.dtype, copy=False)


def _cubic_weights(old_len: int, new_len: int, like: Any) -> Any:
    """Matrix (new_len, old_len) of cubic convolution, dtype and device of `like`."""
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
    # Each tap adds its weight to the column of its point; those outside, to the border.
    points = xp.arange(old_len, dtype=xp.float64, device=home)
    hits = xp.clip(taps, min=0, max=old_len - 1)[:, :, None] == points  # (new, 4, old)
    matrix = xp.sum(xp.where(hits, weights[:, :, None], 0.0), axis=1)
    return placed(xp.astype(matrix, like.dtype), home, device)
