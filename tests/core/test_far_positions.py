"""Positions that float64 cannot tell from the next one are refused by every function.

The calls are those of ``tests/<slug>/calls.py``, so that no new function escapes.
"""

import numpy as np
import pytest
from public_calls import (
    as_torch,
    function_call,
    mod_call,
    module_call,
    public_functions,
    public_mods,
    public_modules,
)

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.bad_input

FAR = 2**60
OFFSETS = ("q_offset", "offset")
POSITIONS = (
    *("positions", "q_positions", "k_positions", "distance"),
    *("rows", "columns", "frames"),
)
#: They count exactly, in integers, at any distance.
EXACT = ("sinusoidal.binary_encoding",)


def far_calls(call):
    """The call with one place after the other far away, and that argument's name."""
    for key, value in call.items():
        if key in OFFSETS:
            yield key, call | {key: FAR}
            yield key, call | {key: 2**70}
        elif key in POSITIONS and hasattr(value, "shape"):
            kind = np if isinstance(value, np.ndarray) else torch
            yield key, call | {key: kind.full_like(value, FAR)}


def assert_refused(function, call):
    for key, far in far_calls(call):
        with pytest.raises(ValueError, match=rf"\b{key} must .*got ") as caught:
            function(**far)
        assert "2**53" in str(caught.value)


@pytest.mark.parametrize("name", [n for n in public_functions() if n not in EXACT])
def test_a_function_refuses_far_positions(name):
    call = function_call(name)
    assert_refused(public_functions()[name], call)
    assert_refused(public_functions()[name], as_torch(call))


@pytest.mark.parametrize("name", public_mods())
def test_what_makes_a_mod_refuses_far_positions(name):
    call = mod_call(name)
    if call.get("q_positions", None) is not None:
        call["q_offset"] = 0
    assert_refused(public_mods()[name], call)


@pytest.mark.parametrize("name", public_modules())
def test_a_module_refuses_far_positions(name):
    made, called = module_call(name)
    assert_refused(public_modules()[name](**made).eval(), called)
