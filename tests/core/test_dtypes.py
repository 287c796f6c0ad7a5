import copy
import re

import numpy as np
import pytest
from public_calls import (
    as_torch,
    float_arrays,
    function_call,
    other_options,
    parts,
    public_functions,
    to_torch,
)

from posenc.core.dtypes import (
    namespace,
)

#: Names of arguments that hold positions or distances.
PLACES = re.compile("positions|distance|rows|columns|frames")


@pytest.mark.parametrize("name", public_functions())
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_torch_gives_the_numbers_and_the_dtype_of_numpy(name, dtype):
    torch = pytest.importorskip("torch")
    function, right = public_functions()[name], function_call(name)
    for call in other_options(right):
        given = call | {key: call[key].astype(dtype) for key in float_arrays(call)}
        tensors = {
            key: to_torch(value, getattr(torch, dtype)) for key, value in given.items()
        }
        results = (
            function(
                **one | {"rng": copy.deepcopy(one["rng"])} if "rng" in one else one
            )
            for one in (given, tensors)
        )
        for one, other in zip(*map(parts, results), strict=True):
            if float_arrays(call) or "xp" in call:
                assert torch.is_tensor(other) == hasattr(one, "dtype")
            if torch.is_tensor(other):
                if float_arrays(call):
                    assert str(other.dtype) == f"torch.{one.dtype}"
                    assert one.dtype.kind != "f" or one.dtype == dtype
                wide = str(other.dtype) in ("torch.float64", "torch.complex128")
                eps = 1e-12 if wide else 5e-6
                np.testing.assert_allclose(other, one, rtol=eps, atol=eps)
            elif isinstance(one, float):
                assert other == pytest.approx(one)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "name", [n for n in public_functions() if "dtype" in function_call(n)]
)
@pytest.mark.parametrize("dtype", [None, "float32", "float64"])
def test_a_function_gives_the_dtype_that_it_is_asked_for(xp, name, dtype):
    call, wanted = function_call(name), dtype and getattr(xp, dtype)
    if dtype is None and ("rng" in call or "xp" not in call):
        return  # then it has that of the numbers it draws, or is given
    call = as_torch(call) if "torch" in xp.__name__ else call
    for one in parts(public_functions()[name](**call | {"dtype": wanted})):
        assert namespace(one) is xp
        assert one.dtype == (wanted or xp.ones(1).dtype)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in public_functions()
        if (keys := float_arrays(function_call(name)))
        and all(map(PLACES.fullmatch, keys))
        and name != "cape.augmented_positions"
    ],
)
def test_whole_positions_give_the_default_of_the_library(xp, name):
    call = function_call(name)
    for key in float_arrays(call):
        call[key] = xp.asarray(call[key].tolist(), dtype=xp.int64)
    for one in parts(public_functions()[name](**call)):
        assert one.dtype == xp.ones(1).dtype
