"""Positions whose angle, or whose neighbor, float64 does not hold are refused.

The calls are those of ``tests/<slug>/calls.py``, so that no new function escapes.
"""

import re

import numpy as np
import pytest
from public_calls import everything_public, runs

from posenc.rope import rotary_angles

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.bad_input

OFFSETS = ("q_offset", "offset")
POSITIONS = (
    *("positions", "q_positions", "k_positions", "distance"),
    *("rows", "columns", "frames"),
)
#: They count exactly, in integers, at any distance.
EXACT = ("sinusoidal.binary_encoding",)
#: Chapters whose functions turn by angles; these of their functions do not.
TURNING = ("sinusoidal", "rotation", "rope", "linear_attention")
COUNTING = ("sinusoidal.normalized_position", "sinusoidal.LearnedEncoding")
#: What may be wrong with a number that is near enough.
OTHERS = (
    r"offset [+] seq_len must be at most|the factors of xPos|"
    "q_offset must be 0 if positions are given|positions must be in 0 …"
)


def limit(name):
    turns = name.partition(".")[0] in TURNING and name not in COUNTING
    return 32 if turns else 53


def calls_at(call, place):
    """The call with one place after the other at a number, and that argument's name."""
    for key, value in call.items():
        if key in OFFSETS or (key == "position" and type(value) is int):
            yield key, call | {key: place}
        elif key in POSITIONS and hasattr(value, "shape") and place < 2**63:
            kind = np if isinstance(value, np.ndarray) else torch
            dtype = kind.float64 if "float" in str(value.dtype) else kind.int64
            yield key, call | {key: kind.full(value.shape, place, dtype=dtype)}


def assert_refused(name, function, call):
    power = limit(name)
    for place in (2**power, 2**60, 2**70):
        for key, far in calls_at(call, place):
            with pytest.raises(ValueError, match=rf"\b{key} must .*got ") as caught:
                function(**far)
            assert f"2**{power}" in str(caught.value)
    for _, near in calls_at(call, 2**power - 16):  # that of the first token
        try:
            function(**near)
        except ValueError as error:
            if not re.match(OTHERS, str(error)):
                raise


@pytest.mark.parametrize("name", [n for n in everything_public() if n not in EXACT])
def test_far_positions_are_refused(name):
    for function, call in runs(name):
        if call.get("q_positions", None) is not None and "q_offset" in call:
            call["q_offset"] = 0
        assert_refused(name, function, call)


@pytest.mark.parametrize("place", [2**24, -(2**24)])
def test_positions_that_float32_does_not_tell_apart_are_refused(place):
    near, far = (np.asarray([place - sign, place], "f4") for sign in (1, -1))
    with pytest.raises(ValueError, match=r"positions must lie between -2\*\*24 and"):
        rotary_angles(far, 4)
    rotary_angles(near[:1] * (1 - 2**-20), 4)
