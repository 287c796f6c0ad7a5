"""Half precision: computed in float32 and cast once, also under ``torch.autocast``.

Every public function and module of ``tests/<slug>/calls.py``: no new one escapes.
"""

import re
import traceback

import numpy as np
import pytest
from public_calls import (
    as_torch,
    float_arrays,
    function_call,
    module_call,
    other_options,
    parts,
    public_functions,
    public_mods,
    public_modules,
)

from posenc.linear_attention import linear_attention, positive_random_features

torch = pytest.importorskip("torch")
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

# jaxtyping's hook does not know what a dispatch mode hands over.
pytestmark = pytest.mark.bad_input

FUNCTIONS, MODS, MODULES = public_functions(), public_mods(), public_modules()
#: Names of arguments that hold positions, in tokens or in patches, or distances.
POSITIONS = re.compile("(.*_)?positions|relative_position|distance|rows|columns|frames")
#: Other names of floating-point arrays: a new one belongs to one of the two.
VALUES = re.compile(
    "angles|bias|content|content_bias|decay|direction|k|key_table|"
    "length|pair_scale|position|position_bias|projection|q|r|scores|"
    "table|u|v|value_table|w_key|w_query|weight|weights|windows|x"
)
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


def test_every_array_is_known_to_hold_values_or_positions():
    for name in FUNCTIONS:
        assert all(map(VALUES.fullmatch, values_of(name))), name


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
@pytest.mark.parametrize("size", [20, 200])
@of_values
def test_float16_of_numpy_gives_what_float32_gives(name, size):
    call = function_call(name)
    for key in values_of(name):
        call[key] = scaled(key, call[key], size).astype(np.float16).astype(np.float32)
    narrow = call | {key: call[key].astype(np.float16) for key in values_of(name)}
    results = (parts(FUNCTIONS[name](**one)) for one in (narrow, call))
    for found, wanted in zip(*results, strict=True):
        if isinstance(found, np.ndarray):
            wanted = wanted.astype(found.dtype)
            np.testing.assert_allclose(found, wanted, rtol=2.1 * 2**-11, atol=2e-7)


class NoHalf(TorchDispatchMode):
    """Refuses every operation that computes in half precision within this package."""

    #: What moves or casts numbers, and kernels that round their result alone.
    HARMLESS = re.compile(
        "_reshape_alias|_scaled_dot_product_flash_attention_for_cpu|_to_copy|"
        "_unsafe_view|alias|as_strided|cat|clone|constant_pad_nd|"
        "contiguous|copy_|detach|empty|empty_like|expand|flip|full|"
        "gather|gelu|index|index_select|lift_fresh|masked_fill|new_empty|"
        "ones|permute|pin_memory|reshape|roll|scalar_tensor|select|slice|split|"
        "split_with_sizes|squeeze|stack|t|take|transpose|unbind|unfold|"
        "unsqueeze|view|where|zero_|zeros|zeros_like"
    )

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        first = out[0] if isinstance(out, tuple | list) and out else out
        if (
            isinstance(first, torch.Tensor)
            and first.dtype in (torch.float16, torch.bfloat16)
            and not self.HARMLESS.fullmatch(name)
        ):
            files = [frame.filename for frame in traceback.extract_stack()]
            assert any("torch/nn/modules" in file for file in files[-8:]), name
        return out


@halves
@of_values
def test_no_function_computes_in_half_precision(name, half):
    dtype, right = getattr(torch, half), as_torch(function_call(name))
    right |= {key: right[key].to(dtype) for key in values_of(name)}
    for call in other_options(right):
        with NoHalf():
            FUNCTIONS[name](**call)


def narrow_module(name, dtype):
    """A module in half precision, and its arguments."""
    made, called = module_call(name)
    for key, value in called.items():
        if not POSITIONS.fullmatch(key) and isinstance(value, torch.Tensor):
            called[key] = value.to(dtype) if value.is_floating_point() else value
    return MODULES[name](**made).eval().to(dtype), called


#: They add an encoding, or what a block computes, to their input: one sum.
ADD = (
    "cape.CapeEncoding",
    "convolutional.ConvolutionalEncoding",
    "sinusoidal.LearnedEncoding",
    "sinusoidal.SinusoidalEncoding",
    "transformer_xl.TransformerXL",
    "transformer_xl.TransformerXLLayer",
)


@halves
@modules
def test_no_module_computes_in_half_precision_but_its_projections(
    name, half, monkeypatch
):
    module, called = narrow_module(name, getattr(torch, half))
    if name in ADD:
        allowed = re.compile(NoHalf.HARMLESS.pattern + "|add|relu")
        monkeypatch.setattr(NoHalf, "HARMLESS", allowed)
    with NoHalf(), torch.no_grad():
        module(**called)


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


@pytest.mark.parametrize("options", [{}, {"causal": True}])
@pytest.mark.parametrize("length", [32, 300])
def test_sums_over_the_keys_do_not_overflow_under_autocast(options, length):
    q = torch.full((1, 1, length, 4), 30.0, requires_grad=True)
    v = torch.full((1, 1, length, 2), 100.0)
    learned = torch.nn.Linear(4, 4)
    with torch.autocast("cpu", dtype=torch.float16):
        out = linear_attention(q, q, v, **options)
        torch.testing.assert_close(out, torch.full_like(v, 100.0))
        linear_attention(q, q, v, feature_map=learned, **options)
    out.sum().backward()
    assert q.grad.isfinite().all()
    assert positive_random_features(q.half() / 8, q[0, 0, :3]).dtype == torch.float16


def test_autocast_is_followed_by_a_compiler(compiled):
    q, v = torch.full((1, 1, 32, 4), 30.0), torch.full((1, 1, 32, 2), 100.0)

    def call(q, v):
        with torch.autocast("cpu", dtype=torch.float16):
            return linear_attention(q, q, v)

    torch.testing.assert_close(compiled(call)(q, v), torch.full_like(v, 100.0))


@pytest.mark.slow
def test_autocast_is_followed_by_export():
    q, v = torch.full((1, 1, 32, 4), 30.0), torch.full((1, 1, 32, 2), 100.0)

    class Model(torch.nn.Module):
        def forward(self, q, v):
            return linear_attention(q, q, v)

    with torch.autocast("cpu", dtype=torch.float16):
        program = torch.export.export(Model(), (q, v)).module()
        torch.testing.assert_close(program(q, v), torch.full_like(v, 100.0))
