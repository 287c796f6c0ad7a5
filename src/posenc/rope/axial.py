"""Angles for two and three dimensions: rows and columns, and frames."""

from collections.abc import Sequence
from typing import Any

from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core.angles import angles, frequencies
from posenc.core.checks import check_array, check_even, check_namespace

from .angles import angles_dtype
from .multimodal import check_sections


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
    head_dim = check_even("head_dim", head_dim, minimum=4)
    if head_dim % 4:
        msg = (
            f"head_dim must be a multiple of 4, got {head_dim}: "
            "rows and columns take half of the pairs each"
        )
        raise ValueError(msg)
    coordinates = {"rows": rows, "columns": columns}
    return _side_by_side(coordinates, [head_dim // 4] * 2, base)


def axial_angles_3d(
    frames: Real[Any, "..."],
    rows: Real[Any, "..."],
    columns: Real[Any, "..."],
    head_dim: int,
    *,
    sections: Sequence[int] | None = None,
    base: float = 10_000.0,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Angles for three dimensions: frames, rows and columns share the pairs.

    Each axis is a RoPE of its own with as many features as its pairs need: a section of
    n pairs has the frequencies :math:`b^{-i/n}`, :math:`i = 0, \dots, n - 1`.

    Parameters
    ----------
    frames, rows, columns : arrays of one shape, often (seq_len,)
        Coordinates of each token, in frames and patches.
    head_dim : int
        Features per attention head, D. Even; a multiple of 6 without `sections`.
    sections : sequence of 3 ints, optional
        Pairs of each axis, frames first, with the sum ``head_dim // 2``; by default a
        third for each. Models of video often give frames less.
    base : float, default 10_000
        As in `rotary_angles`.

    Returns
    -------
    array of shape (*rows.shape, head_dim // 2)
        Angles in radians for `apply_rotary`, with the dtype rule of `rotary_angles`.

    Raises
    ------
    TypeError, ValueError
        As in `axial_angles`; if the sections do not add up to the pairs.

    References
    ----------
    The 3-D form of the axial embedding of `axial_angles`, as ``get_axial_freqs`` in
    https://github.com/lucidrains/rotary-embedding-torch has it; sections of different
    sizes as in ``get_3d_rotary_pos_embed`` of https://github.com/huggingface/diffusers.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.asarray([1.0])
    >>> axial_angles_3d(0 * one, one, 2 * one, head_dim=6)
    array([[0., 1., 2.]])
    """
    head_dim = check_even("head_dim", head_dim, minimum=6)
    pairs = head_dim // 2
    if sections is None and pairs % 3:
        msg = (
            f"head_dim must be a multiple of 6, got {head_dim}: each axis takes a "
            "third of the pairs; or give sections"
        )
        raise ValueError(msg)
    sizes = check_sections([pairs // 3] * 3 if sections is None else sections, pairs)
    if len(sizes) != 3:
        msg = f"sections must be three, for frames, rows and columns, got {sizes}"
        raise ValueError(msg)
    return _side_by_side(
        {"frames": frames, "rows": rows, "columns": columns}, sizes, base
    )


def _side_by_side(coordinates: dict[str, Any], pairs: list[int], base: float) -> Any:
    """Angles of one RoPE for each axis, with its own number of pairs."""
    for name, axis in coordinates.items():
        check_array(name, axis)
    xp = check_namespace(**coordinates)
    for name, axis in coordinates.items():
        _check_same_shape(name, axis, coordinates)
    arrays = list(coordinates.values())
    device = device_of(arrays[0])
    dtypes = [angles_dtype(name, axis) for name, axis in coordinates.items()]
    parts = [
        angles(axis, frequencies(2 * count, base=base, xp=xp, device=device))
        for axis, count in zip(arrays, pairs, strict=True)
    ]
    return xp.astype(xp.concat(parts, axis=-1), dtypes[0], copy=False)


def _check_same_shape(name: str, axis: Any, coordinates: dict[str, Any]) -> None:
    first_name, first = next(iter(coordinates.items()))
    if axis.shape != first.shape:
        msg = (
            f"{first_name} and {name} must have one shape, got {tuple(first.shape)} "
            f"and {tuple(axis.shape)}: a token has one of each"
        )
        raise ValueError(msg)
