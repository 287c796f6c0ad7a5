"""Dtype of every array that the package makes, by one rule, and whether it has values.

1. What is made from floating-point numbers has their dtype. What is made from integers,
   or from no array at all, has the default of the library, unless the caller names a
   floating-point dtype: `result_dtype`, `creation_namespace`.
2. What is made from floating-point numbers of several dtypes has the one that their
   library promotes them to, in torch as in NumPy: `alike`. (An encoding that changes
   numbers, such as a rotation, keeps theirs.)
3. Half precision is computed in float32 and cast at the end: `computing_dtype`,
   `widen`. Angles are computed in float64, whatever comes in: ``core.angles``.
"""

from typing import Any

from array_api_compat import array_namespace, is_numpy_array, is_torch_array


def namespace(array: Any) -> Any:
    """`array_namespace` of one array; for a tensor in a third of the time."""
    if is_torch_array(array):
        import array_api_compat.torch as xp

        return xp
    return array_namespace(array)


def is_floating(array: Any) -> bool:
    """Whether `array` holds real floating-point numbers, of any precision."""
    if is_torch_array(array):  # each library's own question: ten times as fast
        return bool(array.dtype.is_floating_point)
    if is_numpy_array(array):
        return bool(array.dtype.kind == "f")
    return bool(array_namespace(array).isdtype(array.dtype, "real floating"))


def is_integral(array: Any) -> bool:
    """Whether `array` holds integers, with or without a sign."""
    if is_torch_array(array):
        dtype = array.dtype  # the only one without numbers is that of truths
        other = dtype.is_floating_point or dtype.is_complex
        return not other and not is_boolean(array)
    if is_numpy_array(array):
        return bool(array.dtype.kind in "iu")
    return bool(array_namespace(array).isdtype(array.dtype, "integral"))


def is_boolean(array: Any) -> bool:
    """Whether `array` holds truths, True and False."""
    if is_torch_array(array) or is_numpy_array(array):
        return str(array.dtype) in ("torch.bool", "bool")
    return bool(array_namespace(array).isdtype(array.dtype, "bool"))


def is_traced(array: Any) -> bool:
    """Whether only shapes can be read: torch is compiling, or `array` is a meta tensor.

    What depends on values, such as the check of a range, is left out then.
    """
    if not is_torch_array(array):
        return False
    import torch  # loaded already, since the array is a tensor

    return bool(array.is_meta or torch.compiler.is_compiling())


def is_mapped(*arrays: Any) -> bool:
    """Whether ``torch.func`` wraps one of them: others cannot be written into."""
    tensors = [array for array in arrays if is_torch_array(array)]
    if not tensors:
        return False
    import torch

    if torch.compiler.is_compiling():
        return False
    return any(torch.func.debug_unwrap(one) is not one for one in tensors)


def is_plain(tensor: Any) -> bool:
    """Whether a tensor has values of its own, and is no fake one."""
    import torch

    return type(tensor) in (torch.Tensor, torch.nn.Parameter)


def is_known(condition: Any) -> bool:
    """Whether a boolean array is known to be True somewhere.

    Where torch has no values (in ``vmap``, in fake tensors) nothing is known.
    """
    try:
        return bool(array_namespace(condition).any(condition))
    except RuntimeError:
        return False


def result_dtype(array: Any) -> Any:
    """Dtype of what is made from `array`: its own, or for integers the default."""
    if is_floating(array):
        return array.dtype
    return array_namespace(array).empty(0).dtype


def computing_dtype(xp: Any, dtype: Any) -> Any:
    """Floating dtype to compute in: `dtype` itself, but float32 for half precision."""
    return dtype if dtype.itemsize >= 4 else xp.float32


def cast(array: Any, dtype: Any) -> Any:
    """`array` in a dtype; the array itself where it has it already."""
    if array.dtype == dtype:
        return array
    if is_torch_array(array):  # its own way: one token's time is that of the questions
        return array.to(dtype=dtype)
    return array_namespace(array).astype(array, dtype)


def widen(array: Any) -> Any:
    """Half precision to float32: long sums of it would stop growing."""
    return cast(array, computing_dtype(namespace(array), array.dtype))


def alike(*arrays: Any) -> tuple[Any, ...]:
    """The arrays in the dtype that they are promoted to; torch's products want one."""
    dtype = arrays[0].dtype
    if any(array.dtype != dtype for array in arrays[1:]):
        dtype = array_namespace(*arrays).result_type(*arrays)
    return tuple(cast(array, dtype) for array in arrays)


def matmul(a: Any, b: Any) -> Any:
    """Matrix product of arrays whose dtypes may differ: `alike`."""
    return array_namespace(a, b).matmul(*alike(a, b))


def creation_namespace(xp: Any, dtype: Any, device: Any = None) -> tuple[Any, Any]:
    """Namespace and floating-point dtype for a function that makes an array.

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
    """Namespace for a function that makes an array of integers or booleans."""
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
