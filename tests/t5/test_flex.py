import functools

import pytest
import torch
from flex_rules import (
    HAS_GPU,
    assert_adds,
    assert_compiles,
    assert_same_gradients,
    assert_trains_on_a_gpu,
    draw,
    run_page,
)

from posenc import t5
from posenc.attention import causal_mask, scaled_dot_product_attention

SETTINGS = [
    {"bidirectional": True, "max_distance": 9},
    {"bidirectional": False, "max_distance": 6},
]
settings = pytest.mark.parametrize("setting", SETTINGS)


def table(num_buckets=8):
    torch.manual_seed(1)
    return torch.randn(num_buckets, 3)


@settings
@pytest.mark.parametrize("q_offset", [0, 13])
def test_score_mod_adds_the_bias(setting, q_offset):
    qkv = draw(20 - q_offset, 20)
    bias = t5.relative_position_bias(
        table(), 20 - q_offset, 20, q_offset=q_offset, **setting
    )
    score_mod = t5.score_mod(table(), q_offset=q_offset, **setting)
    assert_adds(score_mod, bias, qkv)


@settings
def test_score_mod_adds_the_bias_of_any_positions(setting):
    q_positions = torch.tensor([[0, 1, 2, 0, 1], [4, 90, 3, 7, 10**6]])
    k_positions = torch.tensor([3, 0, 11, 12, 2, 2, 100])
    bias = t5.relative_position_bias_at(table(), q_positions, k_positions, **setting)
    places = {"q_positions": q_positions, "k_positions": k_positions}
    assert_adds(t5.score_mod(table(), **places, **setting), bias, draw(5, 7))


@settings
def test_gradients_of_the_table(setting):
    make_mod = functools.partial(t5.score_mod, **setting)
    make_bias = functools.partial(
        t5.relative_position_bias, q_len=20, k_len=20, **setting
    )
    assert_same_gradients(make_mod, make_bias, [table()], (2, 3, 20, 20))


def test_the_lines_on_the_page():
    q, k, v = draw(9, 9)
    bias = t5.relative_position_bias(table(), 9, 9, bidirectional=False)
    past = causal_mask(9, 9, xp=torch)
    unscaled = {"bias": bias, "mask": past, "scale": 1.0}  # as T5 does
    expected = scaled_dot_product_attention(q, k, v, **unscaled)
    result = run_page("t5", q=q, k=k, v=v, table=table())
    torch.testing.assert_close(result, expected)


@pytest.mark.slow
def test_score_mod_compiles():
    assert_compiles(t5.score_mod(table(32)), draw(140, 140))


@pytest.mark.skipif(not HAS_GPU, reason="FlexAttention trains on a GPU alone")
def test_score_mod_trains():
    make_bias = functools.partial(t5.relative_position_bias, q_len=140, k_len=140)
    qkv = draw(140, 140, head_dim=16)
    assert_trains_on_a_gpu(t5.score_mod, make_bias, [table(32)], qkv)


@pytest.mark.bad_input
def test_positions_come_in_pairs_and_count_the_offset():
    places = torch.arange(4)
    with pytest.raises(TypeError, match="k_positions must be an array"):
        t5.score_mod(table(), q_positions=places)
    with pytest.raises(ValueError, match=r"q_offset must be 0 if positions .*, got 2"):
        t5.score_mod(table(), q_offset=2, q_positions=places, k_positions=places)
    with pytest.raises(ValueError, match=r"or \(batch, seq_len\), got shape \(1, 1, 4"):
        t5.score_mod(table(), q_positions=places, k_positions=places[None, None])
    with pytest.raises(ValueError, match="leading axes of k_positions must broadcast"):
        t5.relative_position_bias_at(table(), places.expand(3, 4), places.expand(2, 4))
    with pytest.raises(ValueError, match=r"k_positions must lie between -2\*\*53"):
        t5.relative_position_bias_at(table(), places, places + 2**53)
