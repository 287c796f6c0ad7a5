"""The conventions of every method, derived from our code."""

import inspect
import math

import numpy as np
import pytest

from posenc import (
    alibi,
    music_transformer,
    nn,
    rope,
    shaw,
    sinusoidal,
    swin,
    t5,
    transformer_xl,
)
from posenc.compare import CONVENTIONS, METHODS
from posenc.transformer_xl import nn as xl_nn

TABLE = {convention.method: convention for convention in CONVENTIONS}
L, D = 5, 8
RELATIVE = np.arange(L) - np.arange(L)[:, None]  # key - query, j - i


def test_every_method_but_none_has_its_conventions():
    assert list(TABLE) == [m.name for m in METHODS if m.name != "none"]


def counted(matrix):
    """``"j - i"`` or ``"i - j"``: what grows with the number that a pair gets."""
    return "j - i" if np.array_equal(matrix - matrix[0, 0], RELATIVE) else "i - j"


#: A number for each pair that grows by one with what the method counts.
NUMBERS = {
    "shaw": lambda: shaw.relative_position_index(L, L, L),
    "music_transformer": lambda: music_transformer.position_scores(
        np.ones((L, 1)), np.arange(2.0 * L - 1)[:, None], causal=False
    ),
    "swin": lambda: swin.relative_position_index(1, L),
    "t5": lambda: np.where(
        RELATIVE > 0,
        t5.relative_position_bucket(RELATIVE) - 16,
        -t5.relative_position_bucket(RELATIVE),
    ),
    "alibi": lambda: -alibi.alibi_bias(1, L, L, symmetric=True)[0] * 256
    * -np.sign(RELATIVE),
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_sign(name):
    found = counted(NUMBERS[name]())
    assert TABLE[name].counts.replace("$", "").startswith(found)


def test_transformer_xl_takes_the_vector_of_the_distance():
    r = np.arange(L - 1.0, -1, -1)[:, None]  # rows: distances 4 … 0
    scores = transformer_xl.position_scores(np.ones((L, 1)), r, np.zeros(1))
    past = np.tril(np.ones((L, L), bool))
    np.testing.assert_array_equal(scores[past], -RELATIVE[past])
    assert TABLE["transformer_xl"].counts == "$i - j$"


def test_rope_turns_by_plus_m_and_the_score_by_n_minus_m():
    angles = rope.rotary_angles(np.arange(float(L)), 2)
    np.testing.assert_array_equal(angles[:, 0], np.arange(L))  # plus
    q, k = np.asarray([[1.0, 0.0]] * L), np.asarray([[0.0, 1.0]] * L)
    scores = rope.apply_rotary(q, angles) @ rope.apply_rotary(k, angles).T
    np.testing.assert_allclose(scores, -np.sin(RELATIVE), atol=1e-12)


def test_absolute_ones_count_from_zero_and_cape_from_the_middle():
    table = sinusoidal.sinusoidal_table(L, D)
    np.testing.assert_array_equal(table[0, ::2], 0)
    assert "from 0" in TABLE["sinusoidal"].counts
    from posenc.compare.figures import SCORES, drawn

    text = drawn(tuple("abcde"))
    moved = text.x + sinusoidal.sinusoidal_encoding(np.arange(-2.0, 3.0), 8)
    np.testing.assert_allclose(
        SCORES["cape"](text), (moved @ text.w_q) @ (moved @ text.w_k).T / text.root
    )
    assert "from the middle" in TABLE["cape"].counts


@pytest.mark.parametrize("name", TABLE)
def test_base(name):
    functions = {
        "sinusoidal": sinusoidal.sinusoidal_encoding,
        "transformer_xl": sinusoidal.sinusoidal_encoding,
        "cape": nn.CapeEncoding,
        "rope": rope.rotary_angles,
    }
    if name not in functions:
        assert TABLE[name].base == TABLE[name].pairs == "–"
        return
    default = inspect.signature(functions[name]).parameters["base"].default
    assert TABLE[name].base == f"{default:,.0f}"


def test_pairs():
    for name, layout in (("sinusoidal", "interleaved"), ("rope", "interleaved")):
        function = {
            "sinusoidal": sinusoidal.sinusoidal_encoding,
            "rope": rope.apply_rotary,
        }
        assert inspect.signature(function[name]).parameters["layout"].default == layout
        assert TABLE[name].pairs.startswith("adjacent")
    adjacent = sinusoidal.sinusoidal_encoding(np.asarray(1.0), 4)
    np.testing.assert_allclose(adjacent[:2], [math.sin(1), math.cos(1)])
    half = sinusoidal.sinusoidal_encoding(np.asarray(1.0), 4, layout="half")
    np.testing.assert_allclose(half[[0, 2]], [math.sin(1), math.cos(1)])
    assert TABLE["transformer_xl"].pairs.startswith("half-split")
    assert 'layout="half"' in inspect.getsource(xl_nn)
