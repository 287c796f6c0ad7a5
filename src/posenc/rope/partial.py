"""Rotation of the first features of a head, as in GPT-J and GPT-NeoX."""

from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float

from posenc.core.checks import check_floating, check_namespace

from .layouts import Layout, check_tokens
from .turns import apply_rotary


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
