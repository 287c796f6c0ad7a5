"""One right call of everything public, for tests that hold for all of it.

They stand in ``tests/<slug>/calls.py``: FUNCTIONS gives the arguments of each function,
MODS those of each that makes a function for FlexAttention, MODULES those of each torch
module and of its call. Every parameter is named, so that none escapes. Axes of `LENGTH`
numbers, and lengths of that value, are sequence lengths; axes of 2 * `LENGTH` - 1 have
a number for each relative position. Nothing else has these sizes.
"""

import copy
import importlib
import inspect
import runpy
from functools import cache
from pathlib import Path

import numpy as np

from posenc.core.chapters import chapters
from posenc.core.relative_positions import MaskMod, ScoreMod

TESTS = Path(__file__).parent
LENGTH = 6
_LENGTHS = ("q_len", "k_len", "seq_len")


def public_functions():
    """Names such as ``t5.bucket_starts``, with the functions."""
    return {name: one for name, one in _all_functions().items() if not _makes_mod(one)}


def public_mods():
    """Names such as ``t5.score_mod``, with what makes functions for FlexAttention."""
    return {name: one for name, one in _all_functions().items() if _makes_mod(one)}


def _makes_mod(function):
    return inspect.signature(function).return_annotation in (ScoreMod, MaskMod)


@cache
def _all_functions():
    packages = {slug: importlib.import_module(f"posenc.{slug}") for slug in chapters()}
    return {
        f"{slug}.{name}": getattr(package, name)
        for slug, package in packages.items()
        for name in package.__all__
        if inspect.isfunction(getattr(package, name))
    }


def public_modules():
    """Names such as ``t5.RelativePositionBias``, with the classes."""
    import torch

    nn = importlib.import_module("posenc.nn")
    return {
        f"{module.__module__.split('.')[1]}.{name}": module
        for name in nn.__all__
        if inspect.isclass(module := getattr(nn, name))
        and issubclass(module, torch.nn.Module)
    }


@cache
def _table(slug):
    file = TESTS / slug / "calls.py"
    return runpy.run_path(str(file)) if file.exists() else {}


def function_call(name):
    """Arguments of a function, arrays of NumPy's."""
    slug, _, short = name.partition(".")
    return dict(_table(slug)["FUNCTIONS"][short])


def mod_call(name):
    """Arguments of what makes a function for FlexAttention: tensors."""
    slug, _, short = name.partition(".")
    return as_torch(_table(slug)["MODS"][short])


def module_call(name):
    """Arguments of a module, and of its call."""
    slug, _, short = name.partition(".")
    made, called = _table(slug)["MODULES"][short]
    return dict(made), {key: to_torch(value) for key, value in called.items()}


def everything_public():
    """Return the names of all functions, makers of functions, and modules."""
    return [*_all_functions(), *public_modules()]


def runs(name):
    """Return right calls: of a function in both libraries, of a module and its call."""
    if name in public_modules():
        module, (made, called) = public_modules()[name], module_call(name)
        return [(module, made), (module(**made).eval().requires_grad_(False), called)]
    function = _all_functions()[name]
    if _makes_mod(function):
        return [(function, mod_call(name))]
    return [(function, function_call(name)), (function, as_torch(function_call(name)))]


def refusals():
    """Yield names, changes of their calls that break a rule, and words of the error.

    REFUSED of ``tests/<slug>/calls.py`` lists them, for several names or, with "*", for
    all that have these arguments.
    """
    for slug in chapters():
        for names, change, words in _table(slug).get("REFUSED", []):
            chosen = names.split() if names != "*" else _with(slug, change.keys())
            assert chosen, (slug, change)
            yield from ((f"{slug}.{name}", change, words) for name in chosen)


def _with(slug, keys):
    """Return the names of a chapter whose call has all of these arguments."""
    table = _table(slug)
    calls = {name: [call] for name, call in table["FUNCTIONS"].items()}
    calls |= {name: [call] for name, call in table.get("MODS", {}).items()}
    calls |= table.get("MODULES", {})
    return [n for n, each in calls.items() if any(keys <= one.keys() for one in each)]


def to_torch(value, dtype=None):
    """A tensor for an array, and torch for NumPy; anything else as it is."""
    import torch

    if isinstance(value, np.ndarray):
        tensor = torch.from_numpy(np.array(value))
        return tensor.to(dtype or torch.float32) if value.dtype.kind == "f" else tensor
    return torch if value is np else value


def as_torch(call):
    """A call with tensors in place of arrays."""
    return {key: to_torch(value) for key, value in call.items()}


def at_length(call, length):
    """The call with another sequence length."""
    return {key: _stretched(key, value, length) for key, value in call.items()}


def _stretched(name, value, length):
    if name in _LENGTHS and value == LENGTH:
        return length
    if not isinstance(getattr(value, "shape", None), tuple):
        return value
    for axis, size in enumerate(value.shape):
        if size in (LENGTH, 2 * LENGTH - 1):
            longer = length if size == LENGTH else 2 * length - 1
            rows = [n % size for n in range(longer)]
            value = value[(slice(None),) * axis + (rows,)]
    return value


def other_options(call):
    """The call, and the same with one option changed."""
    yield call
    for key, pair in {
        "causal": (True, False),
        "layout": ("half", "interleaved"),
        "rotate_denominator": (True, False),
        "symmetric": (True, False),
    }.items():
        if key in call:
            changed = call | {key: pair[call[key] == pair[0]]}
            if "decay" in call and changed.get("causal") is False:
                changed["decay"] = None
            yield changed


def fresh(call):
    """The call, with generators of random numbers at their start."""
    return {k: copy.deepcopy(v) if k == "rng" else v for k, v in call.items()}


def float_arrays(call):
    """Names of the arguments that are arrays of floating-point numbers."""
    return [
        name
        for name, value in call.items()
        if isinstance(value, np.ndarray) and value.dtype.kind == "f"
    ]


def parts(result):
    """The arrays of a result, whatever tuples they are in."""
    if not isinstance(result, tuple):
        return [result]
    return [part for one in result for part in parts(one)]
