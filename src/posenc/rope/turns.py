"""Rotation of queries and keys by their angles, in real and complex numbers."""

from typing import Any

from array_api_compat import array_namespace, is_torch_array
from jaxtyping import Complex, Float

from posenc.core.checks import (
    broadcast_shape,
    check_array,
    check_floating,
    check_namespace,
)
from posenc.core.dtypes import cast, is_traced, upcast

from . import blocks
from .layouts import Layout, check_tokens, join_pairs, split_pairs, to_complex


def apply_rotary(
    x: Float[Any, "... seq_len head_dim"],
    angles: Float[Any, "... seq_len head_dim//2"],
    *,
    layout: Layout = "interleaved",
    pair_scale: Float[Any, "..."] | None = None,
) -> Float[Any, "... seq_len head_dim"]:
    """Rotate each feature pair of `x` by its angle.

    `apply_rotary_real` is the same formula written out. Torch tensors take
    `apply_rotary_complex`, which needs fewer passes over memory, except under
    torch.compile, which fuses the real form and cannot fuse complex numbers.

    Parameters
    ----------
    x : array of shape (..., seq_len, head_dim)
        Queries or keys.
    angles : array of shape (seq_len, head_dim // 2) or (..., seq_len, head_dim // 2)
        From `rotary_angles`; radians, counter-clockwise. With two axes they hold for
        every batch entry and head. Otherwise they need as many axes as `x`, and their
        leading axes are 1 or those of `x`: (batch, 1, seq_len, head_dim // 2) if each
        sequence has its own positions. (Three axes for an `x` of four are refused: they
        would be taken for heads.)
    layout : {'interleaved', 'half'}, default 'interleaved'
        Features of pair i: (2i, 2i + 1) as in the paper and in Llama's own
        code, or (i, i + D/2) as in GPT-NeoX and the checkpoints on Hugging Face.
        Weights trained with one layout are wrong under the other; `layout_permutation`
        maps them.
    pair_scale : array with the shape rule of `angles`, optional
        Factor of each pair's length, as in xPos (`xpos_scale`); none if not given.

    Returns
    -------
    array of shape (..., seq_len, head_dim)
        A new array with the dtype of `x`; `x` is unchanged, and the norm of each pair
        is kept (times `pair_scale`). Half-precision numbers are rotated in float32.

    Raises
    ------
    TypeError, ValueError
        If `x` does not hold floating-point numbers, its head_dim is odd, `layout` is
        unknown, or `angles` does not fit the last two axes of `x`.

    Examples
    --------
    A quarter turn of the first pair, none of the second:

    >>> import numpy as np
    >>> angles = np.asarray([[np.pi / 2, 0.0]])
    >>> apply_rotary(np.asarray([[1.0, 0.0, 3.0, 4.0]]), angles).round(6)
    array([[0., 1., 3., 4.]])
    >>> apply_rotary(np.asarray([[1.0, 3.0, 0.0, 4.0]]), angles, layout="half").round(6)
    array([[0., 3., 1., 4.]])
    """
    _check_arguments(x, angles, layout, pair_scale)
    if is_torch_array(x) and not is_traced(x):
        return _rotate_complex(x, _factors(angles, pair_scale), layout)
    return _rotate_real(x, angles, layout, pair_scale)


def apply_rotary_real(
    x: Float[Any, "... seq_len head_dim"],
    angles: Float[Any, "... seq_len head_dim//2"],
    *,
    layout: Layout = "interleaved",
    pair_scale: Float[Any, "..."] | None = None,
) -> Float[Any, "... seq_len head_dim"]:
    """Rotate by a cosine and a sine for each pair (a, b), the plain `apply_rotary`."""
    _check_arguments(x, angles, layout, pair_scale)
    return _rotate_real(x, angles, layout, pair_scale)


def _rotate_real(x: Any, angles: Any, layout: str, pair_scale: Any) -> Any:
    """Compute `apply_rotary_real` of arguments that fit."""
    xp, wide, angles = array_namespace(x, angles), upcast(x), upcast(angles)
    cos, sin = xp.cos(angles), xp.sin(angles)  # (..., L, D/2)
    if pair_scale is not None:
        cos, sin = cos * pair_scale, sin * pair_scale
    cos, sin = cast(cos, wide.dtype), cast(sin, wide.dtype)
    return cast(_turn_pairs(wide, cos, sin, layout), x.dtype)


def _turn_pairs(x: Any, cos: Any, sin: Any, layout: str) -> Any:
    """Turn each pair (a, b) by its angle, given as cosine and sine."""
    a, b = split_pairs(x, layout)  # (..., L, D/2)
    return join_pairs(a * cos - b * sin, a * sin + b * cos, layout)


def rotary_factors(
    angles: Float[Any, "..."], *, pair_scale: Float[Any, "..."] | None = None
) -> Complex[Any, "..."]:
    r"""Return rotations as complex numbers, :math:`e^{\mathrm{i}\phi}`.

    Parameters
    ----------
    angles : array of any shape
        From `rotary_angles`, in radians.
    pair_scale : array that broadcasts against `angles`, optional
        Factor of each pair's length, as in xPos (`xpos_scale`).

    Returns
    -------
    complex array of that shape
        For `apply_rotary_complex`. Queries and keys of all layers can share it.

    Raises
    ------
    TypeError
        If `angles` does not hold floating-point numbers.

    Examples
    --------
    >>> import numpy as np
    >>> rotary_factors(np.asarray([0.0, np.pi / 2])).round(6)
    array([1.+0.j, 0.+1.j])
    """
    check_floating("angles", angles)
    if pair_scale is not None:
        check_floating("pair_scale", pair_scale)
        check_namespace(angles=angles, pair_scale=pair_scale)
    return _factors(angles, pair_scale)


def _factors(angles: Any, pair_scale: Any = None) -> Any:
    """Compute `rotary_factors` of arguments that fit."""
    xp, angles = array_namespace(angles), upcast(angles)  # torch: no complex bfloat16
    cos, sin = xp.cos(angles), xp.sin(angles)
    if pair_scale is not None:
        cos, sin = cos * pair_scale, sin * pair_scale
    return to_complex(cos, sin)


def apply_rotary_complex(
    x: Float[Any, "... seq_len head_dim"],
    factors: Complex[Any, "... seq_len head_dim//2"],
    *,
    layout: Layout = "interleaved",
) -> Float[Any, "... seq_len head_dim"]:
    """Compute `apply_rotary` as one multiplication of complex numbers.

    Parameters
    ----------
    x : array of shape (..., seq_len, head_dim)
        Queries or keys.
    factors : complex array of shape (..., seq_len, head_dim // 2)
        From `rotary_factors`, with the shape rule of the angles in `apply_rotary`.
    layout : {'interleaved', 'half'}, default 'interleaved'
        As in `apply_rotary`. Only interleaved pairs are neighbors in memory, so that
        `x` can be seen as complex numbers without a copy.

    Returns
    -------
    array of shape (..., seq_len, head_dim)
        A new array with the dtype of `x`. Half-precision numbers are rotated in
        float32.

    Raises
    ------
    TypeError, ValueError
        As in `apply_rotary`.
    """
    check_tokens("x", x, layout, ("seq_len", "head_dim"))
    check_array("factors", factors)
    _check_fits("factors", factors, x)
    if not array_namespace(factors).isdtype(factors.dtype, "complex floating"):
        msg = (
            f"factors must hold complex numbers, got {factors.dtype}: "
            "make them with rotary_factors(angles)"
        )
        raise TypeError(msg)
    return _rotate_complex(x, factors, layout)


def _rotate_complex(x: Any, factors: Any, layout: str) -> Any:
    """Compute `apply_rotary_complex` of arguments that fit."""
    xp = array_namespace(x, factors)
    double = x.dtype.itemsize >= 8
    factors = cast(factors, xp.complex128 if double else xp.complex64)
    if not is_torch_array(x):
        pairs = to_complex(*split_pairs(x, layout)) * factors
        rotated = join_pairs(xp.real(pairs), xp.imag(pairs), layout)
    elif is_traced(x):  # compilers fuse real numbers only
        cos, sin = xp.view_as_real(factors).unbind(-1)
        rotated = _turn_pairs(upcast(x), cos, sin, layout)
    else:
        rotated = rotate_table(x, turning_table(factors, layout), layout)
    return cast(rotated, x.dtype)


def turning_table(factors: Any, layout: str) -> tuple[Any, ...]:
    """Return the factors of `rotate_table`: (L, D/2) complex, or two (L, D) real."""
    if layout == "interleaved":
        return (factors,)
    xp, cos, sin = array_namespace(factors), factors.real, factors.imag
    return xp.concat([cos, cos], axis=-1), xp.concat([-sin, sin], axis=-1)


def rotate_table(x: Any, table: tuple[Any, ...], layout: str) -> Any:
    """Turn a torch tensor in few passes over memory, also by its gradient.

    It takes views and whole rows only. A slice that is written, or that has a gradient,
    costs another tensor of zeros, and complex numbers of distant halves four copies.
    Half precision is turned in float32.
    """
    import torch  # loaded already, since x is a tensor

    if layout == "half" and blocks.gain(x, table):
        return blocks.turn_halves(x, *table)
    narrow = x.dtype in (torch.bfloat16, torch.float16)
    wide = x.float() if narrow else x
    if layout == "interleaved":
        #  memory   x0 x1 x2 x3 ...    seen as    x0 + i x1,  x2 + i x3, ...
        turned = torch.view_as_real(_view_as_complex(wide) * table[0]).flatten(-2)
    else:
        #  row      a b   times   cos cos,   and   b a   times   -sin sin
        swapped = wide.roll(x.shape[-1] // 2, -1)
        turned = torch.addcmul(wide * table[0], swapped, table[1])
    return turned.to(dtype=x.dtype) if narrow else turned


def _view_as_complex(x: Any) -> Any:
    """View a torch tensor (..., D) as (..., D/2) complex numbers, or a copy of it."""
    import torch

    # The quick test comes first: for one token, the others cost most of the time.
    if not (x.is_contiguous() and x.storage_offset() % 2 == 0):
        even = x.storage_offset() % 2 == 0 and all(s % 2 == 0 for s in x.stride()[:-1])
        if x.stride(-1) != 1 or not even:  # complex numbers begin at even addresses
            x = x.clone(memory_format=torch.contiguous_format)
    return torch.view_as_complex(x.unflatten(-1, (-1, 2)))


def _check_arguments(x: Any, angles: Any, layout: str, pair_scale: Any) -> None:
    check_tokens("x", x, layout, ("seq_len", "head_dim"))
    check_floating("angles", angles)
    _check_fits("angles", angles, x)
    if pair_scale is not None:
        check_floating("pair_scale", pair_scale)
        _check_fits("pair_scale", pair_scale, x)


def _check_fits(name: str, array: Any, x: Any) -> None:
    """Raise unless `array` has a row of D/2 numbers for each token of `x`."""
    check_namespace(x=x, **{name: array})
    needed, shape = (*x.shape[:-1], x.shape[-1] // 2), tuple(array.shape)
    shared = len(shape) == 2
    own = len(shape) == len(needed) and broadcast_shape(shape, needed) == needed
    if shape[-2:] != needed[-2:] or not (shared or own):
        msg = (
            f"{name} must have shape {needed[-2:]}, or as many axes as x with leading "
            f"lengths 1 or equal, to fit x of shape {tuple(x.shape)}, got shape "
            f"{shape}: if each sequence has its own positions, give them an axis for "
            "the heads, positions[:, None, :]"
        )
        raise ValueError(msg)


def apply_partial_rotary(
    x: Float[Any, "... seq_len head_dim"],
    angles: Float[Any, "... seq_len pairs"],
    *,
    layout: Layout = "interleaved",
) -> Float[Any, "... seq_len head_dim"]:
    """Rotate the first features of `x`, as many as `angles` has pairs for.

    Parameters
    ----------
    x : array of shape (..., seq_len, head_dim)
        Queries or keys.
    angles : array of shape (seq_len, pairs) or (..., seq_len, pairs)
        As in `apply_rotary`, from ``rotary_angles(positions, 2 * pairs)``: in
        configurations 2 * pairs is ``int(head_dim * partial_rotary_factor)``.
    layout : {'interleaved', 'half'}, default 'interleaved'
        As in `apply_rotary`; the halves are those of the first 2 * pairs features.

    Returns
    -------
    array of shape (..., seq_len, head_dim)
        A new array with the dtype of `x`; the other features are those of `x`.

    Raises
    ------
    TypeError, ValueError
        As in `apply_rotary`; if `angles` has more pairs than `x`.

    References
    ----------
    ``rotary_dim`` of GPT-J and ``rotary_pct`` of GPT-NeoX:
    https://github.com/kingoflolz/mesh-transformer-jax and Black et al. (2022),
    GPT-NeoX-20B, https://arxiv.org/abs/2204.06745, sec. 2.1.

    Examples
    --------
    >>> import numpy as np
    >>> angles = np.asarray([[np.pi / 2]])
    >>> apply_partial_rotary(np.asarray([[1.0, 0.0, 3.0, 4.0]]), angles).round(6)
    array([[0., 1., 3., 4.]])
    """
    check_tokens("x", x, layout, ("seq_len", "head_dim"))
    check_floating("angles", angles)
    check_namespace(x=x, angles=angles)
    turned = 2 * angles.shape[-1] if angles.ndim else 0
    if not 0 < turned <= x.shape[-1]:
        msg = (
            f"angles must have 1 to {x.shape[-1] // 2} pairs to fit x of shape "
            f"{tuple(x.shape)}, got shape {tuple(angles.shape)}"
        )
        raise ValueError(msg)
    first = apply_rotary(x[..., :turned], angles, layout=layout)
    return array_namespace(x).concat([first, x[..., turned:]], axis=-1)
