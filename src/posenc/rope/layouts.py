"""Which features form a pair."""

from typing import Any, Literal

import numpy as np
from array_api_compat import array_namespace, is_torch_array
from jaxtyping import Int

from posenc.core.checks import check_choice, check_even, check_floating, check_shape
from posenc.core.dtypes import integer_namespace

Layout = Literal["interleaved", "half"]


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
    head_dim = check_even("head_dim", head_dim, remedy="features are rotated in pairs")
    check_choice("source", source, ("interleaved", "half"))
    check_choice("target", target, ("interleaved", "half"))
    xp = integer_namespace(xp, device)
    features = xp.arange(head_dim, dtype=xp.int64, device=device)
    return join_pairs(*split_pairs(features, source), target)


def split_pairs(x: Any, layout: str) -> tuple[Any, Any]:
    """First and second member of every pair; two views of shape (..., D/2)."""
    if layout == "interleaved":
        return x[..., 0::2], x[..., 1::2]  # [a0 b0 a1 b1 ...]
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]  # [a0 a1 ... b0 b1 ...]


def join_pairs(a: Any, b: Any, layout: str) -> Any:
    """Undo `split_pairs`: a new array of shape (..., D)."""
    xp = array_namespace(a, b)
    if layout == "half":
        return xp.concat([a, b], axis=-1)
    return xp.reshape(xp.stack([a, b], axis=-1), (*a.shape[:-1], 2 * a.shape[-1]))


def to_complex(a: Any, b: Any) -> Any:
    """Complex numbers a + ib."""
    return array_namespace(a).complex(a, b) if is_torch_array(a) else a + 1j * b


def check_tokens(
    name: str, x: Any, layout: str, axes: tuple[str, ...] = ("head_dim",)
) -> None:
    """Raise unless the last axes of `x` are `axes`, and its features pair up."""
    check_choice("layout", layout, ("interleaved", "half"))
    check_floating(name, x)
    check_shape(name, x, axes)
    check_even("head_dim", x.shape[-1], remedy="features are rotated in pairs")
