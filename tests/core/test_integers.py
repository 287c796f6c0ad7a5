"""Integers of every dtype and size: right, or refused with the argument's name.

The calls are those of ``tests/<slug>/calls.py``, so that no new function escapes.
"""

import inspect

import numpy as np
import pytest
from public_calls import (
    as_torch,
    function_call,
    mod_call,
    module_call,
    parts,
    public_functions,
    public_mods,
    public_modules,
)

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.bad_input

FUNCTIONS, MODS, MODULES = public_functions(), public_mods(), public_modules()
DTYPES = ("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64")
COUNTED = ("positions", "q_positions", "k_positions", "rows", "columns", "frames")
#: They change positions by less than 1, so they take and give no integers.
FLOATING = ("cape.augmented_positions", "cape.CapeEncoding")
WHOLE = (*COUNTED, "distance", "relative_position", "labels")
dtypes = pytest.mark.parametrize("dtype", DTYPES)
libraries = pytest.mark.parametrize("library", ["numpy", "torch"])


def whole_arrays(call):
    """Names of the arguments that are arrays of integers, or may be."""
    return [
        key
        for key, value in call.items()
        if hasattr(value, "shape") and (key in WHOLE or is_whole(value))
    ]


def is_whole(array):
    return np.asarray(array).dtype.kind in "iu"


def functions_of_integers():
    return [name for name in FUNCTIONS if whole_arrays(function_call(name))]


def in_dtype(array, dtype):
    """Its numbers without their signs, backwards: so they fall as well as rise."""
    if isinstance(array, torch.Tensor):
        return array.abs().flip(-1).to(getattr(torch, dtype))
    return np.flip(np.abs(array), -1).astype(dtype)


def recast(call, names, dtype):
    return call | {key: in_dtype(call[key], dtype) for key in names}


def assert_same(found, wanted):
    for one, other in zip(parts(found), parts(wanted), strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


@libraries
@dtypes
@pytest.mark.parametrize(
    "name", [name for name in functions_of_integers() if name not in FLOATING]
)
def test_a_function_takes_integers_of_every_dtype(name, dtype, library):
    function, call = FUNCTIONS[name], function_call(name)
    call = call if library == "numpy" else as_torch(call)
    names = whole_arrays(call)
    found, wanted = (function(**recast(call, names, one)) for one in (dtype, "int64"))
    assert_same(found, wanted)


def every_pair(mod, length=6):
    """What a function for FlexAttention makes of every head, query and key."""
    score = () if len(inspect.signature(mod).parameters) == 4 else (torch.zeros(()),)
    places = [torch.arange(n) for n in (1, 2, length, length)]
    for axis in reversed(range(4)):
        axes = [None] * 4
        axes[axis] = 0
        mod = torch.vmap(mod, in_dims=(*(None for _ in score), *axes))
    return mod(*score, *places)


@dtypes
@pytest.mark.parametrize(
    "name", [name for name in MODS if whole_arrays(mod_call(name))]
)
def test_what_makes_a_mod_takes_integers_of_every_dtype(name, dtype):
    call = mod_call(name)
    names = whole_arrays(call)
    found, wanted = (
        every_pair(MODS[name](**recast(call, names, one))) for one in (dtype, "int64")
    )
    assert_same(found, wanted)


def counted(module):
    return [
        key for key in inspect.signature(module.forward).parameters if key in COUNTED
    ]


@dtypes
@pytest.mark.parametrize(
    "name",
    [name for name, one in MODULES.items() if counted(one) and name not in FLOATING],
)
def test_a_module_takes_integers_of_every_dtype(name, dtype):
    made, called = module_call(name)
    module = MODULES[name](**made).eval().requires_grad_(False)
    names = counted(module)
    called |= {key: torch.arange(6) for key in names}
    found, wanted = (module(**recast(called, names, one)) for one in (dtype, "int64"))
    assert_same(found, wanted)


@pytest.mark.bad_input
@libraries
@pytest.mark.parametrize("number", [2**63, 2**63 + 1, 2**64 - 1])
@pytest.mark.parametrize("name", functions_of_integers())
def test_no_integer_beyond_int64_wraps_around(name, number, library):
    call = function_call(name)
    for key in whole_arrays(call):
        far = np.full(np.shape(call[key]), number, np.uint64)
        wrong = call | {key: far}
        wrong = wrong if library == "numpy" else as_torch(wrong)
        with pytest.raises((TypeError, ValueError), match=rf"\b{key}\b.* got ") as told:
            FUNCTIONS[name](**wrong)
        assert "got -" not in str(told.value)
