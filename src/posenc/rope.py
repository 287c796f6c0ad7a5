r"""Rotary position embedding (RoPE). Companion of ``book/rope.md``.

Feature pair :math:`i` of a query or key at position :math:`m` is turned in its plane by
the angle :math:`m\,\theta_i`, with :math:`\theta_i = b^{-2i/D}` and
:math:`i = 0, \dots, D/2 - 1`. The score of a rotated query and a rotated key then
depends on the two positions only through their offset.

Axis names: ``seq_len`` = L, ``head_dim`` = D (even), ``...`` = batch and heads.

References
----------
Su et al. (2021), RoFormer, https://arxiv.org/abs/2104.09864, sec. 3.4.2, eq. 34, and
sec. 3.4.3 for the decay.
"""

from typing import Any, Literal

import numpy as np
from array_api_compat import (
    array_namespace,
    is_array_api_obj,
    is_torch_array,
)
from array_api_compat import device as device_of
from jaxtyping import Complex, Float, Int, Real

from . import _angles
from ._arrays import creation_namespace, is_compiling, working_dtype
from ._checks import (
    check_choice,
    check_even,
    check_floating,
    check_number,
    check_shape,
)
from ._rope_variants import (
    Scaling,
    angles_dtype,
    axial_angles,
    scaled_angles,
    scaled_frequencies,
    xpos_scale,
    yarn_attention_factor,
)

__all__ = [
    "Layout",
    "Scaling",
    "apply_rotary",
    "apply_rotary_complex",
    "apply_rotary_real",
    "axial_angles",
    "decay_bound",
    "layout_permutation",
    "mean_partial_sum",
    "rotary_angles",
    "rotary_factors",
    "rotation_matrix",
    "scaled_angles",
    "scaled_frequencies",
    "xpos_scale",
    "yarn_attention_factor",
]

Layout = Literal["interleaved", "half"]


def rotary_angles(
    positions: Real[Any, "..."],
    head_dim: int,
    *,
    base: float = 10_000.0,
    dtype: Any = None,
) -> Float[Any, "... {head_dim}//2"]:
    r"""Angle :math:`m\,\theta_i` of every position and feature pair.

    Parameters
    ----------
    positions : array of any shape, often (seq_len,)
        Positions m, counted in tokens: integers, float32 or float64. They need not be
        whole (see `scaled_angles`) nor begin at 0 (cached decoding), and may differ
        from one sequence to the next (left padding, packed sequences): see Notes.
    head_dim : int
        Features per attention head, D. Even.
    base : float, default 10_000
        The b of the geometric progression; the longest wavelength is
        ``2 * pi * base ** (1 - 2 / head_dim)`` tokens.
    dtype : optional
        Floating dtype of the result. If not given, that of `positions`; integer
        positions give the default of the library (float64 in NumPy, float32 in torch).

    Returns
    -------
    array of shape (*positions.shape, head_dim // 2)
        Angles in radians, reduced modulo 2 pi, on the device of `positions`. They are
        formed in float64, so that a float32 result is right to 1e-6 far beyond position
        2**20.

    Raises
    ------
    TypeError, ValueError
        If `head_dim` is not positive and even, `base` is not positive, or `positions`
        holds NaN, infinity or numbers too narrow to count with.

    Notes
    -----
    If each sequence of a batch has positions of its own, the angles need an axis for
    the heads, since a query or key has shape (batch, num_heads, seq_len, head_dim):
    call ``rotary_angles(positions[:, None, :], head_dim)``.

    Examples
    --------
    >>> rotary_angles(np.asarray([0.0, 1.0, 2.0]), head_dim=4)
    array([[0.  , 0.  ],
           [1.  , 0.01],
           [2.  , 0.02]])
    """
    check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    dtype = angles_dtype("positions", positions, dtype)
    xp = array_namespace(positions)
    theta = _angles.frequencies(head_dim, base=base, xp=xp, device=device_of(positions))
    return xp.astype(_angles.angles(positions, theta), dtype, copy=False)


def apply_rotary(
    x: Float[Any, "... seq_len head_dim"],
    angles: Float[Any, "... seq_len head_dim//2"],
    *,
    layout: Layout = "interleaved",
    pair_scale: Float[Any, "..."] | None = None,
) -> Float[Any, "... seq_len head_dim"]:
    """Rotate each feature pair of `x` by its angle.

    `apply_rotary_real` is the same formula written out. Torch tensors take
    `apply_rotary_complex`, which reads and writes memory once, except under
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
        Which features form pair i: (2i, 2i + 1) as in the paper and in Llama's own
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

    >>> angles = np.asarray([[np.pi / 2, 0.0]])
    >>> apply_rotary(np.asarray([[1.0, 0.0, 3.0, 4.0]]), angles).round(6)
    array([[0., 1., 3., 4.]])
    >>> apply_rotary(np.asarray([[1.0, 3.0, 0.0, 4.0]]), angles, layout="half").round(6)
    array([[0., 3., 1., 4.]])
    """
    _check_input(x, layout)
    _check_fits("angles", angles, x)
    if pair_scale is not None:
        _check_fits("pair_scale", pair_scale, x)
    if is_torch_array(x) and not is_compiling(x):
        factors = rotary_factors(angles, pair_scale=pair_scale)
        return apply_rotary_complex(x, factors, layout=layout)
    return apply_rotary_real(x, angles, layout=layout, pair_scale=pair_scale)


def apply_rotary_real(
    x: Float[Any, "... seq_len head_dim"],
    angles: Float[Any, "... seq_len head_dim//2"],
    *,
    layout: Layout = "interleaved",
    pair_scale: Float[Any, "..."] | None = None,
) -> Float[Any, "... seq_len head_dim"]:
    """`apply_rotary` the plain way: a cosine and a sine for each pair (a, b)."""
    _check_input(x, layout)
    check_floating("angles", angles)
    _check_fits("angles", angles, x)
    xp = array_namespace(x, angles)
    cos, sin = xp.cos(angles), xp.sin(angles)  # (..., L, D/2)
    if pair_scale is not None:
        _check_fits("pair_scale", pair_scale, x)
        cos, sin = cos * pair_scale, sin * pair_scale
    dtype = working_dtype(x)
    cos, sin = xp.astype(cos, dtype), xp.astype(sin, dtype)
    a, b = _split_pairs(xp.astype(x, dtype, copy=False), layout)  # (..., L, D/2)
    rotated = _join_pairs(a * cos - b * sin, a * sin + b * cos, layout)
    return xp.astype(rotated, x.dtype, copy=False)


def rotary_factors(
    angles: Float[Any, "..."], *, pair_scale: Float[Any, "..."] | None = None
) -> Complex[Any, "..."]:
    r"""Rotations as complex numbers, :math:`e^{i\phi}` for each angle :math:`\phi`.

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
    >>> rotary_factors(np.asarray([0.0, np.pi / 2])).round(6)
    array([1.+0.j, 0.+1.j])
    """
    check_floating("angles", angles)
    xp = array_namespace(angles)
    cos, sin = xp.cos(angles), xp.sin(angles)
    if pair_scale is not None:
        check_floating("pair_scale", pair_scale)
        cos, sin = cos * pair_scale, sin * pair_scale
    return _to_complex(cos, sin)


def apply_rotary_complex(
    x: Float[Any, "... seq_len head_dim"],
    factors: Complex[Any, "... seq_len head_dim//2"],
    *,
    layout: Layout = "interleaved",
) -> Float[Any, "... seq_len head_dim"]:
    """`apply_rotary` as one multiplication of complex numbers.

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
    _check_input(x, layout)
    _check_fits("factors", factors, x)
    xp = array_namespace(x, factors)
    if not xp.isdtype(factors.dtype, "complex floating"):
        msg = (
            f"factors must hold complex numbers, got {factors.dtype}: "
            "make them with rotary_factors(angles)"
        )
        raise TypeError(msg)
    dtype = working_dtype(x)
    factors = xp.astype(
        factors, xp.complex128 if dtype == xp.float64 else xp.complex64, copy=False
    )
    x_wide = xp.astype(x, dtype, copy=False)
    if is_torch_array(x) and layout == "interleaved" and not is_compiling(x):
        #  memory   x0 x1 x2 x3 ...    seen as    x0 + i x1,  x2 + i x3, ...
        rotated = xp.view_as_real(_view_as_complex(x_wide) * factors).flatten(-2)
    else:
        pairs = _to_complex(*_split_pairs(x_wide, layout)) * factors
        rotated = _join_pairs(xp.real(pairs), xp.imag(pairs), layout)
    return xp.astype(rotated, x.dtype, copy=False)


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
    r"""Matrix :math:`R_m` that turns a column vector at position m: :math:`R_m\,x`.

    All but 2 of the D entries of each row are zero: this is for looking at and for
    proofs; `apply_rotary` does the same with 2 products per feature.

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
    check_number("position", position)
    xp, dtype = creation_namespace(xp, dtype)
    angles = rotary_angles(
        xp.asarray(position, dtype=xp.float64, device=device), head_dim, base=base
    )
    cos, sin = xp.astype(xp.cos(angles), dtype), xp.astype(xp.sin(angles), dtype)
    first, second = _split_pairs(xp.arange(head_dim, device=device), layout)
    matrix = xp.zeros((head_dim, head_dim), dtype=dtype, device=device)
    matrix[first, first], matrix[first, second] = cos, -sin
    matrix[second, first], matrix[second, second] = sin, cos
    return matrix


def layout_permutation(
    head_dim: int,
    *,
    source: Layout,
    target: Layout,
    xp: Any = np,
    device: Any = None,
) -> Int[Any, " {head_dim}"]:
    """Order of the features that turns one layout into the other.

    Parameters
    ----------
    head_dim : int
        Features per attention head, D. Even.
    source, target : {'interleaved', 'half'}
        Layout that the features have, and the one wanted.
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
    check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    check_choice("source", source, ("interleaved", "half"))
    check_choice("target", target, ("interleaved", "half"))
    features = xp.arange(head_dim, dtype=xp.int64, device=device)
    return _join_pairs(*_split_pairs(features, source), target)


def mean_partial_sum(
    distance: Real[Any, "..."] | int | float, head_dim: int, *, base: float = 10_000.0
) -> Float[Any, "..."]:
    r"""RoFormer's decay curve, the mean over j of :math:`|S_j|`.

    .. math:: S_j = \sum_{i=0}^{j-1} e^{\mathrm{i}\,(m-n)\,\theta_i},
        \qquad j = 1, \dots, D/2 .

    Parameters
    ----------
    distance : number or array of any shape
        Query position minus key position, :math:`m - n`, in tokens; the sign does not
        matter.
    head_dim, base
        As in `rotary_angles`.

    Returns
    -------
    array of the same shape
        (D/2 + 1)/2 at distance 0. A trend, neither falling at every step nor itself a
        bound of the score; for that see `decay_bound`.

    Raises
    ------
    TypeError, ValueError
        As in `rotary_angles`.

    Examples
    --------
    >>> mean_partial_sum(np.asarray([0, 10, 50, 100, 250]), 128).round(2)
    array([32.5 , 17.95, 12.63, 10.23,  6.55])
    """
    sums, dtype = _partial_sums(distance, head_dim, base)
    xp = array_namespace(sums)
    return xp.astype(xp.mean(sums, axis=-1), dtype)


def decay_bound(
    q: Float[Any, "... head_dim"],
    k: Float[Any, "... head_dim"],
    distance: Real[Any, "..."] | int | float,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
) -> Float[Any, "..."]:
    r"""Bound of the score's size at a distance, by summation by parts.

    With one complex number :math:`h_i = q_i k_i^*` per plane and :math:`h_{D/2} = 0`,

    .. math:: \Bigl|\sum_i h_i e^{\mathrm{i}(m-n)\theta_i}\Bigr|
        = \Bigl|\sum_{j=1}^{D/2} S_j\,(h_{j-1} - h_j)\Bigr|
        \le \max_i |h_{i+1} - h_i| \; \sum_{j=1}^{D/2} |S_j| .

    The score is the real part of the sum on the left.

    Parameters
    ----------
    q, k : arrays of shape (..., head_dim)
        A query and a key before rotation.
    distance : number or array
        Query position minus key position, in tokens. Its shape and the leading axes of
        `q` and `k` broadcast against each other: one query and one key with many
        distances give one bound for each.
    base, layout
        As in `rotary_angles` and `apply_rotary`.

    Returns
    -------
    array of the broadcast shape
        Bounds of the unscaled scores, with the dtype of `q` and `k`.

    Raises
    ------
    TypeError, ValueError
        As in `apply_rotary` and `rotary_angles`, or if `k` does not fit `q`.

    References
    ----------
    Su et al. (2021), RoFormer, sec. 3.4.3, eq. 35 to 37.
    """
    _check_input(q, layout)
    _check_input(k, layout, name="k")
    check_shape("k", k, (q.shape[-1],), "the key needs the head_dim of the query")
    xp = array_namespace(q, k)
    if not is_array_api_obj(distance):
        distance = xp.asarray(distance, dtype=xp.float64, device=device_of(q))
    q_wide, k_wide = (xp.astype(x, working_dtype(x), copy=False) for x in (q, k))
    h = _to_complex(*_split_pairs(q_wide, layout))
    h = h * xp.conj(_to_complex(*_split_pairs(k_wide, layout)))
    # The step after the last plane leads to zero: h_{D/2} = 0.
    steps = xp.concat([h[..., 1:] - h[..., :-1], -h[..., -1:]], axis=-1)
    largest = xp.max(xp.abs(steps), axis=-1)
    sums, _ = _partial_sums(distance, q.shape[-1], base)
    bound = largest * xp.astype(xp.sum(sums, axis=-1), largest.dtype)
    return xp.astype(bound, xp.result_type(q, k), copy=False)


def _partial_sums(distance: Any, head_dim: int, base: float) -> tuple[Any, Any]:
    """float64 array (..., D/2) of the sizes |S_j|, and the dtype their mean gets."""
    if not is_array_api_obj(distance):
        distance = np.asarray(distance)
    xp = array_namespace(distance)
    dtype = angles_dtype("distance", distance)
    angles = rotary_angles(distance, head_dim, base=base, dtype=xp.float64)
    sums = xp.cumulative_sum(rotary_factors(angles), axis=-1)
    return xp.abs(sums), dtype


def _split_pairs(x: Any, layout: str) -> tuple[Any, Any]:
    """First and second member of every pair; two views of shape (..., D/2)."""
    if layout == "interleaved":
        return x[..., 0::2], x[..., 1::2]  # [a0 b0 a1 b1 ...]
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]  # [a0 a1 ... b0 b1 ...]


def _join_pairs(a: Any, b: Any, layout: str) -> Any:
    """Undo `_split_pairs`: a new array of shape (..., D)."""
    xp = array_namespace(a, b)
    if layout == "half":
        return xp.concat([a, b], axis=-1)
    return xp.reshape(xp.stack([a, b], axis=-1), (*a.shape[:-1], 2 * a.shape[-1]))


def _to_complex(a: Any, b: Any) -> Any:
    """Complex numbers a + ib."""
    return array_namespace(a).complex(a, b) if is_torch_array(a) else a + 1j * b


def _view_as_complex(x: Any) -> Any:
    """Torch tensor (..., D) seen as (..., D/2) complex numbers, copied if need be."""
    even = x.storage_offset() % 2 == 0 and all(s % 2 == 0 for s in x.stride()[:-1])
    if x.stride(-1) != 1 or not even:  # complex numbers cannot begin at odd addresses
        x = x.clone(memory_format=array_namespace(x).contiguous_format)
    return array_namespace(x).view_as_complex(x.unflatten(-1, (-1, 2)))


def _check_input(x: Any, layout: str, name: str = "x") -> None:
    check_choice("layout", layout, ("interleaved", "half"))
    check_floating(name, x)
    check_shape(name, x, ("head_dim",))
    check_even("head_dim", x.shape[-1], remedy="features are rotated in pairs")


def _check_fits(name: str, array: Any, x: Any) -> None:
    """Raise unless `array` has a row of D/2 numbers for each token of `x`."""
    check_shape("x", x, ("seq_len", "head_dim"))
    want, have = (*x.shape[:-1], x.shape[-1] // 2), tuple(array.shape)
    same_axes = len(have) == len(want) and all(
        a in (1, b) for a, b in zip(have, want, strict=True)
    )
    if have[-2:] != want[-2:] or not (len(have) == 2 or same_axes):
        msg = (
            f"{name} must have shape {want[-2:]}, or as many axes as x with leading "
            f"lengths 1 or equal, to fit x of shape {tuple(x.shape)}, got shape "
            f"{have}: if each sequence has its own positions, give them an axis for "
            "the heads, positions[:, None, :]"
        )
        raise ValueError(msg)
