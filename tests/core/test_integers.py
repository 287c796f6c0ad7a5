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
libraries = pytest.mark.parametrize("library", ["numpy", "torch"])


def whole_arrays(call):
    """Names of the arguments that are arrays of integers, or may be."""
    return [
        key
        for key, value in call.items()
        if hasattr(value, "shape")
        and (key in WHOLE or np.asarray(value).dtype.kind in "iu")
    ]


def call_of(name):
    """Arguments of a function or of what makes one, or a module's with positions."""
    if name in MODULES:
        called = module_call(name)[1]
        names = inspect.signature(MODULES[name].forward).parameters.keys() & {*COUNTED}
        return called | {key: torch.arange(6) for key in names}
    return mod_call(name) if name in MODS else function_call(name)


def run(name, call):
    """Call a function, a module, or what a maker of functions makes, for every pair."""
    if name in FUNCTIONS:
        return FUNCTIONS[name](**call)
    if name in MODS:
        return every_pair(MODS[name](**call))
    torch.manual_seed(0)
    module = MODULES[name](**module_call(name)[0])
    return module.eval().requires_grad_(False)(**call)


def in_dtype(array, dtype):
    """Its numbers without their signs, backwards: so they fall as well as rise."""
    if isinstance(array, torch.Tensor):
        return array.abs().flip(-1).to(getattr(torch, dtype))
    return np.flip(np.abs(array), -1).astype(dtype)


def every_pair(mod, length=6):
    """What a function for FlexAttention makes of every head, query and key."""
    score = () if len(inspect.signature(mod).parameters) == 4 else (torch.zeros(()),)
    places = [torch.arange(n) for n in (1, 2, length, length)]
    for axis in reversed(range(4)):
        axes = [None] * 4
        axes[axis] = 0
        mod = torch.vmap(mod, in_dims=(*(None for _ in score), *axes))
    return mod(*score, *places)


OF_INTEGERS = [
    name for name in (*FUNCTIONS, *MODS, *MODULES) if whole_arrays(call_of(name))
]


@libraries
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [n for n in OF_INTEGERS if n not in FLOATING])
def test_integers_of_every_dtype_give_the_same(name, dtype, library):
    call = call_of(name)
    call = as_torch(call) if library == "torch" and name in FUNCTIONS else call
    found, wanted = (
        run(name, call | {key: in_dtype(call[key], one) for key in whole_arrays(call)})
        for one in (dtype, "int64")
    )
    for one, other in zip(parts(found), parts(wanted), strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


@libraries
@pytest.mark.parametrize("number", [2**63, 2**63 + 1, 2**64 - 1])
@pytest.mark.parametrize("name", [n for n in OF_INTEGERS if n in FUNCTIONS])
def test_no_integer_beyond_int64_wraps_around(name, number, library):
    call = function_call(name)
    for key in whole_arrays(call):
        far = np.full(np.shape(call[key]), number, np.uint64)
        wrong = call | {key: far}
        wrong = wrong if library == "numpy" else as_torch(wrong)
        with pytest.raises((TypeError, ValueError), match=rf"\b{key}\b.* got ") as told:
            FUNCTIONS[name](**wrong)
        assert "got -" not in str(told.value)
