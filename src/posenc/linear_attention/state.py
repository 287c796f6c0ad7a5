"""What the sums over the keys are made of: features, decay, and an empty state."""

import numbers
from collections.abc import Iterator
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of

from posenc.core.arrays import relative_positions
from posenc.core.checks import check_choice
from posenc.core.dtypes import computing_dtype, widen
from posenc.rope import Layout, apply_rotary

from .feature_maps import FeatureMap, apply_feature_map

_ALL = slice(None)


def _slices(length: int, size: int) -> Iterator[slice]:
    """Cut `length` rows into pieces of `size`, the last of which may be shorter."""
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))


def _lift(
    feature_map: FeatureMap, angles: Any, layout: Layout, rotate_denominator: bool
) -> Any:
    """Make the map from tokens to their features in the numerator and denominator."""
    check_choice("layout", layout, ("interleaved", "half"))

    def lift(tokens: Any, rows: slice = _ALL) -> tuple[Any, Any]:
        features = apply_feature_map(feature_map, widen(tokens[..., rows, :]))
        if angles is None:
            return features, features
        if 2 * angles.shape[-1] != features.shape[-1]:
            msg = (
                f"angles must have one column per pair of the {features.shape[-1]} "
                f"features, got shape {tuple(angles.shape)}: feature_map decides how "
                "many features there are"
            )
            raise ValueError(msg)
        rotated = apply_rotary(features, angles[..., rows, :], layout=layout)
        return rotated, (rotated if rotate_denominator else features)

    return lift


def _empty_state(k_top: Any, k_bottom: Any, v: Any) -> tuple[Any, Any]:
    """State (r, E) and normalizer (1, r) before the first token: sums over no keys."""
    xp = array_namespace(k_top, v)
    S = xp.matmul(xp.matrix_transpose(k_top[..., :0, :]), widen(v[..., :0, :]))
    return S, xp.sum(k_bottom[..., :0, :], axis=-2, keepdims=True)


def _powers(decay: Any, length: int, like: Any) -> Any:
    """Matrix of decay ** (i - j) for queries i and keys j <= i, with 0 for j > i."""
    xp, device = array_namespace(like), device_of(like)
    steps = -relative_positions(length, length, xp=xp, device=device)
    steps = xp.astype(steps, xp.float64)
    powers = xp.astype(steps >= 0, xp.float64)
    if decay is not None:
        if isinstance(decay, numbers.Real):
            decay = xp.asarray(decay, dtype=xp.float64, device=device)
        factor = array_namespace(like, decay).astype(decay, xp.float64)
        powers = powers * factor[..., None, None] ** xp.abs(steps)
    return xp.astype(powers, computing_dtype(xp, like.dtype))
