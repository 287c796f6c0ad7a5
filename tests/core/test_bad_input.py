"""Every public function and module answers wrong arguments in its own words.

What it is given is replaced, one argument at a time, by things that it cannot use. A
new function cannot escape: without a call in ``tests/<slug>/calls.py`` it fails here.
"""

import copy
import inspect
import re

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
WRONG = {
    "none": None,
    "text": "4",
    "list": [1.0, 2.0],
    "dict": {},
    "complex number": 2j,
    "function": len,
    "type": int,
    "not a number": np.float64("nan"),
    "complex array": np.ones((2, 3, 4)) * 1j,
    "array of objects": np.asarray([None, "4"]),
}
functions = pytest.mark.parametrize("name", FUNCTIONS)
mods = pytest.mark.parametrize("name", MODS)
modules = pytest.mark.parametrize("name", MODULES)


def parameters(function):
    return inspect.signature(function).parameters


@functions
def test_a_call_of_every_function_names_all_its_parameters(name):
    named = function_call(name).keys()
    wanted = {
        key
        for key, one in parameters(FUNCTIONS[name]).items()
        if one.kind is not inspect.Parameter.VAR_KEYWORD
    }
    assert named == wanted


@modules
def test_a_call_of_every_module_names_all_its_parameters(name):
    made, called = module_call(name)
    assert made.keys() == parameters(MODULES[name]).keys()
    assert called.keys() == parameters(MODULES[name].forward).keys() - {"self"}


@functions
@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_a_function_refuses_what_it_cannot_use(name, library):
    call = function_call(name)
    call = call if library == "numpy" else as_torch(call)
    FUNCTIONS[name](**call)  # is right
    assert not unclear(FUNCTIONS[name], call)


@mods
def test_what_makes_a_mod_refuses_what_it_cannot_use(name):
    call = mod_call(name)
    assert call.keys() == parameters(MODS[name]).keys()
    MODS[name](**call)  # is right
    assert not unclear(MODS[name], call)


@modules
def test_a_module_refuses_what_it_cannot_use(name):
    made, called = module_call(name)
    module = MODULES[name](**made).eval()
    module(**called)
    assert not unclear(MODULES[name], made)
    assert not unclear(module, called, parameters(MODULES[name].forward))


def unclear(function, call, declared=None):
    """Wrong calls that are taken, or refused in other words than the argument's own."""
    declared = declared or parameters(function)
    found = []
    for key, right in call.items():
        for kind, wrong in wrong_values(right, arrays(call) > 1).items():
            if wrong is None and (declared[key].default is None or key == "rng"):
                continue  # which stands for torch's own generator
            if kind == "function" and callable(right):
                continue
            if kind == "list" and "Sequence" in str(declared[key].annotation):
                continue
            if kind == "not a number" and (hasattr(right, "shape") or key == "dtype"):
                continue  # an array of no axes; NumPy reads a dtype off it
            try:
                function(**(call | {key: wrong}))
            except (TypeError, ValueError) as error:
                words = str(error)
                if not (re.search(rf"\b{key}\b", words) and "got" in words):
                    found.append(f"{key} = {kind}: {words}")
            except Exception as error:
                found.append(f"{key} = {kind}: {type(error).__name__}: {error}")
            else:
                found.append(f"{key} = {kind} is taken")
    return "\n".join(found)


def arrays(call):
    return sum(hasattr(value, "shape") for value in call.values())


def wrong_values(right, mixed):
    """What is wrong in place of `right`: an array beside one of the other library's."""
    wrong = dict(WRONG)
    if not mixed:
        return wrong
    if isinstance(right, torch.Tensor):
        wrong["array of NumPy's"] = right.numpy()
    elif isinstance(right, np.ndarray):
        wrong["tensor"] = torch.from_numpy(right)
    return wrong


@functions
def test_integers_of_every_kind_are_sizes(name):
    call = function_call(name)
    sizes = [key for key, one in call.items() if type(one) is int and key != "position"]
    wanted = FUNCTIONS[name](**fresh(call))
    for key in sizes:
        for kind in (np.int64, np.uint8, np.int8, torch.tensor):
            found = FUNCTIONS[name](**(fresh(call) | {key: kind(call[key])}))
            for one, other in zip(parts(found), parts(wanted), strict=True):
                np.testing.assert_array_equal(one, other, strict=True)


def fresh(call):
    """The call, with generators of random numbers at their start."""
    return {k: copy.deepcopy(v) if k == "rng" else v for k, v in call.items()}
