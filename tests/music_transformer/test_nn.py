import pytest
import torch
from decoding_rules import assert_decodes

from posenc.music_transformer import local_attention, relative_attention
from posenc.nn import MusicGlobalAttention, MusicLocalAttention


@pytest.mark.parametrize("causal", [True, False])
def test_global_module_holds_one_table_and_calls_the_function(causal):
    torch.manual_seed(0)
    module = MusicGlobalAttention(3, 4, 6, causal=causal)
    shape = (3, 6 if causal else 11, 4)
    assert [tuple(p.shape) for p in module.parameters()] == [shape]
    q, k, v = torch.randn(3, 2, 3, 5, 4)
    mask = torch.rand(2, 1, 5, 5) < 0.7
    expected = relative_attention(q, k, v, module.table, causal=causal, mask=mask)
    torch.testing.assert_close(module(q, k, v, mask=mask), expected)
    assert f"3, 4, max_len=6, causal={causal}" in repr(module)


def test_local_module_holds_one_table_and_calls_the_function():
    torch.manual_seed(0)
    module = MusicLocalAttention(3, 4, 2)
    assert [tuple(p.shape) for p in module.parameters()] == [(3, 4, 4)]
    q, k, v = torch.randn(3, 2, 3, 6, 4)
    expected = local_attention(q, k, v, module.table, 2)
    torch.testing.assert_close(module(q, k, v), expected)
    assert "3, 4, block=2" in repr(module)


@pytest.mark.parametrize("prompt", [0, 2, 5, 12])
def test_local_module_decodes_with_less_than_two_blocks(prompt):
    module, qkv = MusicLocalAttention(3, 4, 3), list(torch.randn(3, 2, 3, 12, 4))
    k, v, unfinished = assert_decodes(module, qkv, prompt)
    assert k.shape == v.shape == (2, 3, 3, 4)
    assert unfinished.shape == (2, 1, 1, 0)
    past = None
    for token in zip(*(x.split(1, dim=-2) for x in qkv), strict=True):
        _, past = module(*token, past=past, use_cache=True)
        assert past[0].shape[-2] < 2 * 3


@pytest.mark.parametrize("window", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("new", [1, 2, 4])
def test_a_cropped_cache_keeps_the_blocks(window, new):
    torch.manual_seed(0)
    module, qkv = MusicLocalAttention(3, 4, 3), list(torch.randn(3, 2, 3, 15, 4))
    _, past = module(*(x[..., :7, :] for x in qkv), use_cache=True)
    i, j = torch.arange(15)[:, None], torch.arange(15)
    for first in range(7, 15 - new + 1, new):
        last = first + new
        past = tuple(part[..., -window:, :] for part in past)  # of the third, nothing
        near = (j >= i // 3 * 3 - 3) & (j >= first - window)
        part = [x[..., first:last, :] for x in qkv]
        out, past = module(*part, past=past, use_cache=True)
        part = qkv[0][..., :last, :], qkv[1][..., :last, :], qkv[2][..., :last, :]
        table = torch.cat([torch.zeros(3, 15, 4), module.table], dim=-2)
        whole = relative_attention(*part, table, mask=near[:last, :last])
        torch.testing.assert_close(out, whole[..., first:, :])
        assert past[2].shape == (2, 1, 1, last % 3)


@pytest.mark.bad_input
def test_keys_and_values_alone_do_not_tell_where_blocks_begin():
    module, (q, k, v) = MusicLocalAttention(3, 4, 3), torch.randn(3, 2, 3, 4, 4)
    _, past = module(q, k, v, use_cache=True)
    token = q[..., :1, :], k[..., :1, :], v[..., :1, :]
    for wrong, message in (
        (past[:2], "past must end with the unfinished block, got keys and values"),
        ((*past[:2], torch.ones(1)), r"past\[2\] must have shape .*2, 1, 1, tokens"),
        (tuple(part[..., :-1, :] for part in past), "drop keys at the old end only"),
        ((*past[:2], torch.ones(2, 1, 1, 3)), r"past\[2\] must have less than block"),
    ):
        with pytest.raises(ValueError, match=message):
            module(*token, past=wrong)
    with pytest.raises(TypeError, match=r"past must be three .*, got a Tensor"):
        module(*token, past=k)
    module = MusicLocalAttention(3, 4, 1)  # where every token begins a block
    _, past = module(q, k, v, use_cache=True)
    assert torch.equal(module(*token, past=past[:2]), module(*token, past=past))
