"""Tokens keep their dtype beside tables, biases, angles and weights of another one.

So NumPy's float32 never becomes float64 by an argument that we made, and a model in
bfloat16 works with tables in float32. Where torch's layers cannot mix dtypes, the error
names the argument. A new function or module cannot escape.
"""

import numpy as np
import pytest
from public_calls import (
    as_torch,
    float_arrays,
    function_call,
    module_call,
    parts,
    public_functions,
    public_modules,
)

FUNCTIONS, MODULES = public_functions(), public_modules()
TOKENS = ("x", "q", "k", "v", "weights", "hidden", "context", "memory")
HALVES = ["bfloat16", "float16"]
halves = pytest.mark.parametrize("half", HALVES)


def tokens(call):
    """Names of arrays with a vector per token: in chapter 6, v may be a parameter."""
    return [n for n in float_arrays(call) if n in TOKENS and call[n].ndim > 1]


def mixed(call):
    return len(float_arrays(call)) > len(tokens(call)) > 0


MIXED = [name for name in FUNCTIONS if mixed(function_call(name))]
functions = pytest.mark.parametrize("name", MIXED)


@functions
def test_float32_of_numpy_stays_beside_float64(name):
    call = function_call(name)
    call |= {key: call[key].astype(np.float32) for key in tokens(call)}
    dtypes = {np.asarray(part).dtype for part in parts(FUNCTIONS[name](**call))}
    assert np.dtype(np.float64) not in dtypes


@functions
@halves
def test_half_precision_stays_beside_float32(name, half):
    torch = pytest.importorskip("torch")
    call = function_call(name)
    made = as_torch(call)
    made |= {key: made[key].to(getattr(torch, half)) for key in tokens(call)}
    out = parts(FUNCTIONS[name](**made))
    if not name.endswith("_with_state"):  # states are float32 by design
        assert {part.dtype for part in out} == {getattr(torch, half)}
    assert out[0].dtype == getattr(torch, half)


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if tokens(function_call(n))])
def test_tokens_in_two_dtypes_give_the_wider(name):
    call = {key: in_float32(value) for key, value in function_call(name).items()}
    for key in tokens(call):
        out = parts(FUNCTIONS[name](**call | {key: call[key].astype(np.float64)}))
        narrow = [part for part in out if np.asarray(part).dtype == np.float32]
        assert not narrow or (name, key) == ("transformer_xl.score_terms", "k")


def in_float32(value):
    """Return an array of floats in float32; anything else as it is."""
    is_floats = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return value.astype(np.float32) if is_floats else value


def floats(call):
    """Names of the floating-point tensors of a call; no positions, which are none."""
    import torch

    return [
        key
        for key, value in call.items()
        if torch.is_tensor(value) and value.is_floating_point() and key != "positions"
    ]


def dtype_or_error(module, call):
    """Dtype of the output, or what a TypeError says."""
    try:
        return parts(module(**call))[0].dtype
    except TypeError as error:
        return str(error)


@halves
@pytest.mark.parametrize("name", MODULES)
def test_a_module_in_half_precision_mixes_or_names_the_argument(name, half):
    torch = pytest.importorskip("torch")
    half = getattr(torch, half)
    made, called = module_call(name)
    called |= {key: called[key].to(half) for key in floats(called)}
    module = MODULES[name](**made).eval().to(half)
    assert dtype_or_error(module, called) == half
    for key in floats(called):
        found = dtype_or_error(module, called | {key: called[key].float()})
        if isinstance(found, str):
            assert found.startswith(
                f"{key} must have the dtype of the module's weights"
            )
        else:
            assert found == (torch.float32 if key in TOKENS else half), key


@halves
@pytest.mark.parametrize("name", MODULES)
def test_a_module_in_float32_keeps_half_precision_or_names_it(name, half):
    torch = pytest.importorskip("torch")
    made, called = module_call(name)
    halved = {key: called[key].to(getattr(torch, half)) for key in floats(called)}
    found = dtype_or_error(MODULES[name](**made).eval(), called | halved)
    if isinstance(found, str):
        assert found.partition(" ")[0] in halved
    else:
        assert not halved or found == getattr(torch, half)


@pytest.mark.parametrize("name", [n for n in MODULES if "past" in module_call(n)[1]])
def test_a_cache_in_another_dtype_is_cast(name):
    torch = pytest.importorskip("torch")
    made, called = module_call(name)
    call = {key: called[key] for key in ("x", "hidden", *"qkv") if key in called}
    call |= {"use_cache": True} if "use_cache" in called else {}
    module = MODULES[name](**made).eval()
    _, past = module(**call)
    cast = [part.double() if part.is_floating_point() else part for part in past]
    past = type(past)(*cast) if hasattr(past, "_fields") else tuple(cast)
    assert parts(module(**call, past=past))[0].dtype == torch.float32
