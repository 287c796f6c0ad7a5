"""The parts of the sums over the keys: features, decay, and the state itself."""

import numbers
from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple

from array_api_compat import array_namespace, is_torch_array
from array_api_compat import device as device_of

from posenc.core.checks import (
    broadcast_shape,
    check_broadcast,
    check_choice,
    check_flag,
)
from posenc.core.dtypes import cast, computing_dtype, wide_dtype
from posenc.rope import Layout, apply_rotary

from .checks import check_state
from .feature_maps import FeatureMap, apply_feature_map

#: Tokens per chunk: measured, see ``benchmarks/linear_attention.py``.
CHUNK_SIZE = 128


class State(NamedTuple):
    r"""The whole past of causal linear attention; its size does not grow.

    Attributes
    ----------
    S : array of shape (..., r, value_dim)
        The state :math:`S_t = \sum_{j \le t} \lambda^{t-j} \varphi(k_j)^\top v_j`.
    z : array of shape (..., r)
        The normalizer :math:`z_t = \sum_{j \le t} \lambda^{t-j} \varphi(k_j)`.
    length : integer array of shape ()
        Tokens read so far, which is the position of the next one.
    """

    S: Any
    z: Any
    length: Any


class Lift(NamedTuple):
    """The map from tokens to their features in the numerator and the denominator.

    Attributes
    ----------
    dtype, wide : dtype
        Dtype of the result, and the one to compute in.
    """

    feature_map: FeatureMap
    layout: Layout
    rotate_denominator: bool
    dtype: Any
    wide: Any

    @classmethod
    def of(
        cls,
        q: Any,
        k: Any,
        v: Any,
        feature_map: FeatureMap,
        layout: Layout,
        rotate_denominator: bool,
    ) -> "Lift":
        """Return the map for such arrays and options, which are checked."""
        check_choice("layout", layout, ("interleaved", "half"))
        check_flag("rotate_denominator", rotate_denominator)
        xp = array_namespace(q, k, v)
        dtype = xp.result_type(q, k, v)
        wide = computing_dtype(xp, dtype)
        return cls(feature_map, layout, rotate_denominator, dtype, wide)

    def __call__(self, tokens: Any, angles: Any) -> tuple[Any, Any]:
        """Return features of `tokens`; `angles` (or None) has a row for each."""
        features = apply_feature_map(self.feature_map, cast(tokens, self.wide))
        if angles is None:
            return features, features
        if 2 * angles.shape[-1] != features.shape[-1]:
            msg = (
                f"angles must have one column per pair of the {features.shape[-1]} "
                f"features, got shape {tuple(angles.shape)}: feature_map decides how "
                "many features there are"
            )
            raise ValueError(msg)
        rotated = apply_rotary(features, angles, layout=self.layout)
        return rotated, (rotated if self.rotate_denominator else features)


def hide_keys(
    q: Any, k: Any, v: Any, mask: Any, feature_map: Any
) -> tuple[Any, Any, Any, Any]:
    """Return tokens and a feature map without the keys where `mask` is False.

    Zeros are not enough, since they have features too. A last column of each token is 0
    for hidden keys; it is cut into chunks with the token, and the map reads it.
    """
    if mask is None:
        return q, k, v, feature_map
    xp = array_namespace(q, k, v)
    shape = broadcast_shape(tuple(mask.shape), (1, k.shape[-2]))
    counts = xp.broadcast_to(mask, shape).mT
    # The map must not see hidden keys, since its gradient there may be 0 * NaN.
    k, v = xp.where(counts, k, 0.0), xp.where(counts, v, 0.0)
    counts = xp.broadcast_to(counts, (*k.shape[:-1], 1))

    def features(tokens: Any) -> Any:
        rows = apply_feature_map(feature_map, tokens[..., :-1])
        return xp.where(tokens[..., -1:] == 0, 0.0, rows)

    queries = xp.ones((*q.shape[:-1], 1), dtype=q.dtype, device=device_of(q))
    q = xp.concat([q, queries], axis=-1)
    return q, xp.concat([k, xp.astype(counts, k.dtype)], axis=-1), v, features


def _split(x: Any, size: int | None) -> list[Any]:
    """Cut the rows of `x` into pieces of `size`; the last one may be shorter, or empty.

    In torch one operation makes all the pieces, and its gradient puts theirs together.
    The gradient of a slice is as long as the sequence and zero but for the slice. With
    a slice for each chunk, training would take time quadratic in the length.
    """
    if size is None or x.shape[-2] <= size:
        return [x]
    if is_torch_array(x):
        return list(array_namespace(x).split(x, size, dim=-2))
    starts = range(0, max(x.shape[-2], 1), size)
    return [x[..., start : start + size, :] for start in starts]


def _split_angles(angles: Any, size: int | None) -> Iterable[Any]:
    """Return `_split`, or None without end if nothing is rotated."""
    return repeat(None) if angles is None else _split(angles, size)


def _runs_all_at_once(*arrays: Any) -> bool:
    """Return True if a loop over chunks saves nothing, or costs more than it saves.

    Torch keeps all intermediate arrays if it records gradients, and small products
    leave a GPU idle.
    """
    tensors = [array for array in arrays if is_torch_array(array)]
    if any(not array.is_cpu for array in tensors):
        return True
    recorded = any(array.requires_grad for array in tensors)
    return recorded and bool(array_namespace(*arrays).is_grad_enabled())


def _start(state: State | None, k_top: Any, q: Any, k: Any, v: Any) -> tuple[Any, Any]:
    """Return the first state (r, E) and normalizer (r, 1), by default zeros."""
    r, value_dim = k_top.shape[-1], v.shape[-1]
    if state is not None:
        check_state(state, (r, value_dim), check_broadcast(q=q, k=k, v=v))
        return cast(state.S, k_top.dtype), cast(state.z, k_top.dtype)[..., None]
    options = {"dtype": k_top.dtype, "device": device_of(k_top)}
    xp = array_namespace(k_top)
    return xp.zeros((r, value_dim), **options), xp.zeros((r, 1), **options)


def _end(past: tuple[Any, Any], state: State | None, k: Any) -> State:
    """Return the state after the keys `k`, from its sums."""
    (S, z), xp, count = past, array_namespace(k), k.shape[-2]
    before = 0 if state is None else state.length
    length = before + xp.full((), count, dtype=xp.int64, device=device_of(k))
    return State(S, z[..., 0], length)


class _Spans(NamedTuple):
    """Powers of the decay between the rows of a chunk and the states around it."""

    within: Any  #: lambda^(i-j) from key j to query i, and 0 for later keys
    since: Any  #: lambda^(i+1) from the state to query i; these are None without decay
    until: Any  #: lambda^(count-1-j) from key j to the end
    whole: Any  #: lambda^count from the state to the end


def _spans(decay: Any, powers: Any, count: int) -> _Spans:
    """Return spans of a chunk of `count` tokens, from a larger matrix of `_powers`."""
    within = powers[..., :count, :count]
    if decay is None:
        return _Spans(within, None, None, None)
    last = powers[..., count : count + 1, :]
    since, until = powers[..., 1 : count + 1, :1], last[..., 1 : count + 1].mT
    return _Spans(within, since, until, last[..., :1])


def _spans_of_chunks(decay: Any, powers: Any, counts: Any) -> _Spans:
    """Return spans with an axis for the chunks; the last may have fewer tokens."""
    size = powers.shape[-1] - 1
    within, since, _, _ = _spans(decay, powers[..., None, :, :], size)
    if decay is None:
        return _Spans(within, None, None, None)
    rows = powers[..., counts, :, None]  # decay ** (count - j), and 0 where j > count
    return _Spans(within, since, rows[..., 1:, :], rows[..., :1, :])


def _fade(x: Any, factor: Any) -> Any:
    """Return ``x * factor``, or `x` without decay, in a third of the time."""
    return x if factor is None else x * factor


def _powers(decay: Any, positions: Any, dtype: Any) -> Any:
    """Return decay ** (i - j) for the positions i and j <= i, with 0 for j > i."""
    xp, device = array_namespace(positions), device_of(positions)
    wide = wide_dtype(xp, device)
    steps = xp.astype(positions[:, None] - positions, wide)
    powers = xp.astype(steps >= 0, wide)
    if decay is not None:
        if isinstance(decay, numbers.Real):
            decay = xp.asarray(float(decay), dtype=wide, device=device)
        factor = array_namespace(positions, decay).astype(decay, wide)
        powers = powers * factor[..., None, None] ** xp.abs(steps)
    return xp.astype(powers, dtype)


def _positions(like: Any, length: int) -> Any:
    """Return 0, 1, … with the library and device of an array."""
    return array_namespace(like).arange(length, device=device_of(like))


def _factor(decay: Any, dtype: Any) -> Any:
    """Return the decay of one step, for states of two axes; None without."""
    if decay is None:
        return None
    if isinstance(decay, numbers.Real):
        return float(decay)
    return cast(decay, dtype)[..., None, None]
