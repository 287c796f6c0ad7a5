"""Argument checks shared by every encoding: name, rule, value received, remedy."""

import math
import numbers
import operator
import sys
from typing import Any

import numpy as np
from array_api_compat import (
    array_namespace,
    is_array_api_obj,
    is_numpy_array,
    is_torch_array,
)
from array_api_compat import device as device_of

from .dtypes import is_floating, is_known, is_traced


def check_array(name: str, value: Any) -> None:
    """Raise ``TypeError`` unless `value` is an array of NumPy, torch or their like."""
    if not (is_torch_array(value) or is_numpy_array(value) or is_array_api_obj(value)):
        rule = f"{name} must be an array of NumPy or torch"
        remedy = "convert it first, for example with numpy.asarray"
        raise TypeError(_message(rule, _short(value), remedy))


def check_namespace(**arrays: Any) -> Any:
    """Namespace of the arrays; raise ``TypeError`` unless all are of one library.

    An argument that is None was not given.
    """
    arrays = {name: value for name, value in arrays.items() if value is not None}
    for name, value in arrays.items():
        check_array(name, value)
    try:
        return array_namespace(*arrays.values())
    except TypeError:
        kinds = [type(value).__module__.partition(".")[0] for value in arrays.values()]
        rule = f"{', '.join(arrays)} must be arrays of one library"
        msg = _message(rule, ", ".join(kinds), "convert them first")
        raise TypeError(msg) from None


def check_int(name: str, value: Any, *, minimum: int = 0, remedy: str = "") -> int:
    """Value as a Python integer; raise unless it is one, and at least `minimum`.

    A size that ``torch.compile`` or ``torch.export`` keeps open stays open.
    """
    if type(value) is not int and not _is_symbolic(value):
        rule = f"{name} must be an integer of at least {minimum}"
        if isinstance(value, bool | np.bool_):
            raise TypeError(_message(rule, repr(value), remedy))
        try:
            value = operator.index(value)
        except TypeError:
            raise TypeError(_message(rule, _short(value), remedy)) from None
    if value < minimum:
        rule = f"{name} must be an integer of at least {minimum}"
        raise ValueError(_message(rule, value, remedy))
    whole: int = value
    return whole


def check_lengths(q_len: Any, k_len: Any, q_offset: Any) -> tuple[int, int, int]:
    """Numbers of queries and keys and the first query's position, as integers."""
    remedy = "it is k_len - q_len when decoding with a cache"
    return (
        check_int("q_len", q_len),
        check_int("k_len", k_len),
        check_int("q_offset", q_offset, remedy=remedy),
    )


def check_even(name: str, value: Any, *, minimum: int = 2, remedy: str = "") -> int:
    """Value as a Python integer; raise unless it is even, and at least `minimum`."""
    value = check_int(name, value, minimum=minimum, remedy=remedy)
    if value % 2:
        raise ValueError(_message(f"{name} must be even", value, remedy))
    return value


def check_positive(name: str, value: float, *, remedy: str = "") -> None:
    """Raise unless `value` is a finite number above zero; it may be a tensor of one."""
    rule = f"{name} must be a finite number above 0"
    if type(value) is not float and not _is_number(value):
        raise TypeError(_message(rule, _short(value), remedy))
    if not 0 < value < math.inf:
        raise ValueError(_message(rule, value, remedy))


def check_number(
    name: str, value: Any, *, minimum: int | float = -math.inf, remedy: str = ""
) -> None:
    """Raise unless `value` is a finite real number and at least `minimum`."""
    rule = f"{name} must be a finite number"
    if minimum > -math.inf:
        rule += f" of at least {minimum}"
    if not _is_number(value):
        raise TypeError(_message(rule, _short(value), remedy))
    if not minimum <= value or not -math.inf < value < math.inf:
        raise ValueError(_message(rule, value, remedy))


def check_numbers(name: str, values: Any) -> tuple[float, ...]:
    """Numbers of a sequence or of an array; raise unless all are real and finite."""
    try:
        listed = list(values.tolist() if is_array_api_obj(values) else values)
    except TypeError:
        rule = f"{name} must be a sequence of numbers"
        raise TypeError(_message(rule, _short(values))) from None
    for value in listed:
        check_number(f"each of {name}", value)
    return tuple(map(float, listed))


def check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Raise ``ValueError`` unless `value` is one of `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(_message(f"{name} must be one of {allowed}", _short(value)))


def check_flag(name: str, value: Any) -> None:
    """Raise ``TypeError`` unless `value` is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(_message(f"{name} must be True or False", _short(value)))


def check_callable(name: str, value: Any, example: str) -> None:
    """Raise ``TypeError`` unless `value` can be called."""
    if not callable(value) or isinstance(value, type):
        rule = f"{name} must be a function, {example}"
        raise TypeError(_message(rule, _short(value)))


def check_pair(name: str, value: Any) -> tuple[Any, Any]:
    """Both members of a pair; raise unless there are two."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        rule = f"{name} must be a pair such as (7, 7)"
        raise TypeError(_message(rule, _short(value)))
    return value[0], value[1]


def check_floating(name: str, array: Any, *, remedy: str = "") -> None:
    """Raise ``TypeError`` unless `array` holds real floating-point numbers."""
    check_array(name, array)
    if not is_floating(array):
        remedy = remedy or f"convert it first, for example to {name} * 1.0"
        raise TypeError(
            _message(f"{name} must hold floating-point numbers", array.dtype, remedy)
        )


def check_integral(name: str, array: Any, *, remedy: str = "") -> None:
    """Raise ``TypeError`` unless `array` holds integers."""
    check_array(name, array)
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, "integral"):
        raise TypeError(_message(f"{name} must hold integers", array.dtype, remedy))


def check_real(name: str, array: Any) -> None:
    """Raise ``TypeError`` unless `array` holds integers or floating-point numbers."""
    check_array(name, array)
    xp = array_namespace(array)
    if not (is_floating(array) or xp.isdtype(array.dtype, "integral")):
        rule = f"{name} must hold integers or floating-point numbers"
        raise TypeError(_message(rule, array.dtype))


def check_finite(name: str, array: Any, *, remedy: str = "") -> None:
    """Raise ``ValueError`` if `array` holds a NaN or an infinity; eager mode only."""
    if not is_floating(array) or is_traced(array):
        return
    finite = array_namespace(array).isfinite(array)
    if is_known(~finite):
        first = float(array[~finite][0])
        raise ValueError(_message(f"{name} must be finite", first, remedy))


def check_range(name: str, array: Any, low: int, high: int, *, remedy: str) -> None:
    """Raise ``ValueError`` if a value lies outside low … high; eager mode only."""
    if is_traced(array):
        return
    outside = (array < low) | (array > high)
    if is_known(outside):
        first = int(array[outside][0])
        raise ValueError(_message(f"{name} must be in {low} … {high}", first, remedy))


def check_positions(name: str, array: Any) -> None:
    """Raise ``ValueError`` if float64 cannot tell a position from the next; eager mode.

    A position that lies on another device than the CPU is not read: that would wait.
    """
    narrow = not _is_wide(array)
    if narrow or is_traced(array) or str(device_of(array)) != "cpu":
        return
    outside = (array >= 2**53) | (array <= -(2**53))
    if is_known(outside):
        rule = f"{name} must lie between -2**53 and 2**53"
        remedy = (
            "float64 cannot tell it from the next one; only offsets matter, so "
            "subtract one number from all positions"
        )
        raise ValueError(_message(rule, int(array[outside][0]), remedy))


def _is_wide(array: Any) -> bool:
    """Whether a dtype holds numbers beyond 2^53."""
    xp = array_namespace(array)
    if is_floating(array):
        return float(xp.finfo(array.dtype).max) > 2**53
    return int(xp.iinfo(array.dtype).max) > 2**53


def check_shape(
    name: str, array: Any, shape: tuple[Any, ...], remedy: str = ""
) -> None:
    """Raise ``ValueError`` unless the last axes of `array` have `shape`.

    An entry of `shape` is a length, or a string that names a free axis.
    """
    check_array(name, array)
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
    # No ``1 in (a, b)``: a compiler that keeps sizes open cannot read it.
    if not all(a == b or a == 1 or b == 1 for a, b in pairs):
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


def check_attention(
    q: Any, k: Any, v: Any = None, bias: Any = None, mask: Any = None
) -> Any:
    """Namespace of what attention is given; raise unless all of it fits together."""
    check_floating("q", q)
    check_floating("k", k)
    check_shape("q", q, ("q_len", "head_dim"))
    check_shape("k", k, ("k_len", q.shape[-1]), "keys need the head_dim of the queries")
    batch = check_broadcast(q=q, k=k)
    xp = check_namespace(q=q, k=k, v=v, bias=bias, mask=mask)
    if v is not None:
        check_floating("v", v)
        check_shape("v", v, (k.shape[-2], "value_dim"), "one value per key")
        check_broadcast(q=q, k=k, v=v)
    scores = (*batch, q.shape[-2], k.shape[-2])
    if bias is not None:
        check_floating("bias", bias, remedy="a boolean array belongs in mask")
        check_fits_scores("bias", bias, scores)
    if mask is not None:
        check_mask(mask, scores)
    return xp


def check_fits_scores(name: str, array: Any, scores: tuple[int, ...]) -> None:
    """Raise unless `array` broadcasts to that shape; only batch axes may be added."""
    have, want = tuple(array.shape), tuple(scores)
    joined = broadcast_shape(have, want)
    if joined is None or joined[-2:] != want[-2:]:
        rule = f"{name} must broadcast to the scores' shape {want} (..., q_len, k_len)"
        raise ValueError(_message(rule, f"shape {have}"))


def check_tensor(
    name: str, value: Any, shape: tuple[Any, ...], remedy: str = ""
) -> None:
    """Raise unless `value` is a tensor of floating-point numbers whose shape fits."""
    check_floating(name, value)
    if not is_torch_array(value):
        rule = f"{name} must be a torch tensor"
        kind = f"an array of {type(value).__module__}"
        way = "convert it first, for example with torch.from_numpy"
        raise TypeError(_message(rule, kind, way))
    check_shape(name, value, shape, remedy)


def check_mask(mask: Any, scores: tuple[int, ...]) -> None:
    """Raise unless `mask` is boolean and broadcasts to the shape of the scores."""
    check_array("mask", mask)
    check_fits_scores("mask", mask, scores)
    if not array_namespace(mask).isdtype(mask.dtype, "bool"):
        rule = "mask must be boolean (True = may attend)"
        raise TypeError(_message(rule, mask.dtype))


def _is_number(value: Any) -> bool:
    """Whether `value` is a real number; an array of no axes is one."""
    if isinstance(value, bool | np.bool_ | str | bytes | type):
        return False
    if isinstance(value, numbers.Real):
        return True
    return not getattr(value, "shape", None) and hasattr(value, "__float__")


def _is_symbolic(value: Any) -> bool:
    """Whether `value` is a size that torch keeps open: reading it would fix it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.SymInt)


def _short(value: Any) -> str:
    """What was received, in some words."""
    words = repr(value)
    return words if len(words) <= 60 else f"a {type(value).__name__}"


def _message(rule: str, received: Any, remedy: str = "") -> str:
    return f"{rule}, got {received}" + (f": {remedy}" if remedy else "")
