"""Argument checks shared by every encoding: name, rule, value received, remedy."""

import math
import numbers
import operator
from typing import Any

from array_api_compat import array_namespace

from .dtypes import is_floating, is_traced


def check_int(name: str, value: Any, *, minimum: int = 0, remedy: str = "") -> None:
    """Raise unless `value` is an integer and at least `minimum`."""
    rule = f"{name} must be an integer of at least {minimum}"
    try:
        too_small = operator.index(value) < minimum
    except TypeError:
        raise TypeError(_message(rule, repr(value), remedy)) from None
    if isinstance(value, bool):
        raise TypeError(_message(rule, repr(value), remedy))
    if too_small:
        raise ValueError(_message(rule, value, remedy))


def check_even(name: str, value: Any, *, minimum: int = 2, remedy: str = "") -> None:
    """Raise unless `value` is an even integer and at least `minimum`."""
    check_int(name, value, minimum=minimum, remedy=remedy)
    if value % 2:
        raise ValueError(_message(f"{name} must be even", value, remedy))


def check_positive(name: str, value: float, *, remedy: str = "") -> None:
    """Raise ``ValueError`` unless `value` is a finite number above zero."""
    if not 0 < value < float("inf"):
        rule = f"{name} must be a finite number above 0"
        raise ValueError(_message(rule, value, remedy))


def check_number(
    name: str, value: Any, *, minimum: int | float = -math.inf, remedy: str = ""
) -> None:
    """Raise unless `value` is a finite real number and at least `minimum`."""
    rule = f"{name} must be a finite number"
    if minimum > -math.inf:
        rule += f" of at least {minimum}"
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(_message(rule, repr(value), remedy))
    if not math.isfinite(value) or float(value) < minimum:
        raise ValueError(_message(rule, value, remedy))


def check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Raise ``ValueError`` unless `value` is one of `allowed`."""
    if value not in allowed:
        raise ValueError(_message(f"{name} must be one of {allowed}", repr(value)))


def check_floating(name: str, array: Any, *, remedy: str = "") -> None:
    """Raise ``TypeError`` unless `array` holds real floating-point numbers."""
    if not is_floating(array):
        remedy = remedy or f"convert it first, for example to {name} * 1.0"
        raise TypeError(
            _message(f"{name} must hold floating-point numbers", array.dtype, remedy)
        )


def check_integral(name: str, array: Any, *, remedy: str = "") -> None:
    """Raise ``TypeError`` unless `array` holds integers."""
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, "integral"):
        raise TypeError(_message(f"{name} must hold integers", array.dtype, remedy))


def check_real(name: str, array: Any) -> None:
    """Raise ``TypeError`` unless `array` holds integers or floating-point numbers."""
    xp = array_namespace(array)
    if not (is_floating(array) or xp.isdtype(array.dtype, "integral")):
        rule = f"{name} must hold integers or floating-point numbers"
        raise TypeError(_message(rule, array.dtype))


def check_finite(name: str, array: Any, *, remedy: str = "") -> None:
    """Raise ``ValueError`` if `array` holds a NaN or an infinity; eager mode only."""
    if not is_floating(array) or is_traced(array):
        return
    xp = array_namespace(array)
    finite = xp.isfinite(array)
    if not xp.all(finite):
        first = float(array[~finite][0])
        raise ValueError(_message(f"{name} must be finite", first, remedy))


def check_range(name: str, array: Any, low: int, high: int, *, remedy: str) -> None:
    """Raise ``ValueError`` if a value lies outside low … high; eager mode only."""
    if is_traced(array):
        return
    xp = array_namespace(array)
    outside = (array < low) | (array > high)
    if xp.any(outside):
        first = int(array[outside][0])
        raise ValueError(_message(f"{name} must be in {low} … {high}", first, remedy))


def check_shape(
    name: str, array: Any, shape: tuple[Any, ...], remedy: str = ""
) -> None:
    """Raise ``ValueError`` unless the last axes of `array` have `shape`.

    An entry of `shape` is a length, or a string that names a free axis.
    """
    received = tuple(array.shape)
    tail = received[len(received) - len(shape) :] if len(received) >= len(shape) else ()
    fits = len(tail) == len(shape) and all(
        isinstance(want, str) or want == have
        for want, have in zip(shape, tail, strict=True)
    )
    if not fits:
        wanted = "(..., " + ", ".join(str(want) for want in shape) + ")"
        rule = f"{name} must have shape {wanted}"
        raise ValueError(_message(rule, f"shape {received}", remedy))


def broadcast_shape(
    first: tuple[int, ...], second: tuple[int, ...]
) -> tuple[int, ...] | None:
    """Shape that two shapes broadcast to, or None if they do not."""
    if first == second:
        return first
    short, long = sorted((first, second), key=len)
    tail = long[len(long) - len(short) :]
    pairs = list(zip(short, tail, strict=True))
    if not all(a == b or 1 in (a, b) for a, b in pairs):
        return None
    joined = tuple(b if a == 1 else a for a, b in pairs)
    return long[: len(long) - len(short)] + joined


def check_broadcast(axes: int = 2, **arrays: Any) -> tuple[int, ...]:
    """Shape that the axes before the last `axes` broadcast to; they must agree."""
    batch: tuple[int, ...] = ()
    for name, array in arrays.items():
        have = tuple(array.shape)[: array.ndim - axes]
        joined = broadcast_shape(batch, have)
        if joined is None:
            others = ", ".join(other for other in arrays if other != name)
            rule = f"the leading axes of {name} must broadcast with those of {others}"
            raise ValueError(_message(rule, f"{have} and {batch}"))
        batch = joined
    return batch


def check_batch(name: str, array: Any, batch: tuple[int, ...], *, axes: int) -> None:
    """Raise ``ValueError`` unless all but the last `axes` axes broadcast to `batch`."""
    have, want = tuple(array.shape)[: array.ndim - axes], tuple(batch)
    if broadcast_shape(have, want) != want:
        rule = f"the leading axes of {name} must broadcast to {want} (batch and heads)"
        raise ValueError(_message(rule, f"{have} in shape {tuple(array.shape)}"))


def check_fits_scores(name: str, array: Any, scores: Any) -> None:
    """Raise unless `array` broadcasts to `scores`; only batch axes may be added."""
    have, want = tuple(array.shape), tuple(scores.shape)
    joined = broadcast_shape(have, want)
    if joined is None or joined[-2:] != want[-2:]:
        rule = f"{name} must broadcast to the scores' shape {want} (..., q_len, k_len)"
        raise ValueError(_message(rule, f"shape {have}"))


def check_mask(mask: Any, scores: Any) -> None:
    """Raise unless `mask` is boolean and broadcasts to `scores`."""
    check_fits_scores("mask", mask, scores)
    if not array_namespace(mask).isdtype(mask.dtype, "bool"):
        rule = "mask must be boolean (True = may attend)"
        raise TypeError(_message(rule, mask.dtype))


def _message(rule: str, received: Any, remedy: str = "") -> str:
    return f"{rule}, got {received}" + (f": {remedy}" if remedy else "")
