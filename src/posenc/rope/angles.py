"""Angle of every position and feature pair, in one dimension or several."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_array_api_obj, to_device
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core import angles as _angles
from posenc.core.angles import angles, frequencies
from posenc.core.checks import (
    TURNING,
    check_array,
    check_even,
    check_finite,
    check_flag,
    check_int,
    check_namespace,
    check_positions,
    check_real,
)
from posenc.core.dtypes import (
    computing_dtype,
    creation_namespace,
    result_dtype,
    wide_device,
)


def rotary_angles(
    positions: Real[Any, "..."],
    head_dim: int,
    *,
    base: float = 10_000.0,
    frequencies: Float[Any, "{head_dim}//2"] | Sequence[float] | None = None,
    dtype: Any = None,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Return the angle :math:`m\,\theta_i` of every position and feature pair.

    Parameters
    ----------
    positions : array of any shape, often (seq_len,)
        Positions m, counted in tokens: integers, float32 or float64, between -2^32 and
        2^32 (float32: 2^24). They need not be whole (see `scaled_angles`) nor begin at
        0 (cached decoding), and may differ from one sequence to the next (left padding,
        packed sequences): see Notes.
    head_dim : int
        Features per attention head, D. Even.
    base : float, default 10_000
        The b of the geometric progression; the longest wavelength is
        ``2 * pi * base ** (1 - 2 / head_dim)`` tokens.
    frequencies : array or sequence of head_dim // 2 numbers, optional
        Radians per token of each pair, instead of the progression of `base`: those of a
        checkpoint, as from `llama3_frequencies` and the other rules. They may lie on
        the CPU, where they keep the digits that a device without float64 drops.
    dtype : optional
        Floating dtype of the result. If not given, that of `positions`; integer
        positions give the default of the library (float64 in NumPy, float32 in torch).

    Returns
    -------
    array of shape (*positions.shape, head_dim // 2)
        Angles in radians, reduced modulo 2 pi, on the device of `positions`. They are
        formed in float64 (by integers where the device has no float64, as Apple's MPS),
        so that a float32 result is right to 1e-6 at every position (times the fastest
        of `frequencies`, if that is above 1).

    Raises
    ------
    TypeError, ValueError
        If `head_dim` is not positive and even, `base` is not positive, `frequencies`
        are not one per pair, `dtype` is half precision, or `positions` holds NaN,
        infinity, numbers too narrow to count with, or one beyond its range: float64
        does not hold its angle (subtract one number from all positions).

    Notes
    -----
    If each sequence of a batch has positions of its own, the angles need an axis for
    the heads, since a query or key has shape (batch, num_heads, seq_len, head_dim):
    call ``rotary_angles(positions[:, None, :], head_dim)``.

    Examples
    --------
    >>> import numpy as np
    >>> rotary_angles(np.asarray([0.0, 1.0, 2.0]), head_dim=4)
    array([[0.  , 0.  ],
           [1.  , 0.01],
           [2.  , 0.02]])
    """
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    dtype = angles_dtype("positions", positions, dtype)
    xp = array_namespace(positions)
    device = device_of(positions)
    if frequencies is None:
        theta = _angles.frequencies(head_dim, base=base, xp=xp, device=device)
    else:
        theta = own_frequencies(frequencies, head_dim, xp=xp, device=device)
    return xp.astype(_angles.angles(positions, theta), dtype, copy=False)


def own_frequencies(frequencies: Any, head_dim: int, *, xp: Any, device: Any) -> Any:
    """Return the caller's frequencies in float64, one for each pair of `head_dim`.

    Where the device has no float64 they lie on the CPU, as in ``core.angles``.
    """
    if not is_array_api_obj(frequencies):
        frequencies = np.asarray(frequencies)
    check_real("frequencies", frequencies)
    if tuple(frequencies.shape) != (head_dim // 2,):
        msg = (
            f"frequencies must have shape ({head_dim // 2},), one for each pair of "
            f"features, got shape {tuple(frequencies.shape)}"
        )
        raise ValueError(msg)
    check_finite("frequencies", frequencies)
    if array_namespace(frequencies) is not xp:
        frequencies = xp.asarray(frequencies)
    home = wide_device(xp, device)
    if home is not device:  # such as MPS, which cannot widen them itself
        if frequencies.is_meta:  # no numbers: any will do
            frequencies = xp.zeros_like(frequencies, device=home)
        frequencies = to_device(frequencies, home)
    return to_device(xp.astype(frequencies, xp.float64, copy=False), home)


def angles_dtype(name: str, positions: Any, dtype: Any = None) -> Any:
    """Check `positions`; return the dtype of their angles, `dtype` if it is given.

    Half precision is refused, since it cannot count tokens. If it is the default of
    torch, integer positions get float32 angles.
    """
    check_real(name, positions)
    xp = array_namespace(positions)
    own = result_dtype(positions)
    check_positions(name, positions, far=TURNING)
    if dtype is None:
        return computing_dtype(xp, own)
    _, dtype = creation_namespace(xp, dtype)
    if dtype not in (xp.float32, xp.float64):
        msg = (
            f"dtype must be float32 or float64, got {dtype}: narrower angles are wrong "
            "by whole degrees; apply_rotary turns half precision by float32 angles"
        )
        raise TypeError(msg)
    return dtype


def multimodal_angles(
    positions: Real[Any, "axes ..."],
    head_dim: int,
    *,
    sections: Sequence[int],
    interleaved: bool = False,
    base: float = 10_000.0,
    frequencies: Float[Any, "{head_dim}//2"] | Sequence[float] | None = None,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Return the angles of M-RoPE, one progression whose pairs each follow one axis.

    Text has the same position on all axes, and then these are the angles of
    `rotary_angles`. (In `axial_angles` each axis has a progression of its own.)

    Parameters
    ----------
    positions : array of shape (axes, ...)
        Positions on each axis, often time, row and column, in tokens or patches.
    head_dim, base, frequencies
        As in `rotary_angles`.
    sections : sequence of `axes` ints
        Pairs of each axis: ``mrope_section``. They add up to ``head_dim // 2``.
    interleaved : bool, default False
        False: the first pairs follow the first axis, the next the second, … (Qwen2-VL).
        True: axes take turns, 0 1 2 0 1 2 …, until all but axis 0 have their share,
        which takes the rest (Qwen3-VL).

    Returns
    -------
    array of shape (*positions.shape[1:], head_dim // 2)
        Angles in radians for `apply_rotary`, with the dtype rule of `rotary_angles`. In
        both models the layout is 'half'. For positions of shape (axes, batch, seq_len)
        insert an axis for the heads: ``positions[:, :, None]``.

    Raises
    ------
    TypeError, ValueError
        As in `rotary_angles`; if `sections` do not fit the positions or the pairs.

    References
    ----------
    Wang et al. (2024), Qwen2-VL, https://arxiv.org/abs/2409.12191, sec. 2.1, and the
    models ``qwen2_vl`` and ``qwen3_vl`` of https://github.com/huggingface/transformers.

    Examples
    --------
    >>> import numpy as np
    >>> positions = np.asarray([[0.1], [0.2], [0.3]])  # time, row, column of one token
    >>> ones = np.ones(6)
    >>> setting = {"sections": [2, 2, 2], "frequencies": ones}
    >>> multimodal_angles(positions, 12, **setting)
    array([[0.1, 0.1, 0.2, 0.2, 0.3, 0.3]])
    >>> multimodal_angles(positions, 12, interleaved=True, **setting)
    array([[0.1, 0.2, 0.3, 0.1, 0.2, 0.3]])
    """
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    sizes = check_sections(sections, head_dim // 2)
    check_flag("interleaved", interleaved)
    check_real("positions", positions)
    if positions.ndim < 1 or positions.shape[0] != len(sizes):
        msg = (
            f"positions must have one row for each of the {len(sizes)} sections, got "
            f"shape {tuple(positions.shape)}: stack the axes first, (axes, ...)"
        )
        raise ValueError(msg)
    axes = _interleaved_axes(sizes) if interleaved else _contiguous_axes(sizes)
    every = rotary_angles(positions, head_dim, base=base, frequencies=frequencies)
    xp = array_namespace(positions)
    axis_of_pair = xp.asarray(axes, dtype=xp.int64, device=device_of(positions))
    rows = [
        xp.where(axis_of_pair == axis, every[axis, ...], 0.0)
        for axis in range(len(sizes))
    ]
    return sum(rows[1:], start=rows[0])  # one of them is not 0


def check_sections(sections: Any, pairs: int) -> list[int]:
    """Return sections as Python's integers; raise unless they add up to `pairs`."""
    try:
        given = list(sections)
    except TypeError:
        msg = f"sections must be a sequence of integers, got {sections!r}"
        raise TypeError(msg) from None
    sizes = [check_int("each of the sections", size) for size in given]
    if sum(sizes) != pairs:
        msg = (
            f"sections must add up to the {pairs} pairs of features, got {sizes}: "
            f"they are pairs, not features, and have the sum {sum(sizes)}"
        )
        raise ValueError(msg)
    return sizes


def _contiguous_axes(sizes: list[int]) -> list[int]:
    """Return the axis of each pair, such as 0 0 0 1 1 2 2."""
    return [axis for axis, size in enumerate(sizes) for _ in range(size)]


def _interleaved_axes(sizes: list[int]) -> list[int]:
    """Return the axis of each pair: 0 1 2 0 1 2 0; axis 0 gets all the rest."""
    axes, count = [0] * sum(sizes), len(sizes)
    for axis, size in list(enumerate(sizes))[1:]:
        if size and axis + count * (size - 1) >= len(axes):
            msg = (
                f"interleaved sections must leave room for each other, got {sizes}: "
                f"section {axis} would end beyond the last of {len(axes)} pairs"
            )
            raise ValueError(msg)
        axes[axis : count * size : count] = [axis] * size
    return axes


def axial_angles(
    rows: Real[Any, "..."],
    columns: Real[Any, "..."],
    head_dim: int,
    *,
    base: float = 10_000.0,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Return angles for two dimensions. Rows turn half of the pairs, columns the rest.

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
    r"""Return angles for three dimensions. Frames, rows, columns share the pairs.

    Each axis is a RoPE of its own with as many features as its pairs need. A section of
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
    """Return the angles of one RoPE for each axis, with its own number of pairs."""
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
