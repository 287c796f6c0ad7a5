"""Angles for two dimensions: rows and columns of an image."""

from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core.angles import angles, frequencies
from posenc.core.checks import check_even

from .angles import angles_dtype


def axial_angles(
    rows: Real[Any, "..."],
    columns: Real[Any, "..."],
    head_dim: int,
    *,
    base: float = 10_000.0,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Angles for two dimensions: rows turn half of the pairs, columns the rest.

    Each half is a RoPE of its own with D/2 features, so the frequencies of both are
    :math:`b^{-4i/D}`, :math:`i = 0, \dots, D/4 - 1`, rows first. The score then depends
    on the offset of the rows and that of the columns only.

    Parameters
    ----------
    rows, columns : arrays of one shape, often (seq_len,)
        Coordinates of each token, counted in patches. A grid of height h and width w,
        read row by row, has ``rows = n // w`` and ``columns = n % w``.
    head_dim : int
        Features per attention head, D. A multiple of 4.
    base : float, default 10_000
        As in `rotary_angles`. Images are short: vision models often use 100.

    Returns
    -------
    array of shape (*rows.shape, head_dim // 2)
        Angles in radians for `apply_rotary`, with the dtype rule of `rotary_angles`.

    Raises
    ------
    TypeError, ValueError
        As in `rotary_angles`; if `head_dim` is not a multiple of 4, or `rows` and
        `columns` have different shapes.

    References
    ----------
    Heo et al. (2024), Rotary Position Embedding for Vision Transformer,
    https://arxiv.org/abs/2403.13298, sec. 3 ("axial" frequencies; it uses base 100).

    Examples
    --------
    >>> import numpy as np
    >>> n = np.arange(4.0)  # two rows of two
    >>> axial_angles(n // 2, n % 2, head_dim=4)
    array([[0., 0.],
           [0., 1.],
           [1., 0.],
           [1., 1.]])
    """
    check_even("head_dim", head_dim, minimum=4)
    if head_dim % 4:
        msg = (
            f"head_dim must be a multiple of 4, got {head_dim}: "
            "rows and columns take half of the pairs each"
        )
        raise ValueError(msg)
    if rows.shape != columns.shape:
        msg = (
            f"rows and columns must have one shape, got {tuple(rows.shape)} and "
            f"{tuple(columns.shape)}: a token has one of each"
        )
        raise ValueError(msg)
    dtype = angles_dtype("rows", rows)
    angles_dtype("columns", columns)
    xp = array_namespace(rows, columns)
    theta = frequencies(head_dim // 2, base=base, xp=xp, device=device_of(rows))
    both = xp.concat([angles(rows, theta), angles(columns, theta)], axis=-1)
    return xp.astype(both, dtype, copy=False)
