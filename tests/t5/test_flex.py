from functools import partial

import pytest
import torch
from flex_rules import Case, TestFlex, assert_adds, draw, run_page

from posenc import t5
from posenc.attention import causal_mask, scaled_dot_product_attention

__all__ = ["TestFlex"]

SETTINGS = [
    {"bidirectional": True, "max_distance": 9},
    {"bidirectional": False, "max_distance": 6},
]


def table():
    torch.manual_seed(1)
    return torch.randn(8, 3)


def cases(length=20, head_dim=4):
    for setting, past in ((SETTINGS[0], 0), (SETTINGS[1], 0), (SETTINGS[1], 13)):
        mod, bias = (
            partial(function, **setting, q_offset=past)
            for function in (t5.score_mod, t5.relative_position_bias)
        )
        bias = partial(bias, q_len=length - past, k_len=length)
        yield Case(mod, bias, [table()], draw(length - past, length, head_dim=head_dim))


@pytest.mark.parametrize("setting", SETTINGS)
def test_score_mod_adds_the_bias_of_any_positions(setting):
    q_positions = torch.tensor([[0, 1, 2, 0, 1], [4, 90, 3, 7, 10**6]])
    k_positions = torch.tensor([3, 0, 11, 12, 2, 2, 100])
    bias = t5.relative_position_bias_at(table(), q_positions, k_positions, **setting)
    places = {"q_positions": q_positions, "k_positions": k_positions}
    assert_adds(t5.score_mod(table(), **places, **setting), bias, draw(5, 7))


def test_the_lines_on_the_page():
    q, k, v = draw(9, 9)
    bias = t5.relative_position_bias(table(), 9, 9, bidirectional=False)
    past = causal_mask(9, 9, xp=torch)
    unscaled = {"bias": bias, "mask": past, "scale": 1.0}  # as T5 does
    expected = scaled_dot_product_attention(q, k, v, **unscaled)
    result = run_page("t5", q=q, k=k, v=v, table=table())
    torch.testing.assert_close(result, expected)


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
