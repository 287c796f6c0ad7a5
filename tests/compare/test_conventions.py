"""The conventions of every method, derived from our code."""

import inspect
import math

import numpy as np
import pytest

from posenc import (
    alibi,
    convolutional,
    music_transformer,
    nn,
    rope,
    shaw,
    sinusoidal,
    swin,
    t5,
    transformer_xl,
)
from posenc.attention import attention_weights
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


def test_sign_of_swin_for_rows():
    index = swin.relative_position_index(L, 1)
    assert counted(index) == "i - j"


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


def test_convolution_of_wav2vec2_sees_64_before_and_63_after():
    x = np.zeros((1, 200, 1))
    x[0, 100] = 1.0
    said = convolutional.grouped_convolution(x, np.ones((1, 1, 128)), groups=1)
    touched = np.flatnonzero(said[0, :, 0])
    assert (100 - touched.max(), 100 - touched.min()) == (-64, 63)
    assert TABLE["convolutional"].counts.startswith("frames $-64$ to $+63$")


def test_absolute_positions_start_at_zero_and_cape_is_centered():
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


def weights_of(scores):
    return np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)


def test_scale():
    """Which part of the score is divided by the root of the features."""
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, L, 4))
    eye, no_values = np.eye(L), np.zeros((2 * L - 1, L))
    table = rng.normal(size=(2 * L - 1, 4))
    out = shaw.relative_attention(q, k, eye, table, no_values)
    both = (q @ k.T + shaw.position_scores(q, table, L)) / 2
    np.testing.assert_allclose(out, weights_of(both))
    out = music_transformer.relative_attention(q, k, eye, table, causal=False)
    np.testing.assert_allclose(out, weights_of(both))
    assert TABLE["shaw"].scale == TABLE["music_transformer"].scale == "yes, both parts"

    r, (u, v) = rng.normal(size=(L, 4)), rng.normal(size=(2, 4))
    out = transformer_xl.relative_attention(
        q, k, eye, r, content_bias=u, position_bias=v
    )
    scores = transformer_xl.attention_scores(q, k, r, u, v) / 2
    hidden = np.where(RELATIVE > 0, -np.inf, scores)
    np.testing.assert_allclose(out, weights_of(hidden))
    assert TABLE["transformer_xl"].scale.endswith("yes in its code, all four terms")

    bias = alibi.alibi_bias(1, L, L)[0]
    got = attention_weights(q, k, bias=bias)
    np.testing.assert_allclose(got, weights_of(q @ k.T / 2 + bias))
    for name in ("alibi", "swin"):
        assert TABLE[name].scale == "yes, but not the bias"
    assert TABLE["t5"].scale == "no"


@pytest.mark.parametrize("name", TABLE)
def test_queries_and_keys(name):
    """Which argument says where the first query stands."""
    functions = {
        "learned": (nn.LearnedEncoding.forward, "offset"),
        "sinusoidal": (nn.SinusoidalEncoding.forward, "offset"),
        "shaw": (shaw.position_scores, "q_offset"),
        "t5": (t5.relative_position_bias, "q_offset"),
        "alibi": (alibi.alibi_bias, "q_offset"),
        "rope": (rope.rotary_angles, "positions"),
        "cape": (nn.CapeEncoding.forward, "positions"),
    }
    said = TABLE[name].alignment
    if name in functions:
        function, argument = functions[name]
        assert argument in inspect.signature(function).parameters
        assert f"`{argument}`" in said
    else:
        assert "`" not in said


def test_alignment_of_methods_without_offset():
    q, r = np.ones((2, 1)), np.arange(3.0, -1, -1)[:, None]
    scores = transformer_xl.position_scores(q, r, np.zeros(1))
    assert scores[-1].tolist() == [3, 2, 1, 0]  # the last query at the last key
    assert TABLE["transformer_xl"].alignment == "the last query at the last key"
    table = np.ones((9, 1))
    assert music_transformer.position_scores(np.ones((4, 1)), table).shape == (4, 4)
    assert TABLE["music_transformer"].alignment == "as many queries as keys"
