"""Big-endian floats and long double of NumPy, and float64 of torch, stay precise.

The calls are those of ``tests/<slug>/calls.py``, so that no new function escapes.
"""

import numpy as np
import pytest
from public_calls import (
    float_arrays,
    function_call,
    parts,
    public_functions,
    to_torch,
)

pytestmark = pytest.mark.bad_input

FUNCTIONS = public_functions()


def in_dtype(name, dtype):
    """The call with all its floating-point arrays in a dtype."""
    call = function_call(name)
    if "rng" in call:
        call["rng"] = np.random.default_rng(0)
    return call | {key: call[key].astype(dtype) for key in float_arrays(call)}


@pytest.mark.parametrize("dtype", [">f8", np.longdouble])
@pytest.mark.parametrize(
    "name", [n for n in FUNCTIONS if float_arrays(function_call(n))]
)
def test_no_wide_float_is_computed_in_float32(name, dtype):
    found, wanted = (FUNCTIONS[name](**in_dtype(name, one)) for one in (dtype, "f8"))
    for one, other in zip(parts(found), parts(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    "name", [n for n in FUNCTIONS if float_arrays(function_call(n))]
)
def test_big_endian_float32_is_float32(name):
    found, wanted = (FUNCTIONS[name](**in_dtype(name, one)) for one in (">f4", "f4"))
    for one, other in zip(parts(found), parts(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    "name", [n for n in FUNCTIONS if n.partition(".")[0] != "checkpoint"]
)
def test_torch_in_float64_is_as_precise_as_numpy(name):
    torch = pytest.importorskip("torch")
    call, other = in_dtype(name, "f8"), in_dtype(name, "f8")
    made = {key: to_torch(value, torch.float64) for key, value in other.items()}
    if "dtype" in call:
        call["dtype"], made["dtype"] = np.float64, torch.float64
    found, wanted = FUNCTIONS[name](**made), FUNCTIONS[name](**call)
    for one, other in zip(parts(found), parts(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)
