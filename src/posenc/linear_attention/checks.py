"""Argument checks of `linear_attention` and its forms."""

import numbers
from typing import Any

from array_api_compat import is_array_api_obj

from posenc.core.checks import (
    check_batch,
    check_broadcast,
    check_floating,
    check_integral,
    check_mask,
    check_namespace,
    check_shape,
)
from posenc.core.dtypes import any_true, is_traced


def check_arguments(
    q: Any, k: Any, v: Any, *, causal: bool, angles: Any, decay: Any, mask: Any
) -> None:
    """Raise unless the arguments of a form fit each other."""
    check_inputs(q, k, v, mask)
    q_len, k_len = q.shape[-2], k.shape[-2]
    for name, needed in (("causal", causal), ("angles", angles is not None)):
        if needed and q_len != k_len:
            msg = (
                f"{name} needs as many queries as keys, one of each at every position, "
                f"got {q_len} queries and {k_len} keys"
            )
            raise ValueError(msg)
    if angles is not None:
        check_floating("angles", angles)
        check_namespace(q=q, angles=angles)
        check_shape("angles", angles, (k_len, "r / 2"), "one row per position")
    if decay is not None:
        check_decay(decay, causal=causal, batch=check_broadcast(q=q, k=k, v=v))


def check_state(state: Any, shape: tuple[int, int], batch: tuple[int, ...]) -> None:
    """Raise unless `state` fits r features and values of `shape`."""
    if not isinstance(state, tuple) or len(state) != 3:
        msg = (
            f"state must be a State, got {type(state).__name__}: "
            "pass what linear_attention_with_state returned"
        )
        raise TypeError(msg)
    S, z, length = state
    remedy = "the features and values of all calls must have the same size"
    for name, array, axes in (("S", S, shape), ("z", z, shape[:1])):
        check_floating(f"state.{name}", array)
        check_shape(f"state.{name}", array, axes, remedy)
        check_batch(f"state.{name}", array, batch, axes=len(axes))
    check_integral("state.length", length)


def check_decay(decay: Any, *, causal: bool, batch: tuple[int, ...]) -> None:
    """Raise unless `decay` lies in (0, 1]; values of arrays are read in eager mode."""
    if not causal:
        msg = (
            f"decay needs causal=True, got causal={causal}: for both directions give "
            "the logarithms of the factors to toeplitz_linear_attention"
        )
        raise ValueError(msg)
    if is_array_api_obj(decay):
        check_floating("decay", decay)
        check_batch("decay", decay, batch, axes=0)
        if is_traced(decay):
            return
        inside = not any_true(~((decay > 0) & (decay <= 1)))
    elif isinstance(decay, bool) or not isinstance(decay, numbers.Real):
        msg = f"decay must be a number or an array, got {decay!r}"
        raise TypeError(msg)
    else:
        number: Any = decay  # it may be an integer that no float holds
        inside = 0 < number <= 1
    if not inside:
        shown = f"{decay!s:.60}"
        msg = f"decay must be in (0, 1], got {shown}: a slope m of ALiBi gives exp(-m)"
        raise ValueError(msg)


def check_inputs(q: Any, k: Any, v: Any, mask: Any = None) -> None:
    """Raise unless queries, keys and values are of one kind and fit each other."""
    for name, array in (("q", q), ("k", k), ("v", v)):
        check_floating(name, array)
    check_namespace(q=q, k=k, v=v, mask=mask)
    check_shape("q", q, ("q_len", "head_dim"))
    check_shape("k", k, ("k_len", q.shape[-1]), "keys need the head_dim of the queries")
    check_shape("v", v, (k.shape[-2], "value_dim"), "one value per key")
    batch = check_broadcast(q=q, k=k, v=v)
    if mask is None:
        return
    if len(mask.shape) > 1 and mask.shape[-2] != 1:
        msg = (
            "mask must have one row for all queries, shape (..., 1, k_len), got shape "
            f"{tuple(mask.shape)}: sums over the keys hide a key from all of them. "
            "Padding of shape (batch, k_len) is mask[:, None, None, :]; causal=True "
            "hides later keys"
        )
        raise ValueError(msg)
    check_mask(mask, (*batch, 1, k.shape[-2]))
