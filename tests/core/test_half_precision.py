"""Half precision: computed in float32 and cast once, also under ``torch.autocast``.

Every public function and module of ``tests/<slug>/calls.py``: no new one escapes.
"""

import re

import numpy as np
import pytest
from public_calls import (
    as_torch,
    float_arrays,
    function_call,
    module_call,
    parts,
    public_functions,
    public_mods,
    public_modules,
)

torch = pytest.importorskip("torch")

# jaxtyping's hook does not know what a dispatch mode hands over.
pytestmark = pytest.mark.bad_input

FUNCTIONS, MODS, MODULES = public_functions(), public_mods(), public_modules()
#: Names of arguments that hold positions, in tokens or in patches, or distances.
POSITIONS = re.compile("(.*_)?positions|relative_position|distance|rows|columns|frames")
HALVES = {"float16": 2.0**-11, "bfloat16": 2.0**-8}  # and their rounding errors
halves = pytest.mark.parametrize("half", HALVES)


def values_of(name):
    """Names of the floating-point arrays of a call that hold no positions."""
    call = function_call(name)
    return [key for key in float_arrays(call) if not POSITIONS.fullmatch(key)]


of_values = pytest.mark.parametrize("name", [n for n in FUNCTIONS if values_of(n)])
modules = pytest.mark.parametrize("name", MODULES)


def large(name, half):
    """A call whose products leave float16, of numbers that a half dtype can hold."""
    call = as_torch(function_call(name))
    for key in values_of(name):
        call[key] = scaled(key, call[key], 200).to(getattr(torch, half)).float()
    return call


def scaled(key, array, size):
    """The array times `size`, but for factors in (0, 1] and logarithms of weights."""
    return array if key in ("decay", "bias") else array * size


def tensors(result):
    return [part for part in parts(result) if isinstance(part, torch.Tensor)]


@halves
@of_values
def test_large_numbers_of_half_precision_give_what_float32_gives(name, half):
    call, dtype = large(name, half), getattr(torch, half)
    narrow = call | {key: call[key].to(dtype) for key in values_of(name)}
    with torch.no_grad():
        pairs = zip(
            tensors(FUNCTIONS[name](**narrow)),
            tensors(FUNCTIONS[name](**call)),
            strict=True,
        )
    for found, wanted in pairs:
        if found.dtype == dtype:
            wanted = wanted.to(dtype)  # infinite, where it cannot hold the result
            found, wanted = found.float(), wanted.float()
        torch.testing.assert_close(found, wanted, rtol=2.1 * HALVES[half], atol=2e-7)


@pytest.mark.filterwarnings("ignore:overflow encountered")
@of_values
def test_float16_of_numpy_gives_what_float32_gives(name):
    call = function_call(name)
    for key in values_of(name):
        call[key] = scaled(key, call[key], 200).astype(np.float16).astype(np.float32)
    narrow = call | {key: call[key].astype(np.float16) for key in values_of(name)}
    results = (parts(FUNCTIONS[name](**one)) for one in (narrow, call))
    for found, wanted in zip(*results, strict=True):
        if isinstance(found, np.ndarray):
            wanted = wanted.astype(found.dtype)
            np.testing.assert_allclose(found, wanted, rtol=2.1 * 2**-11, atol=2e-7)


@halves
@of_values
def test_autocast_changes_no_function(name, half):
    call = large(name, half)
    wanted = tensors(FUNCTIONS[name](**call))
    with torch.autocast("cpu", dtype=getattr(torch, half)):
        found = tensors(FUNCTIONS[name](**call))
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=0, equal_nan=True)


@halves
@modules
def test_autocast_narrows_the_projections_of_a_module_alone(name, half):
    made, called = module_call(name)
    module, error = MODULES[name](**made).eval(), HALVES[half]
    with torch.no_grad():
        wanted = tensors(module(**called))
        with torch.autocast("cpu", dtype=getattr(torch, half)):
            found = tensors(module(**called))
    if not any(isinstance(one, torch.nn.Linear) for one in module.modules()):
        error = 0.0
    for one, other in zip(found, wanted, strict=True):
        size = float(other.abs().max())
        torch.testing.assert_close(
            one.to(other.dtype), other, rtol=0, atol=8 * error * size
        )
