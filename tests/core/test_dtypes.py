import copy
import re

import numpy as np
import pytest
from array_api_compat import array_namespace
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
    cast,
    computing_dtype,
    creation_namespace,
    is_boolean,
    is_floating,
    is_traced,
    joint_dtype,
    namespace,
    result_dtype,
    upcast,
)

FLOATS = ["float16", "float32", "float64"]
#: Names of arguments that hold positions or distances.
PLACES = re.compile("positions|distance|rows|columns|frames")
OTHERS = ["int8", "int64", "uint8", "bool", "complex64"]


@pytest.fixture
def half_by_default():
    torch = pytest.importorskip("torch")
    torch.set_default_dtype(torch.float16)
    yield torch
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("name", FLOATS + OTHERS)
def test_kinds_of_numbers_are_what_the_standard_says(xp, name):
    array = xp.ones(2, dtype=getattr(xp, name, bool))
    assert is_floating(array) is xp.isdtype(array.dtype, "real floating")
    assert is_floating(array) is (name in FLOATS)
    assert is_boolean(array) is xp.isdtype(array.dtype, "bool")
    assert is_boolean(array) is (name == "bool")


def test_an_array_knows_its_namespace(xp):
    assert namespace(xp.ones(2)) is array_namespace(xp.ones(2)) is xp
    with pytest.raises(TypeError):
        namespace([1.0])


def test_floating_holds_for_the_widest_and_for_no_list():
    torch = pytest.importorskip("torch")
    assert is_floating(np.ones(2, dtype=np.longdouble))
    assert is_floating(torch.ones(2, dtype=torch.bfloat16))
    with pytest.raises((TypeError, AttributeError)):
        is_floating([1.0])


@pytest.mark.parametrize("name", FLOATS)
def test_floating_point_numbers_keep_their_dtype(xp, name):
    assert result_dtype(xp.ones(2, dtype=getattr(xp, name))) == getattr(xp, name)


def test_integers_get_the_default_of_the_library(xp):
    assert result_dtype(xp.ones(2, dtype=xp.int64)) == xp.ones(1).dtype


def test_integers_follow_a_default_that_was_set(half_by_default):
    torch = half_by_default
    assert result_dtype(torch.arange(2)) == torch.float16
    assert creation_namespace(torch, None)[1] == torch.float16


def test_half_precision_alone_is_widened(xp):
    for name, wide in zip(FLOATS, ("float32", "float32", "float64"), strict=True):
        array = xp.ones(2, dtype=getattr(xp, name))
        assert computing_dtype(xp, array.dtype) == getattr(xp, wide)
        assert upcast(array).dtype == getattr(xp, wide)
        assert (upcast(array) is array) == (name == wide)


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


@pytest.mark.parametrize(
    "name", [n for n in public_functions() if float_arrays(function_call(n))]
)
@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_torch_mixes_dtypes_as_numpy_does(name, dtype):
    torch = pytest.importorskip("torch")
    function, names = public_functions()[name], float_arrays(function_call(name))
    call = function_call(name)
    call |= {key: call[key].astype("float32") for key in names}
    for key in names:
        call_of_numpy = call | {key: call[key].astype(dtype)}
        call_of_torch = as_torch(call)
        call_of_torch[key] = call_of_torch[key].to(getattr(torch, dtype))
        try:
            wanted = parts(function(**call_of_numpy))[0]
        except TypeError as error:  # positions in half precision
            with pytest.raises(TypeError, match=str(error)[:40]):
                function(**call_of_torch)
            continue
        found = parts(function(**call_of_torch))[0]
        assert str(found.dtype) == f"torch.{np.asarray(wanted).dtype}", key


def test_several_dtypes_have_the_one_they_are_promoted_to(xp):
    one, other = xp.ones(2, dtype=xp.float32), xp.ones(2, dtype=xp.float64)
    assert joint_dtype(one, other) == xp.float64
    assert joint_dtype(one, one) == one.dtype


def test_cast_copies_only_where_the_dtype_differs(xp):
    array = xp.ones(2, dtype=xp.float32)
    assert cast(array, xp.float32) is array
    assert cast(array, xp.int64).dtype == xp.int64


@pytest.mark.bad_input
def test_what_is_made_from_nothing_is_floating(xp):
    assert creation_namespace(xp, xp.float32) == (xp, xp.float32)
    assert creation_namespace(xp, None)[1] == xp.ones(1).dtype
    with pytest.raises(TypeError, match="dtype must hold floating-point numbers, got"):
        creation_namespace(xp, xp.int64)


def test_the_library_itself_will_do_for_its_namespace(xp):
    library = pytest.importorskip("torch") if "torch" in xp.__name__ else np
    assert creation_namespace(library, None)[0] is xp


def test_values_of_a_meta_tensor_cannot_be_read(xp):
    torch = pytest.importorskip("torch")
    assert not is_traced(xp.ones(2))
    assert is_traced(torch.ones(2, device="meta"))


@pytest.mark.bad_input
def test_values_cannot_be_read_while_compiling(compiled):
    torch = pytest.importorskip("torch")

    def call(x):
        return x + 1 if is_traced(x) else x

    torch.testing.assert_close(compiled(call)(torch.zeros(2)), torch.ones(2))
    torch.testing.assert_close(call(torch.zeros(2)), torch.zeros(2))
