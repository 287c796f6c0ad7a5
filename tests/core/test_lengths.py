"""No tokens, a token at a time, and arguments that are left as they were.

The calls are those of ``tests/<slug>/calls.py``, so that no new function escapes.
"""

import copy
import inspect

import numpy as np
import pytest
import torch
from decoding_rules import assert_decodes
from public_calls import (
    LENGTH,
    as_torch,
    at_length,
    function_call,
    module_call,
    parts,
    public_functions,
    public_modules,
)

FUNCTIONS, MODULES = public_functions(), public_modules()
#: Their results have axes of other things that are as many as tokens.
OTHER_AXES = (
    "music_transformer.local_mask",
    "music_transformer.local_position_scores",
    "rope.axial_angles_3d",
    "rope.multimodal_angles",
)
#: Arguments whose second last axis is that of the tokens.
TOKENS = ("x", "hidden", "q", "k", "v")


#: Modules that are causal only by their mask.
IN_ANY_ORDER = ("attention.MultiHeadAttention", "shaw.ShawAttention")


def empty_shapes(results):
    """Return the shapes of arrays, with axes of tokens as they are without any."""
    sizes = {LENGTH: 0}
    return [
        tuple(sizes.get(size, size) for size in one.shape)
        for one in parts(results)
        if hasattr(one, "shape")
    ]


@pytest.mark.bad_input  # of jaxtyping's shapes, which know no negative length
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in OTHER_AXES])
def test_a_function_of_no_tokens_gives_none(name):
    for call in (function_call(name), as_torch(function_call(name))):
        found = FUNCTIONS[name](**at_length(call, 0))
        assert empty_shapes(found) == empty_shapes(FUNCTIONS[name](**call))


@pytest.mark.bad_input
@pytest.mark.parametrize("name", MODULES)
def test_a_module_of_no_tokens_gives_none(name):
    made, called = module_call(name)
    module = MODULES[name](**made).eval()
    found = module(**at_length(called, 0))
    assert empty_shapes(found) == empty_shapes(module(**called))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_changes_none_of_its_arguments(name):
    for call in (function_call(name), as_torch(function_call(name))):
        kinds = np.ndarray | torch.Tensor
        arrays = {key: one for key, one in call.items() if isinstance(one, kinds)}
        before = copy.deepcopy(arrays)
        FUNCTIONS[name](**call)
        for key, array in arrays.items():
            np.testing.assert_array_equal(np.asarray(array), np.asarray(before[key]))


def cached():
    """Return the names of the modules that take a cache."""
    signatures = {n: inspect.signature(one.forward) for n, one in MODULES.items()}
    return [name for name, one in signatures.items() if "past" in one.parameters]


@pytest.mark.parametrize("prompt", [0, 1, 4, 7, 12])
@pytest.mark.parametrize("name", cached())
def test_a_prompt_and_then_token_by_token_is_all_at_once(name, prompt):
    made, called = module_call(name)
    torch.manual_seed(0)
    module = MODULES[name](**made).requires_grad_(False)
    shapes = [called[key].shape for key in TOKENS if key in called]
    tokens = [torch.randn(*shape[:-2], 12, shape[-1]) for shape in shapes]
    mask, bias = torch.ones(12, 12, dtype=torch.bool), torch.randn(12, 12)
    mask[:, 1] = False  # a token of padding
    mask = mask.tril() if name in IN_ANY_ORDER else mask
    # Its state holds the keys before, so a mask is of the new ones alone.
    per_key = name == "linear_attention.LinearAttention"

    def rows_of(rows):
        part = (slice(-1, None), rows) if per_key else (rows, slice(0, rows.stop))
        given = {"mask": mask[part], "bias": bias[part]}
        return {key: one for key, one in given.items() if key in called}

    def run(*tokens, use_cache=False, **options):
        if "use_cache" in called:
            return module(*tokens, use_cache=use_cache, **options)
        out, past = module(*tokens, **options)  # it always returns a cache
        return (out, past) if use_cache else out

    assert_decodes(run, tokens, prompt, call=rows_of)
