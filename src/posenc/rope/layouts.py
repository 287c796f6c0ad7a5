"""Pairs of features in both layouts, and the rotation as a matrix."""

from typing import Any, Literal

import numpy as np
from array_api_compat import array_namespace, is_torch_array
from jaxtyping import Float, Int

from posenc.core.checks import (
    TURNING,
    check_choice,
    check_even,
    check_floating,
    check_number,
    check_positions,
    check_shape,
)
from posenc.core.dtypes import (
    creation_namespace,
    integer_namespace,
    placed,
    wide_device,
)

from .angles import rotary_angles

Layout = Literal["interleaved", "half"]


def layout_permutation(
    head_dim: int,
    *,
    source: Layout,
    target: Layout,
    xp: Any = np,
    device: Any = None,
) -> Int[Any, " {head_dim}"]:
    """Return the order of the features that turns one layout into the other.

    Parameters
    ----------
    head_dim : int
        Features per attention head, D. Even.
    source, target : {'interleaved', 'half'}
        Layout that the features have, and the one to give them.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    int64 array of shape (head_dim,)
        ``x[..., permutation]`` has the layout `target` if `x` has `source`.

    Raises
    ------
    TypeError, ValueError
        If `head_dim` is not positive and even, or a layout is unknown.

    Notes
    -----
    A checkpoint is mapped by permuting, head by head, the *output* features of the
    projections that make queries and keys (values are not rotated). For a torch weight
    of shape (num_heads * D, d_model)::

        heads = weight.reshape(num_heads, D, d_model)
        weight = heads[:, permutation].reshape(num_heads * D, d_model)

    Examples
    --------
    >>> layout_permutation(6, source="interleaved", target="half")
    array([0, 2, 4, 1, 3, 5])
    >>> layout_permutation(6, source="half", target="interleaved")
    array([0, 3, 1, 4, 2, 5])
    """
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    check_choice("source", source, ("interleaved", "half"))
    check_choice("target", target, ("interleaved", "half"))
    xp = integer_namespace(xp, device)
    features = xp.arange(head_dim, dtype=xp.int64, device=device)
    return join_pairs(*split_pairs(features, source), target)


def split_pairs(x: Any, layout: str) -> tuple[Any, Any]:
    """Return first and second member of every pair, two views of shape (..., D/2)."""
    if layout == "interleaved":
        return x[..., 0::2], x[..., 1::2]  # [a0 b0 a1 b1 ...]
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]  # [a0 a1 ... b0 b1 ...]


def join_pairs(a: Any, b: Any, layout: str) -> Any:
    """Undo `split_pairs`; return a new array of shape (..., D)."""
    xp = array_namespace(a, b)
    if layout == "half":
        return xp.concat([a, b], axis=-1)
    return xp.reshape(xp.stack([a, b], axis=-1), (*a.shape[:-1], 2 * a.shape[-1]))


def to_complex(a: Any, b: Any) -> Any:
    """Return complex numbers a + ib."""
    return array_namespace(a).complex(a, b) if is_torch_array(a) else a + 1j * b


def check_tokens(
    name: str, x: Any, layout: str, axes: tuple[str, ...] = ("head_dim",)
) -> None:
    """Raise unless the last axes of `x` are `axes`, and its features pair up."""
    check_choice("layout", layout, ("interleaved", "half"))
    check_floating(name, x)
    check_shape(name, x, axes)
    check_even("head_dim", x.shape[-1], remedy="features are rotated in pairs")


def rotation_matrix(
    position: int | float,
    head_dim: int,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{head_dim} {head_dim}"]:
    r"""Return the matrix :math:`R_m` that turns a column vector at position m.

    All but 2 of the D entries of each row are zero. The matrix is for proofs and for
    looking at; `apply_rotary` computes :math:`R_m\,x` with 2 products per feature.

    Parameters
    ----------
    position : int or float
        Position m, in tokens.
    head_dim, base, layout
        As in `rotary_angles` and `apply_rotary`.
    xp, dtype, device
        Array library of the result (default NumPy), its dtype (default: that of the
        library) and its device.

    Returns
    -------
    array of shape (head_dim, head_dim)
        Orthogonal, with determinant 1. ``rotation_matrix(m, ...).T @
        rotation_matrix(n, ...)`` is the matrix of position n - m.

    Raises
    ------
    TypeError, ValueError
        As in `rotary_angles` and `apply_rotary`.

    Examples
    --------
    >>> rotation_matrix(1, 4, base=100.0).round(2)
    array([[ 0.54, -0.84,  0.  ,  0.  ],
           [ 0.84,  0.54,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  1.  , -0.1 ],
           [ 0.  ,  0.  ,  0.1 ,  1.  ]])
    """
    check_choice("layout", layout, ("interleaved", "half"))
    position = check_number("position", position)
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    xp, dtype = creation_namespace(xp, dtype, device)
    home = wide_device(xp, device)
    place = xp.asarray(position, dtype=xp.float64, device=home)
    check_positions("position", place, far=TURNING)
    angles = rotary_angles(place, head_dim, base=base)
    cos, sin = xp.astype(xp.cos(angles), dtype), xp.astype(xp.sin(angles), dtype)
    first, second = split_pairs(xp.arange(head_dim, device=home), layout)
    matrix = xp.zeros((head_dim, head_dim), dtype=dtype, device=home)
    matrix[first, first], matrix[first, second] = cos, -sin
    matrix[second, first], matrix[second, second] = sin, cos
    return placed(matrix, home, device)
