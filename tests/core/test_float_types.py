"""Big-endian floats and long double of NumPy stay precise.

The calls are those of ``tests/<slug>/calls.py``, so that no new function escapes.
"""

import numpy as np
import pytest
from public_calls import (
    float_arrays,
    function_call,
    parts,
    public_functions,
)

pytestmark = pytest.mark.bad_input

FUNCTIONS = public_functions()


def in_dtype(name, dtype):
    """The call with all its floating-point arrays in a dtype."""
    call = function_call(name)
    if "rng" in call:
        call["rng"] = np.random.default_rng(0)
    return call | {key: call[key].astype(dtype) for key in float_arrays(call)}


@pytest.mark.parametrize(
    ("dtype", "same", "rtol"),
    [(">f8", "f8", 1e-12), (np.longdouble, "f8", 1e-12), (">f4", "f4", 1e-6)],
)
@pytest.mark.parametrize(
    "name", [n for n in FUNCTIONS if float_arrays(function_call(n))]
)
def test_floats_of_every_kind_are_as_precise_as_the_usual_ones(name, dtype, same, rtol):
    found, wanted = (FUNCTIONS[name](**in_dtype(name, one)) for one in (dtype, same))
    for one, other in zip(parts(found), parts(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=rtol)
