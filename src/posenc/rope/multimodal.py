"""Angles for tokens with several positions: time, row and column."""

from collections.abc import Sequence
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core.checks import check_even, check_flag, check_int, check_real

from .angles import rotary_angles


def multimodal_angles(
    positions: Real[Any, "axes ..."],
    head_dim: int,
    *,
    sections: Sequence[int],
    interleaved: bool = False,
    base: float = 10_000.0,
    frequencies: Float[Any, "{head_dim}//2"] | Sequence[float] | None = None,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Angles of M-RoPE: one progression, each of whose pairs follows one axis.

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
    """Sections as Python's integers; raise unless they add up to `pairs`."""
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
    """Axis of each pair: 0 0 0 1 1 2 2."""
    return [axis for axis, size in enumerate(sizes) for _ in range(size)]


def _interleaved_axes(sizes: list[int]) -> list[int]:
    """Axis of each pair: 0 1 2 0 1 2 0; axis 0 takes what the others leave."""
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
