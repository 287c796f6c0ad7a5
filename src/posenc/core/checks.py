"""Argument checks shared by every encoding: name, rule, value received, remedy."""

import math
import numbers
import operator
import sys
from decimal import Decimal
from typing import Any

import numpy as np
from array_api_compat import (
    array_namespace,
    is_array_api_obj,
    is_numpy_array,
    is_torch_array,
)

from .dtypes import (
    is_boolean,
    is_captured,
    is_floating,
    is_integral,
    is_traced,
    namespace,
    upcast,
)


def check_array(name: str, value: Any) -> None:
    """Raise ``TypeError`` unless `value` is an array of NumPy, torch or their like."""
    if not (is_torch_array(value) or is_numpy_array(value) or is_array_api_obj(value)):
        rule = f"{name} must be an array of NumPy or torch"
        remedy = "convert it first, for example with numpy.asarray"
        raise TypeError(_message(rule, _short(value), remedy))


def check_namespace(**arrays: Any) -> Any:
    """Return the arrays' namespace; raise ``TypeError`` unless all are of one library.

    An argument that is None was not given.
    """
    arrays = {name: value for name, value in arrays.items() if value is not None}
    name, first = next(iter(arrays.items()))
    check_array(name, first)
    if len({*map(type, arrays.values())}) == 1:  # one question is enough: it is slow
        return namespace(first)
    for name, value in arrays.items():
        check_array(name, value)
    try:
        return array_namespace(*arrays.values())
    except TypeError:
        kinds = [type(value).__module__.partition(".")[0] for value in arrays.values()]
        rule = f"{', '.join(arrays)} must be arrays of one library"
        msg = _message(rule, ", ".join(kinds), "convert them first")
        raise TypeError(msg) from None


def check_int(
    name: str, value: Any, *, minimum: int = 0, below: int = 2**31, remedy: str = ""
) -> int:
    """Return a Python integer; raise unless it is one, and within the bounds.

    The default of `below`, a power of 2, is more than any size of an array. A size
    that ``torch.compile`` or ``torch.export`` keeps open stays open.
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
    if type(value) is int and not _is_compiling() and value >= below:
        rule = f"{name} must be below 2**{below.bit_length() - 1}"
        raise ValueError(_message(rule, value))
    whole: int = value
    return whole


def check_heads(num_heads: Any) -> int:
    """Return the number of heads as an integer; raise unless it is in 1 … 2**16 - 1.

    More than any model has: some functions list the heads one by one.
    """
    return check_int("num_heads", num_heads, minimum=1, below=2**16)


def check_lengths(q_len: Any, k_len: Any, q_offset: Any) -> tuple[int, int, int]:
    """Return numbers of queries and keys, and the first query's position, as ints."""
    remedy = "it is k_len - q_len when decoding with a cache"
    return (
        check_int("q_len", q_len),
        check_int("k_len", k_len),
        check_offset("q_offset", q_offset, remedy=remedy),
    )


def check_even(name: str, value: Any, *, minimum: int = 2, remedy: str = "") -> int:
    """Return a Python integer; raise unless it is even, and at least `minimum`."""
    value = check_int(name, value, minimum=minimum, remedy=remedy)
    if value % 2:
        raise ValueError(_message(f"{name} must be even", value, remedy))
    return value


def check_positive(name: str, value: Any, *, remedy: str = "") -> Any:
    """Return a float; raise unless it is finite and above 0. A tensor stays one."""
    rule = f"{name} must be a finite number above 0"
    number = value if type(value) is float else _as_float(rule, value, remedy)
    if not 0 < number < math.inf:
        raise ValueError(_message(rule, value, remedy))
    return number


def check_number(
    name: str,
    value: Any,
    *,
    minimum: int | float = -math.inf,
    below: float = math.inf,
    remedy: str = "",
) -> Any:
    """Return a float; raise unless it is finite, and within the bounds.

    Its size lies below `below`, a power of 2. A tensor stays one.
    """
    rule = f"{name} must be a finite number"
    if minimum > -math.inf:
        rule += f" of at least {minimum}"
    number = value if type(value) is float else _as_float(rule, value, remedy)
    if not minimum <= number or not -math.inf < number < math.inf:
        raise ValueError(_message(rule, value, remedy))
    if not -below < number < below:
        power = f"2**{math.frexp(below)[1] - 1}"
        low = f"-{power}" if minimum == -math.inf else minimum
        rule = f"{name} must lie between {low} and {power}"
        raise ValueError(_message(rule, value, remedy))
    return number


def check_numbers(name: str, values: Any) -> tuple[float, ...]:
    """Return a sequence's or array's numbers; raise unless all are real and finite."""
    try:
        listed = list(values.tolist() if is_array_api_obj(values) else values)
    except TypeError:
        rule = f"{name} must be a sequence of numbers"
        raise TypeError(_message(rule, _short(values))) from None
    return tuple(float(check_number(f"each of {name}", value)) for value in listed)


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
    """Return both members of a pair; raise unless there are two."""
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
    if not is_integral(array):
        raise TypeError(_message(f"{name} must hold integers", _held(array), remedy))


def as_int64(name: str, array: Any) -> Any:
    """Return integers as int64; raise ``ValueError`` beyond its range; eager only."""
    xp = array_namespace(array)
    whole = xp.astype(array, xp.int64)
    if array.dtype == xp.uint64:  # its upper half becomes negative
        extremes = _extremes(whole)
        if extremes is not None and extremes[0] < 0:
            first = int(whole[whole < 0][0]) + 2**64
            rule = f"{name} must be below 2**63"
            raise ValueError(_message(rule, first, "int64 holds no more"))
    return whole


def check_real(name: str, array: Any) -> None:
    """Raise ``TypeError`` unless `array` holds integers or floating-point numbers."""
    check_array(name, array)
    if not (is_floating(array) or is_integral(array)):
        rule = f"{name} must hold integers or floating-point numbers"
        raise TypeError(_message(rule, _held(array)))


def check_finite(name: str, array: Any, *, remedy: str = "") -> None:
    """Raise ``ValueError`` if `array` holds a NaN or an infinity; eager mode only."""
    if not is_floating(array):
        return
    extremes = _extremes(array)
    if extremes is not None and not (
        -math.inf < extremes[0] and extremes[1] < math.inf
    ):
        finite = array_namespace(array).isfinite(array)
        first = float(array[~finite][0])
        raise ValueError(_message(f"{name} must be finite", first, remedy))


def check_range(name: str, array: Any, low: int, high: int, *, remedy: str) -> None:
    """Raise ``ValueError`` if a value lies outside low … high; eager mode only."""
    extremes = _extremes(array)
    if extremes is not None and not low <= extremes[0] <= extremes[1] <= high:
        first = _first_outside(array, low - 1, high + 1)
        raise ValueError(_message(f"{name} must be in {low} … {high}", first, remedy))


#: From here on the sine of an angle is wrong by more than 1e-6: what float64 rounds off
#: a frequency, times the position.
TURNING = 2**32
_FAR = {
    2**24: "float32 cannot tell it from the next one; use integers or float64",
    TURNING: "float64 does not hold its angle to 1e-6; begin to count nearer to it",
    2**53: "float64 cannot tell it from the next one; begin to count nearer to it",
}


def check_counts_tokens(name: str, array: Any) -> None:
    """Raise ``TypeError`` if positions are given in half precision."""
    if is_floating(array) and upcast(array) is not array:
        rule = f"{name} must hold integers, float32 or float64"
        remedy = "narrower numbers cannot count tokens (after 256 bfloat16 knows 258)"
        raise TypeError(_message(rule, array.dtype, remedy))


def check_positions(name: str, array: Any, *, far: int = 2**53) -> None:
    """Raise unless each position is below `far` and distinct from the next.

    ``TypeError`` for half precision, else ``ValueError``. So they must be finite. In
    eager mode only; a position that lies on another device than the CPU is not read:
    that would wait.
    """
    check_counts_tokens(name, array)
    if is_torch_array(array) and array.device.type != "cpu":
        return
    extremes = _extremes(array)
    if extremes is None or -(2**24) < extremes[0] <= extremes[1] < 2**24:
        return
    check_finite(name, array)
    if is_floating(array) and array.dtype.itemsize == 4:
        far = 2**24
    if -far < extremes[0] <= extremes[1] < far:
        return
    power = far.bit_length() - 1
    rule = f"{name} must lie between -2**{power} and 2**{power}"
    first = _first_outside(array, -far, far)
    raise ValueError(_message(rule, first, _FAR[far]))


def check_offset(name: str, value: Any, *, far: int = 2**53, remedy: str = "") -> int:
    """Return the first token's position as an integer, by the rule of positions."""
    return check_int(name, value, below=far, remedy=remedy)


def _first_outside(array: Any, low: int, high: int) -> int:
    """Return the first number not between both; loop, as torch compares no uint64."""
    numbers = array_namespace(array).reshape(array, (-1,)).tolist()
    return int(next(number for number in numbers if not low < number < high))


def _extremes(array: Any) -> tuple[Any, Any] | None:
    """Return the smallest and largest number, NaN if one is; None if unreadable.

    They cost a fifth of what comparing all numbers with a bound does.
    """
    if is_traced(array) or is_captured(array) or 0 in array.shape:
        return None
    if not is_torch_array(array):
        xp = array_namespace(array)
        return xp.min(array).item(), xp.max(array).item()
    try:
        low, high = array.detach().aminmax()
        if array.is_cpu:
            return low.item(), high.item()
        return tuple(array_namespace(array).stack([low, high]).tolist())  # wait once
    except NotImplementedError:  # for some unsigned integers
        return _extremes(array.double())
    except RuntimeError:  # in `vmap` and in fake tensors nothing is known
        return None


def check_shape(
    name: str, array: Any, shape: tuple[Any, ...], remedy: str = ""
) -> None:
    """Raise ``ValueError`` unless the last axes of `array` have `shape`.

    An entry of `shape` is a length, or a string that names a free axis.
    """
    check_array(name, array)
    received = tuple(array.shape)  # a torch.Size takes long to be cut
    fits = len(received) >= len(shape)
    if fits:
        last = received[len(received) - len(shape) :]
        for want, have in zip(shape, last, strict=True):
            if not isinstance(want, str) and want != have:
                fits = False
                break
    if not fits:
        expected = "(..., " + ", ".join(str(want) for want in shape) + ")"
        rule = f"{name} must have shape {expected}"
        raise ValueError(_message(rule, f"shape {received}", remedy))


def broadcast_shape(
    first: tuple[int, ...], second: tuple[int, ...]
) -> tuple[int, ...] | None:
    """Return the shape that two shapes broadcast to, or None if they do not."""
    short, long = (first, second) if len(first) <= len(second) else (second, first)
    own = len(long) - len(short)
    if short == long[own:]:  # the usual case, and a fast test
        return long
    joined = list(long)
    for axis, (a, b) in enumerate(zip(short, long[own:], strict=True), own):
        # No ``1 in (a, b)``: a compiler that keeps sizes open cannot read it.
        if a == b or a == 1:
            continue
        if b != 1:
            return None
        joined[axis] = a
    return tuple(joined)


def check_broadcast(axes: int = 2, **arrays: Any) -> tuple[int, ...]:
    """Return the broadcast shape before the last `axes` axes; raise if none exists."""
    batch: tuple[int, ...] = ()
    for name, array in arrays.items():
        shape = tuple(array.shape)
        have = shape[: len(shape) - axes]
        joined = broadcast_shape(batch, have)
        if joined is None:
            others = ", ".join(other for other in arrays if other != name)
            rule = f"the leading axes of {name} must broadcast with those of {others}"
            raise ValueError(_message(rule, f"{have} and {batch}"))
        batch = joined
    return batch


def check_batch(name: str, array: Any, batch: tuple[int, ...], *, axes: int) -> None:
    """Raise ``ValueError`` unless all but the last `axes` axes broadcast to `batch`."""
    shape, want = tuple(array.shape), tuple(batch)
    have = shape[: len(shape) - axes]
    if broadcast_shape(have, want) != want:
        rule = f"the leading axes of {name} must broadcast to {want} (batch and heads)"
        raise ValueError(_message(rule, f"{have} in shape {shape}"))


def check_attention(
    q: Any, k: Any, v: Any = None, bias: Any = None, mask: Any = None
) -> Any:
    """Return the namespace of attention's inputs; raise unless they fit together."""
    check_floating("q", q)
    check_floating("k", k)
    check_shape("q", q, ("q_len", "head_dim"))
    q_len, head_dim = q.shape[-2:]
    check_shape("k", k, ("k_len", head_dim), "keys need the head_dim of the queries")
    batch, k_len = check_broadcast(q=q, k=k), k.shape[-2]
    xp = check_namespace(q=q, k=k, v=v, bias=bias, mask=mask)
    if v is not None:
        check_floating("v", v)
        check_shape("v", v, (k_len, "value_dim"), "one value per key")
        check_broadcast(q=q, k=k, v=v)
    if bias is None and mask is None:
        return xp
    scores = (*batch, q_len, k_len)
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
        remedy = ""
        if name == "mask" and have[-1:] == want[-1:] and len(have) == 2 < len(want):
            axes = "None, " * (len(want) - 2)
            remedy = f"one of (batch, k_len), for padding, goes in as mask[:, {axes}:]"
        raise ValueError(_message(rule, f"shape {have}", remedy))


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


def check_weights_dtype(name: str, value: Any, layer: Any) -> None:
    """Raise unless a tensor has the dtype of a linear layer; autocast casts both.

    A layer of any other class, such as a quantized one, knows best.
    """
    import torch  # loaded already: the layer is of torch

    if value.dtype == getattr(layer, "weight", value).dtype:
        return
    if type(layer) is torch.nn.Linear and not torch.is_autocast_enabled(
        value.device.type
    ):
        rule = f"{name} must have the dtype of the module's weights"
        dtype = layer.weight.dtype
        remedy = f"they are {dtype}; convert {name}, or the module, or use autocast"
        raise TypeError(_message(rule, value.dtype, remedy))


def check_mask(mask: Any, scores: tuple[int, ...]) -> None:
    """Raise unless `mask` is boolean and broadcasts to the shape of the scores."""
    check_array("mask", mask)
    check_fits_scores("mask", mask, scores)
    if not is_boolean(mask):
        rule = "mask must be boolean (True = may attend)"
        raise TypeError(_message(rule, mask.dtype))


def _is_number(value: Any) -> bool:
    """Return True if `value` is a real number; an array of no axes is one."""
    if isinstance(value, bool | np.bool_ | str | bytes | type):
        return False
    if isinstance(value, numbers.Real):
        return True
    return not getattr(value, "shape", None) and hasattr(value, "__float__")


def _as_float(rule: str, value: Any, remedy: str) -> Any:
    """Return a number as a float, and an array as it is, since it has a gradient."""
    if not _is_number(value):
        raise TypeError(_message(rule, _short(value), remedy))
    if hasattr(value, "shape") and not isinstance(value, numbers.Real):
        return value
    try:
        return float(value)
    except (OverflowError, ValueError):  # too large, or a signaling NaN
        received = value if isinstance(value, int) else _short(value)
        raise ValueError(_message(rule, received, remedy)) from None


def _is_symbolic(value: Any) -> bool:
    """Return True if torch keeps the size `value` open: reading it would fix it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.SymInt)


def _is_compiling() -> bool:
    """Return True if torch is compiling: it would specialize on compared bounds."""
    torch = sys.modules.get("torch")
    return torch is not None and bool(torch.compiler.is_compiling())


def _short(value: Any) -> str:
    """Describe what was received, in some words."""
    words = repr(value)
    return words if len(words) <= 60 else f"a {type(value).__name__}"


def _held(array: Any) -> str:
    """Describe what an array holds, in some words."""
    if str(array.dtype) == "object":
        return "object, NumPy's dtype for what fits no other: integers beyond 64 bits"
    return str(array.dtype)


def _message(rule: str, received: Any, remedy: str = "") -> str:
    if isinstance(received, int) and abs(received) >= 10**20:
        received = f"{Decimal(received):.3g}"
    return f"{rule}, got {received}" + (f": {remedy}" if remedy else "")
