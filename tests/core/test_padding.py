"""Everything that mixes the tokens of a sequence takes a mask that hides padding.

Found by trying: where other tokens change when the first or the last ones do, there
must be a mask, and under it they must not. A new function or module cannot escape.
"""

import pytest
from public_calls import (
    LENGTH,
    as_torch,
    function_call,
    module_call,
    parts,
    public_functions,
    public_modules,
)

torch = pytest.importorskip("torch")

FUNCTIONS, MODULES = public_functions(), public_modules()
TOKENS = ("x", "hidden", "context", "q", "k", "v")
NOT_CAUSAL = {"causal": False, "symmetric": True, "decay": None}
WITHOUT = {
    "convolutional.grouped_convolution": "padding that is 0 is what it pads with",
    "music_transformer.local_attention": "causal: pad at the end",
    "music_transformer.MusicLocalAttention": "causal: pad at the end",
    "transformer_xl.TransformerXL": "causal: pad the last segment at its end",
}
SIDES = {
    "left": torch.arange(LENGTH) < 2,
    "right": torch.arange(LENGTH) >= LENGTH - 2,
}
sides = pytest.mark.parametrize("side", SIDES)


def tokens(call):
    """Names of the arrays that have a vector for each token."""
    shapes = {key: getattr(call.get(key), "shape", ()) for key in TOKENS}
    return [key for key, shape in shapes.items() if tuple(shape[-2:-1]) == (LENGTH,)]


def leak(function, call, padding):
    """Largest change of the other tokens' results when the padding changes."""
    garbage = {
        key: torch.where(padding[:, None], call[key] * 3 + 7, call[key])
        for key in tokens(call)
    }
    right, wrong = (parts(function(**one))[0] for one in (call, call | garbage))
    if right.ndim < 2 or right.shape[-2] != LENGTH:
        return 0.0
    return float((right - wrong)[..., ~padding, :].abs().max())


def check(name, function, call, padding):
    free = call | {"mask": None} if "mask" in call else call
    if name in WITHOUT or leak(function, free, padding) == 0.0:
        return
    assert "mask" in call, "padding leaks, and cannot be hidden"
    assert leak(function, call | {"mask": ~padding[None]}, padding) < 1e-5


@sides
@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_that_mixes_tokens_hides_padding(name, side):
    call = as_torch(function_call(name))
    call |= {key: value for key, value in NOT_CAUSAL.items() if key in call}
    if {"x", "v"} & set(tokens(call)):  # not scores: theirs have a column per key
        check(name, FUNCTIONS[name], call, SIDES[side])


@sides
@pytest.mark.parametrize("name", MODULES)
def test_module_that_mixes_tokens_hides_padding(name, side):
    made, called = module_call(name)
    made |= {key: value for key, value in NOT_CAUSAL.items() if key in made}
    called |= {"use_cache": False} if "use_cache" in called else {}
    torch.manual_seed(0)
    module = MODULES[name](**made).eval().requires_grad_(False)
    check(name, module, called, SIDES[side])
