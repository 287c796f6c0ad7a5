"""Every public function of arrays, and every module, inside torch's transformations.

The calls are those of ``tests/<slug>/calls.py``, so that no new function escapes.
"""

import functools
import inspect

import pytest
from public_calls import (
    LENGTH,
    as_torch,
    at_length,
    float_arrays,
    function_call,
    module_call,
    other_options,
    parts,
    public_functions,
    public_modules,
)

torch = pytest.importorskip("torch")
from torch._dynamo.testing import CompileCounter  # noqa: E402

# jaxtyping's hook reads shapes, which a compiler keeps open.
pytestmark = pytest.mark.bad_input

FUNCTIONS, MODULES = public_functions(), public_modules()
#: Those that take an array of floating-point numbers.
OF_FLOATS = [name for name in FUNCTIONS if float_arrays(function_call(name))]
#: They give a number, or draw them with NumPy: there is no graph.
NOT_COMPILED = ("rope.yarn_attention_factor", "linear_attention.orthogonal_projection")


def computes(function):
    """Whether it says that it takes or returns an array, or that it returns a float."""
    kinds = inspect.get_annotations(function)
    return kinds["return"] is float or "jaxtyping" in str(kinds)


COMPILED = [
    name
    for name, function in FUNCTIONS.items()
    if computes(function) and name not in NOT_COMPILED
]
of_floats = pytest.mark.parametrize("name", OF_FLOATS)
modules = pytest.mark.parametrize("name", MODULES)


def first(result):
    """A tensor: of several parts, the first."""
    return result[0] if isinstance(result, tuple) else result


def torch_call(name):
    """A call with tensors; random numbers are torch's own, which it can follow."""
    call = as_torch(function_call(name))
    return call | {"rng": None} if "rng" in call and name in OF_FLOATS else call


def floats(name):
    """The names of a call's floating-point arrays, and the call in float64."""
    call = torch_call(name)
    names = float_arrays(function_call(name))
    return names, call | {key: call[key].double() for key in names}


@of_floats
def test_vmap_and_gradients_over_each_array_are_those_of_a_loop(name):
    names, call = floats(name)

    def run(one, key):
        torch.manual_seed(0)
        return first(FUNCTIONS[name](**call | {key: one}))

    def total(one, key):
        out = run(one, key)
        return (out.real.sum() + out.imag.sum()) if out.is_complex() else out.sum()

    def gradient(one, key):
        leaf = one.clone().requires_grad_()
        out = total(leaf, key)
        return torch.autograd.grad(out, leaf)[0] if out.requires_grad else one * 0

    for key in names:
        found = torch.func.grad(total)(call[key], key)
        torch.testing.assert_close(found, gradient(call[key], key))
        stack = torch.stack([call[key], call[key] * 0.5 + 0.1])
        mapped = torch.func.vmap(functools.partial(run, key=key), randomness="same")
        wanted = torch.stack([run(one, key) for one in stack])
        torch.testing.assert_close(mapped(stack), wanted)


def noisy(tensor):
    """Return wide numbers near those of a tensor, of which no two are equal."""
    dtype = torch.complex128 if tensor.is_complex() else torch.float64
    noise = torch.rand(tensor.shape, dtype=dtype)
    return (tensor + 0.1 * noise).requires_grad_()


def without_each(function, call):
    """The call without each of its arrays that it can do without."""
    for key, parameter in inspect.signature(function).parameters.items():
        optional = parameter.default is None and key != "context"  # of its own size
        if optional and isinstance(call.get(key), torch.Tensor):
            yield call | {key: None}


def assert_gradients(function, leaves):
    """Check the gradients of every floating-point part of a function's result."""

    def run(*leaves):
        torch.manual_seed(0)
        found = tuple(filter(holds_floats, parts(function(*leaves))))
        assert found
        assert all(part.requires_grad for part in found)
        return found

    assert torch.autograd.gradcheck(run, leaves, fast_mode=True)


def holds_floats(value):
    return isinstance(value, torch.Tensor) and (
        value.is_floating_point() or value.is_complex()
    )


def names_of_floats(call):
    return [key for key, value in call.items() if holds_floats(value)]


@of_floats
def test_gradients_of_a_function_are_those_of_differences(name):
    right = torch_call(name)
    for call in (*other_options(right), *without_each(FUNCTIONS[name], right)):
        names = names_of_floats(call)

        def run(*leaves, call=call, names=names):
            return FUNCTIONS[name](**call | dict(zip(names, leaves, strict=True)))

        torch.manual_seed(1)
        assert_gradients(run, [noisy(call[key]) for key in names])


@modules
def test_gradients_of_a_module_are_those_of_differences(name):
    made, called = module_call(name)
    called |= {"use_cache": False} if "use_cache" in called else {}
    fewer = without_each(MODULES[name].forward, called)
    calls = [(options, called) for options in other_options(made)]
    for options, values in (*calls, *((made, values) for values in fewer)):
        module = MODULES[name](**options).double()
        weights = [key for key, _ in module.named_parameters()]
        names = names_of_floats(values)

        def run(*leaves, module=module, weights=weights, names=names, values=values):
            given = dict(zip([*weights, *names], leaves, strict=True))
            learned = {key: given.pop(key) for key in weights}
            return torch.func.functional_call(module, learned, kwargs=values | given)

        torch.manual_seed(1)
        learned = [noisy(weight.detach()) for weight in module.parameters()]
        assert_gradients(run, learned + [noisy(values[key]) for key in names])


def compiled_at_ten_lengths(function, call):
    """How often it is compiled; each result is that of the function itself."""
    torch.compiler.reset()
    counter = CompileCounter()
    traced = torch.compile(function, backend=counter, fullgraph=True)
    for length in range(LENGTH, LENGTH + 20, 2):
        longer = at_length(call, length)
        torch.manual_seed(0)
        found = first(traced(**longer))
        torch.manual_seed(0)
        torch.testing.assert_close(found, first(function(**longer)))
    return counter.frame_count


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_a_function_is_compiled_twice_for_all_lengths(name):
    call = torch_call(name)
    assert compiled_at_ten_lengths(FUNCTIONS[name], call) <= 2


@pytest.mark.slow
@modules
def test_a_module_is_compiled_twice_for_all_lengths(name):
    made, called = module_call(name)
    module = MODULES[name](**made).eval()
    assert compiled_at_ten_lengths(module, called) <= 2
