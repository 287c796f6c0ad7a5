"""Dtype of every array that the package makes, by one rule, and whether it has values.

1. What is made from floating-point numbers has their dtype. What is made from integers,
   or from no array at all, has the default of the library, unless the caller names a
   floating-point dtype: `result_dtype`, `creation_namespace`.
2. What is made from tokens of several dtypes (queries, keys, values) has the one that
   their library promotes them to, in torch as in NumPy: `joint_dtype`. What goes with
   tokens is cast to theirs, and never changes it: tables, biases, angles, weights.
3. Half precision is computed in float32 and cast once, at the end: `computing_dtype`,
   `upcast`, `matmul`. So it is under ``torch.autocast``, which would make products in
   half precision of float32: `as_given`. Angles are computed in float64, whatever
   comes in: ``core.angles``.
4. Where a device has no float64, such as Apple's MPS, tables are made on the CPU and
   moved, and the rest is computed in float32: `wide_device`, `wide_dtype`.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from array_api_compat import array_namespace, is_numpy_array, is_torch_array


def namespace(array: Any) -> Any:
    """Return `array_namespace` of one array; for a tensor in a third of the time."""
    if is_torch_array(array):
        import array_api_compat.torch as xp

        return xp
    return array_namespace(array)


def is_floating(array: Any) -> bool:
    """Return True if `array` holds real floating-point numbers, of any precision."""
    if is_torch_array(array):  # each library's own question: ten times as fast
        return bool(array.dtype.is_floating_point)
    if is_numpy_array(array):
        return bool(array.dtype.kind == "f")
    return bool(array_namespace(array).isdtype(array.dtype, "real floating"))


def is_integral(array: Any) -> bool:
    """Return True if `array` holds integers, with or without a sign."""
    if is_torch_array(array):
        dtype = array.dtype  # the only one without numbers is that of truths
        other = dtype.is_floating_point or dtype.is_complex
        return not other and not is_boolean(array)
    if is_numpy_array(array):
        return bool(array.dtype.kind in "iu")
    return bool(array_namespace(array).isdtype(array.dtype, "integral"))


def is_boolean(array: Any) -> bool:
    """Return True if `array` holds booleans."""
    if is_torch_array(array) or is_numpy_array(array):
        return str(array.dtype) in ("torch.bool", "bool")
    return bool(array_namespace(array).isdtype(array.dtype, "bool"))


def is_traced(array: Any) -> bool:
    """Return True if only shapes are readable: under torch.compile or on "meta".

    What depends on values, such as the check of a range, is left out then.
    """
    if not is_torch_array(array):
        return False
    import torch  # loaded already, since the array is a tensor

    return bool(array.is_meta or torch.compiler.is_compiling())


def is_captured(array: Any) -> bool:
    """Return True if torch captures a CUDA graph: reading a value would break it."""
    if not is_torch_array(array) or array.device.type != "cuda":
        return False
    import torch  # loaded already, since the array is a tensor

    cuda: Any = torch.cuda
    return bool(cuda.is_initialized() and cuda.is_current_stream_capturing())


def is_exported(array: Any) -> bool:
    """Return True if torch exports a graph for other programs, such as ONNX's."""
    if not is_torch_array(array):
        return False
    import torch  # loaded already, since the array is a tensor

    return bool(torch.compiler.is_exporting())


def is_wrapped(*arrays: Any) -> bool:
    """Return True if ``torch.func`` wraps one; others cannot be written into."""
    tensors = [array for array in arrays if is_torch_array(array)]
    if not tensors:
        return False
    import torch

    if torch.compiler.is_compiling():
        return False
    return any(torch.func.debug_unwrap(tensor) is not tensor for tensor in tensors)


def is_plain(tensor: Any) -> bool:
    """Return True if a tensor has values of its own, and is no fake one."""
    import torch

    return type(tensor) in (torch.Tensor, torch.nn.Parameter)


def any_true(condition: Any) -> bool:
    """Return True if an entry of a boolean array is True, False if it has no values.

    Torch has no values in ``vmap``, in fake tensors, and while it records a CUDA graph.
    """
    if is_captured(condition):
        return False
    try:
        return bool(array_namespace(condition).any(condition))
    except RuntimeError:
        return False


def result_dtype(array: Any) -> Any:
    """Return the dtype of results: that of `array`, or for integers the default."""
    if is_floating(array):
        return array.dtype
    return array_namespace(array).empty(0).dtype


def computing_dtype(xp: Any, dtype: Any) -> Any:
    """Return the floating dtype to compute in: `dtype`, or float32 if it is half."""
    return dtype if dtype.itemsize >= 4 else xp.float32


def cast(array: Any, dtype: Any) -> Any:
    """Return `array` in a dtype; the array itself if it has it already."""
    if array.dtype == dtype:
        return array
    if is_torch_array(array):  # its own way: one token's time is that of the questions
        return array.to(dtype=dtype)
    return array_namespace(array).astype(array, dtype)


def upcast(array: Any) -> Any:
    """Upcast half precision to float32: long sums of it would stop growing."""
    return cast(array, computing_dtype(namespace(array), array.dtype))


def has_float64(device: Any) -> bool:
    """Return True if a torch device has float64; None is the default device."""
    kind = "" if device is None else getattr(device, "type", device)
    if kind == "cpu":  # asked first, since one token's time is that of the questions
        return True
    import torch

    if device is None:
        sample = torch.empty(0)
        return bool(sample.is_cpu or has_float64(sample.device))
    kind = torch.device(device).type
    if kind in ("cuda", "mps"):
        return bool(kind == "cuda")
    try:
        torch.ones(1, dtype=torch.float64, device=device)
    except (TypeError, RuntimeError):
        return False
    return True


def lies_wide(array: Any) -> bool:
    """Return True if an array's device has float64; answered at once for the CPU."""
    return getattr(array, "is_cpu", True) or has_float64(array.device)


def wide_dtype(xp: Any, device: Any) -> Any:
    """Return float64, or float32 if the device has none."""
    narrow = xp.__name__.endswith("torch") and not has_float64(device)
    return xp.float32 if narrow else xp.float64


def wide_device(xp: Any, device: Any) -> Any:
    """Return a device for float64: `device`, or the CPU if it has none."""
    narrow = xp.__name__.endswith("torch") and not has_float64(device)
    return "cpu" if narrow else device


def placed(array: Any, home: Any, device: Any) -> Any:
    """Move an array made at `home`, the `wide_device` of `device`, to `device`."""
    if home is device:
        return array
    there = namespace(array).empty(0).device if device is None else device
    return array.to(device=there)


def joint_dtype(*arrays: Any) -> Any:
    """Return the dtype that the arrays are promoted to."""
    dtype = arrays[0].dtype
    if any(array.dtype != dtype for array in arrays[1:]):
        dtype = array_namespace(*arrays).result_type(*arrays)
    return dtype


def as_given(array: Any) -> AbstractContextManager[Any]:
    """Return a context without autocast: torch keeps the dtypes that it is given."""
    if is_torch_array(array):
        import torch

        kind = array.device.type
        if torch.amp.is_autocast_available(kind) and torch.is_autocast_enabled(kind):
            return torch.autocast(kind, enabled=False)
    return nullcontext()


def matmul(a: Any, b: Any) -> Any:
    """Multiply matrices whose dtypes may differ, those of half precision in float32.

    Who returns it casts it, to the `joint_dtype` of what came in.
    """
    dtype = computing_dtype(namespace(a), joint_dtype(a, b))
    with as_given(a):
        return cast(a, dtype) @ cast(b, dtype)


def creation_namespace(xp: Any, dtype: Any, device: Any = None) -> tuple[Any, Any]:
    """Return namespace and floating-point dtype for a function that makes an array.

    `xp` may be the library itself (``torch``) or its array-API namespace; `dtype` None
    stands for the library's default. Raise ``TypeError`` for any other kind of dtype,
    or what is no library or device.
    """
    sample = _sample(xp, dtype, device)
    if not is_floating(sample):
        msg = (
            f"dtype must hold floating-point numbers, got {sample.dtype}: "
            "give a floating-point dtype, or None"
        )
        raise TypeError(msg)
    return array_namespace(sample), sample.dtype


def integer_namespace(xp: Any, device: Any = None) -> Any:
    """Return the namespace for a function that makes integers or booleans."""
    return array_namespace(_sample(xp, None, device))


def _sample(xp: Any, dtype: Any, device: Any) -> Any:
    if not callable(getattr(xp, "empty", None)):
        msg = f"xp must be an array library, such as numpy or torch, got {xp!r}"
        raise TypeError(msg + ": pass the module itself, not its name")
    if device is not None:
        try:
            xp.empty(0, device=device)
        except (TypeError, ValueError, RuntimeError) as error:
            msg = f"device must be one of the library's, got {device!r}: {error}"
            raise TypeError(msg) from None
    try:
        return xp.empty(0, dtype=dtype)
    except TypeError as error:
        msg = f"dtype must be one of the library's, got {dtype!r}: {error}"
        raise TypeError(msg) from None
