"""ALiBi against transformers (BLOOM, MPT, Falcon) and x-transformers.

The slopes of all three are ours. The two of transformers add m * (key position),
shifted by a constant, instead of -m * (query - key): in a row the two differ by a
constant, which the softmax cannot see. Keys after the query get more than the query's
own key, not less, so that all hangs on the causal mask.
"""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import FalconConfig, FalconModel
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.falcon.modeling_falcon import FalconAttention
from transformers.models.falcon.modeling_falcon import (
    build_alibi_tensor as falcon_alibi,
)
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from x_transformers.x_transformers import AlibiPositionalBias

from posenc.alibi import alibi_bias, alibi_slopes
from posenc.alibi.figures import to_bfloat16
from posenc.attention import attention_weights, causal_mask

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_network")]

HEADS = st.integers(1, 40)  # powers of two and others
LENGTHS = st.integers(1, 30)
#: The peers' slopes are powers taken in float32.
FLOAT32 = {"rtol": 2e-6, "atol": 4e-6}


def compare_rows(ours, theirs, past):
    """Equal on the causal part, once each row has lost its value at its last key."""
    num_heads, q_len, k_len = ours.shape
    mask = causal_mask(q_len, k_len, q_offset=past, xp=torch)
    diagonal = torch.arange(past, past + q_len).expand(num_heads, -1)[..., None]
    rows = torch.broadcast_to(theirs, ours.shape)  # the same for every query
    shifted = rows - rows.gather(-1, diagonal)
    hidden = torch.zeros(())
    torch.testing.assert_close(
        torch.where(mask, ours, hidden), torch.where(mask, shifted, hidden), **FLOAT32
    )


def compare_weights(ours, theirs, past, draw):
    """Equal after the softmax, by torch on their side."""
    _, q_len, k_len = ours.shape
    q, k = (x.float() for x in draw((q_len, 4), (k_len, 4)))
    mask = causal_mask(q_len, k_len, q_offset=past, xp=torch)
    scores = (q @ k.T / math.sqrt(4) + theirs).masked_fill(~mask, -math.inf)
    torch.testing.assert_close(
        attention_weights(q, k, bias=ours, mask=mask),
        torch.softmax(scores, dim=-1),
        rtol=0,
        atol=2e-5,  # scores of up to 60 in float32
    )


@given(num_heads=HEADS, q_len=LENGTHS, past=st.integers(0, 30))
def test_agrees_with_bloom(num_heads, q_len, past, draw):
    # Keys count from 0 to the right, for queries at any offset.
    k_len = past + q_len
    theirs = build_alibi_tensor(torch.ones(1, k_len), num_heads, torch.float32)
    ours = alibi_bias(num_heads, q_len, k_len, q_offset=past, xp=torch)
    compare_rows(ours, theirs, past)
    compare_weights(ours, theirs, past, draw)


@given(num_heads=HEADS, q_len=LENGTHS, past=st.integers(0, 30))
def test_agrees_with_mpt(num_heads, q_len, past, draw):
    # Keys count from -(max_len - 1) to 0, and the last k_len of them are used. It takes
    # the slopes of the next *higher* power of two, those at even places first: the
    # same, since every second of 2p slopes is one of p.
    max_len, k_len = 64, past + q_len
    theirs = build_mpt_alibi_tensor(num_heads, max_len)[:, :, max_len - k_len :]
    ours = alibi_bias(num_heads, q_len, k_len, q_offset=past, xp=torch)
    compare_rows(ours, theirs, past)
    compare_weights(ours, theirs, past, draw)


@given(num_heads=HEADS, q_len=LENGTHS, left=st.integers(0, 10))
def test_left_padding_of_bloom_changes_nothing_for_the_tokens(num_heads, q_len, left):
    # BLOOM counts real tokens only and gives padding 0; ours counts all. A shift of
    # queries and keys together, which cancels in the distance.
    attends = torch.cat([torch.zeros(1, left), torch.ones(1, q_len)], dim=-1)
    theirs = build_alibi_tensor(attends, num_heads, torch.float32)[..., left:]
    ours = alibi_bias(num_heads, left + q_len, left + q_len, xp=torch)
    compare_rows(ours[:, left:, left:], theirs, past=0)


@given(num_heads=HEADS, q_len=LENGTHS, past=st.integers(0, 30))
def test_symmetric_bias_agrees_with_x_transformers(num_heads, q_len, past):
    # -m |query - key| on both sides, and queries that are the last ones of the keys.
    peer = AlibiPositionalBias(num_heads)
    k_len = past + q_len
    ours = alibi_bias(num_heads, q_len, k_len, q_offset=past, symmetric=True)
    theirs = peer(q_len, k_len).numpy()
    np.testing.assert_allclose(ours, theirs, **FLOAT32)
    # Ours of the causal kind gives 0 to later keys, and that is all the difference.
    causal = alibi_bias(num_heads, q_len, k_len, q_offset=past)
    later = np.arange(k_len) > past + np.arange(q_len)[:, None]
    np.testing.assert_allclose(causal, np.where(later, 0.0, theirs), **FLOAT32)


def test_bloom_rounds_its_row_to_the_format_of_the_model():
    # The chapter's measurement: exact up to key 256, neighbors equal beyond.
    mask = torch.ones(1, 300)
    row = build_alibi_tensor(mask, 8, torch.bfloat16).float().numpy()[:, 0]
    keys = np.arange(300.0)
    expected = to_bfloat16(alibi_slopes(8)[:, None] * keys)
    np.testing.assert_array_equal(row, expected)
    exact = (np.diff(row) == alibi_slopes(8)[:, None]).all(axis=0)
    np.testing.assert_array_equal(exact[:256], True)
    assert not exact[256]


def test_falcon_divides_the_bias_by_the_root_of_the_head_size():
    # Scores and bias are added first and scaled together.
    config = FalconConfig(
        hidden_size=8, num_attention_heads=2, alibi=True, attention_dropout=0.0,
        new_decoder_architecture=False, multi_query=False, bias=False,
        attn_implementation="eager",
    )  # fmt: skip
    torch.manual_seed(0)
    layer = FalconAttention(config, layer_idx=0).eval()
    x, future = torch.randn(1, 5, 8), ~causal_mask(5, 5, xp=torch)
    alibi = falcon_alibi(torch.ones(1, 5), 2, torch.float32)
    mask = torch.zeros(1, 1, 5, 5).masked_fill(future, torch.finfo(torch.float32).min)
    _, weights = layer(x, alibi=alibi, attention_mask=mask, output_attentions=True)
    parts = layer.query_key_value(x).view(1, 5, 2, 3, 4).transpose(1, 2)
    q, k = parts[..., 0, :], parts[..., 1, :]
    bias = alibi_bias(2, 5, 5, xp=torch) / math.sqrt(4)
    torch.testing.assert_close(
        weights, attention_weights(q, k, bias=bias, mask=~future)
    )


@pytest.mark.parametrize(("kernel", "times"), [("sdpa", 1), ("eager", 2)])
def test_the_whole_eager_falcon_adds_the_bias_twice(kernel, times):
    # In its scores and, once more, in its mask: the chapter says so of this version.
    config = FalconConfig(
        hidden_size=8, num_attention_heads=2, num_hidden_layers=1, vocab_size=9,
        alibi=True, attention_dropout=0.0, new_decoder_architecture=False,
        multi_query=False, bias=False, attn_implementation=kernel,
    )  # fmt: skip
    torch.manual_seed(0)
    model, tokens = FalconModel(config).eval(), torch.arange(9)[None]
    layer = model.h[0].self_attention
    seen = {}
    model.h[0].input_layernorm.register_forward_hook(
        lambda _, args, out: seen.update(x=out)
    )
    layer.register_forward_hook(lambda _, args, out: seen.update(out=out[0]))
    model(tokens)
    parts = layer.query_key_value(seen["x"]).view(1, 9, 2, 3, 4).transpose(1, 2)
    q, k, v = (parts[..., n, :] for n in range(3))
    bias = times * alibi_bias(2, 9, 9, xp=torch) / math.sqrt(4)
    weights = attention_weights(q, k, bias=bias, mask=causal_mask(9, 9, xp=torch))
    expected = layer.dense((weights @ v).transpose(1, 2).reshape(1, 9, 8))
    torch.testing.assert_close(seen["out"], expected)


def test_falcon_has_its_whole_row_in_bfloat16_in_a_float32_model():
    # If the mask is of whole numbers, as the model makes it; one of floats keeps it.
    mask = torch.ones(1, 300, dtype=torch.long)
    row, exact = (falcon_alibi(m, 8, torch.float32)[:, 0] for m in (mask, mask.float()))
    assert row.dtype == torch.float32
    assert not torch.equal(exact[:, 256], exact[:, 257])
    assert torch.equal(row[:, 256], row[:, 257])
    assert torch.equal(row.bfloat16().float(), row)
