"""Every public function and module answers wrong arguments in its own words.

What it is given is replaced, one argument at a time, by things that it cannot use. A
new function cannot escape: without a call in ``tests/<slug>/calls.py`` it fails here.
"""

import inspect
import re

import numpy as np
import pytest
from array_api_compat import array_namespace
from public_calls import (
    LENGTH,
    as_torch,
    everything_public,
    fresh,
    function_call,
    module_call,
    parts,
    public_functions,
    public_mods,
    public_modules,
    refusals,
    runs,
)

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.bad_input

FUNCTIONS, MODS, MODULES = public_functions(), public_mods(), public_modules()
EVERYTHING = everything_public()
ARRAYS = np.ndarray | torch.Tensor
#: Arguments that hold positions: integers or floating-point numbers, as they like.
POSITIONS = re.compile("positions|distance|rows|columns|frames")
#: They move numbers of every kind.
ANY_ARRAY = ("swin.window_partition", "swin.window_merge")
#: Numbers that may be 0, and that may be negative.
MAY_BE_0 = re.compile(
    r".* (q_len|q_offset|offset|position|before|after|num_blocks|number|table_len|"
    r"fraction|alpha|mscale|mscale_all_dim|low_freq_factor|attention_factor|clamp_len|"
    r"score_bound|max_global_shift|max_local_shift)|"
    r"attention\.\w+ (scale|k_len)|shaw\.\w+ (max_distance|k_len)|t5\.\w+ k_len|"
    r"alibi\.alibi_bias(_full)? k_len|swin\.shift_regions (rows|columns)|"
    r"(sinusoidal\.sinusoidal_table|rope\.\w+) seq_len"
)
MAY_BE_NEGATIVE = re.compile(
    r"attention\.\w+ scale|rotation\.shift_operator offset|"
    r"rope\.(rotation_matrix position|RotaryEmbedding attention_factor)"
)
#: Arrays that do not broadcast are refused by NumPy or torch.
WORDS_OF_LIBRARY = (
    "cape.CapeEncoding",
    "convolutional.convolutional_encoding",
    "convolutional.normalized_weight",
    "linear_attention.positive_random_features",
    "rope.decay_bound",
    "rope.rotary_factors",
    "shaw.position_scores_broadcast",
    "shaw.position_values_broadcast",
)
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
everything = pytest.mark.parametrize("name", EVERYTHING)
modules = pytest.mark.parametrize("name", MODULES)


def parameters(function):
    return inspect.signature(function).parameters


@pytest.mark.parametrize("name", [*FUNCTIONS, *MODS])
def test_a_call_of_every_function_names_all_its_parameters(name):
    function, call = runs(name)[0]
    wanted = {
        key
        for key, one in parameters(function).items()
        if one.kind is not inspect.Parameter.VAR_KEYWORD
    }
    assert call.keys() == wanted


@modules
def test_a_call_of_every_module_names_all_its_parameters(name):
    made, called = module_call(name)
    assert made.keys() == parameters(MODULES[name]).keys()
    assert called.keys() == parameters(MODULES[name].forward).keys() - {"self"}


def refusal(function, call):
    """Return the message of the error that a call raises, or nothing."""
    try:
        function(**call)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


@everything
def test_what_an_argument_cannot_be_is_refused(name):
    found = []
    for function, call in runs(name):
        function(**call)  # is right
        for key, kind, value in wrong_values(name, function, call):
            said = refusal(function, call | {key: value})
            if not (re.search(rf"\b{key}\b", said) and "got" in said):
                found.append(f"{key} = {kind}: {said or 'is taken'}")
    assert not found


def wrong_values(name, function, call):
    """Yield names of arguments and what they cannot be, with a word for it."""
    is_module = isinstance(function, torch.nn.Module)
    declared = parameters(function.forward if is_module else function)
    mixed = sum(isinstance(value, ARRAYS) for value in call.values()) > 1
    for key, right in call.items():
        wrong = WRONG | (of_other_library(right) if mixed else {})
        if name not in ANY_ARRAY:
            wrong |= other_numbers(key, right)
        if type(right) in (int, float):
            wrong["truth"] = True
        if type(right) is int and not MAY_BE_NEGATIVE.fullmatch(f"{name} {key}"):
            wrong["float"] = float(right)
        if type(right) is float:
            wrong["infinity"] = np.inf
        if key == "dtype":
            wrong["integers"] = torch.int64 if call.get("xp") is torch else np.int64
        for kind, value in wrong.items():
            if value is None and (declared[key].default is None or key == "rng"):
                continue  # which stands for torch's own generator
            if kind == "function" and callable(right):
                continue
            if kind == "list" and "Sequence" in str(declared[key].annotation):
                continue
            if kind == "not a number" and (hasattr(right, "shape") or key == "dtype"):
                continue  # an array of no axes; NumPy reads a dtype off it
            yield key, kind, value


def of_other_library(right):
    """Return an array of NumPy's for a tensor, and a tensor for such an array."""
    if isinstance(right, torch.Tensor):
        return {"array of NumPy's": right.numpy()}
    return {"tensor": torch.from_numpy(right)} if isinstance(right, np.ndarray) else {}


def other_numbers(key, right):
    """Return arrays of the same shape that hold another kind of numbers."""
    if not isinstance(right, ARRAYS) or "complex" in str(right.dtype):
        return {}
    xp, is_float = array_namespace(right), "float" in str(right.dtype)
    if not is_float:
        return {"floats": xp.astype(right, xp.float32)}
    wrong = {"truths": right == right}
    if not POSITIONS.fullmatch(key):
        return wrong | {"integers": xp.astype(right, xp.int64)}
    wrong["float16"] = xp.astype(right, xp.float16)
    if isinstance(right, torch.Tensor):
        wrong["bfloat16"] = right.bfloat16()
    return wrong


@everything
def test_zero_and_less_are_refused_unless_they_mean_something(name):
    for function, call in runs(name):
        for key, right in call.items():
            if type(right) not in (int, float):
                continue
            for value, meant in ((0, MAY_BE_0), (-1, MAY_BE_NEGATIVE)):
                said = refusal(function, call | {key: type(right)(value)})
                assert bool(meant.fullmatch(f"{name} {key}")) == (not said), (key, said)
                assert not said or re.search(rf"\b{key}\b.*got|must fill", said)


@pytest.mark.parametrize("name", [n for n in EVERYTHING if n not in WORDS_OF_LIBRARY])
def test_an_array_of_another_shape_is_taken_or_refused_in_our_words(name):
    for function, call in runs(name):
        # Some errors of modules name an array that they make of their arguments.
        names = r"\w+" if name in MODULES else "|".join([*call, "causal"])
        words = rf"\b({names})\b.* (must|needs?) .*got "
        for key, right in call.items():
            if not isinstance(right, ARRAYS):
                continue
            xp = array_namespace(right)
            longer = [xp.concat([right, right], axis=n) for n in (-1, -2)[: right.ndim]]
            for other in (right[(0,) * right.ndim], xp.stack([right] * 7), *longer):
                said = refusal(function, call | {key: other})
                assert not said or re.search(words, said), (key, said)


@everything
def test_a_mask_for_padding_is_refused_with_the_way_in(name):
    """With as many texts as queries, it cannot be told from (queries, keys)."""
    for function, call in runs(name):
        if np.shape(call.get("mask")) == (LENGTH, LENGTH):
            said = refusal(function, call | {"mask": call["mask"][:3]})
            assert re.search(r"\(3, 6\).* goes in as mask\[:, (None, )+:\]", said)


@pytest.mark.parametrize(("name", "change", "words"), [*refusals()])
def test_a_value_that_breaks_a_rule_is_refused(name, change, words):
    for function, call in [whole(name)] if name in MODULES else runs(name):
        is_torch = torch in map(library_of, call.values())
        wrong = call | (as_torch(change) if is_torch else change)
        assert re.search(words, refusal(function, wrong))


def whole(name):
    """Return a function that makes a module and calls it, and all its arguments."""
    made, called = module_call(name)

    def run(**given):
        module = MODULES[name](**{key: given[key] for key in made}).eval()
        return module(**{key: given[key] for key in called})

    return run, made | called


def library_of(value):
    """Return torch for a tensor, or for torch itself."""
    return torch if isinstance(value, torch.Tensor) or value is torch else None


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
