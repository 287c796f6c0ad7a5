import pytest
import torch

from posenc.alibi import alibi_bias
from posenc.alibi import nn as alibi_nn
from posenc.alibi.exercises import oracle
from posenc.attention import causal_mask
from posenc.nn import AlibiAttention


def oracle_bias(num_heads, q_len, k_len, q_offset, symmetric):
    rule = (lambda distance: -abs(distance)) if symmetric else oracle.causal
    return oracle.bias(oracle.slopes(num_heads), q_len, k_len, q_offset, rule)


def softmax_attention(q, k, v, bias, mask):
    scores = q @ k.mT / q.shape[-1] ** 0.5 + bias
    return torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1) @ v


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("lengths", [(5, 5, 0), (2, 5, 3), (0, 3, 0)])
def test_module_attends_with_the_bias(symmetric, lengths):
    torch.manual_seed(0)
    q_len, k_len, q_offset = lengths
    q = torch.randn(2, 6, q_len, 4)
    k, v = torch.randn(2, 2, 6, k_len, 4)
    module = AlibiAttention(6, symmetric=symmetric)
    assert list(module.state_dict()) == []
    expected_bias = oracle_bias(6, q_len, k_len, q_offset, symmetric)
    bias = torch.tensor(expected_bias, dtype=torch.float32)
    allowed = torch.tensor(
        [[symmetric or j <= i + q_offset for j in range(k_len)] for i in range(q_len)],
        dtype=torch.bool,
    ).reshape(q_len, k_len)
    torch.testing.assert_close(
        module(q, k, v, q_offset=q_offset),
        softmax_attention(q, k, v, bias, allowed),
    )
    padding = torch.arange(k_len) != 1  # someone else's mask is kept
    torch.testing.assert_close(
        module(q, k, v, q_offset=q_offset, mask=padding),
        softmax_attention(q, k, v, bias, allowed & padding),
    )


@pytest.mark.parametrize("symmetric", [False, True])
def test_module_cuts_the_bias_of_every_call_out_of_one_row(symmetric, monkeypatch):
    torch.manual_seed(0)
    module, made = AlibiAttention(2, symmetric=symmetric), []
    monkeypatch.setattr(alibi_nn, "_MOST_DIAGONALS", 128)
    make = module._made
    monkeypatch.setattr(module, "_made", lambda *a: made.append(a) or make(*a))
    calls = [
        (3, 3, 0),
        (1, 70, 69),
        (100, 100, 0),
        (2, 5, 90),
        (5, 100, 0),
        (2, 9, 130),
    ]
    for dtype in (torch.float64, torch.float32):
        for q_len, k_len, q_offset in calls:
            q, k = (torch.randn(2, n, 4, dtype=dtype) for n in (q_len, k_len))
            bias = alibi_bias(
                2, q_len, k_len, symmetric=symmetric, q_offset=q_offset, xp=torch
            )
            allowed = symmetric | causal_mask(q_len, k_len, q_offset=q_offset, xp=torch)
            torch.testing.assert_close(
                module(q, k, k, q_offset=q_offset),
                softmax_attention(q, k, k, bias.to(dtype), torch.as_tensor(allowed)),
            )
    assert [first for first, *_ in made] == [64, 128, 131] * 2


def test_wrapped_tables_are_not_cached():
    module, q = AlibiAttention(2), torch.randn(2, 5, 4)
    torch.func.grad(lambda q: module(q, q, q).sum())(q)
    assert module._table is None
    torch.func.vmap(lambda q: module(q, q, q))(q[None])
    torch.testing.assert_close(module(q, q, q), AlibiAttention(2)(q, q, q))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("q_len", [1, 2])
@pytest.mark.parametrize("q_offset", [2, 300, 140_000])
def test_module_adds_the_bias_of_half_precision_in_float32(dtype, q_len, q_offset):
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, 8, n, 4, dtype=dtype) for n in (q_len, 3, 3))
    wide = (x.float() for x in (q, k, v))
    result = AlibiAttention(8)(q, k, v, q_offset=q_offset)
    expected = AlibiAttention(8)(*wide, q_offset=q_offset).to(dtype)
    torch.testing.assert_close(result, expected, rtol=0, atol=0)
