import pytest
import torch

from posenc.music_transformer import local_attention, relative_attention
from posenc.nn import MusicGlobalAttention, MusicLocalAttention


@pytest.mark.bad_input
def test_modules_trace_under_compile(same_when_compiled):
    q, k, v = torch.randn(2, 3, 4, 6), torch.randn(2, 3, 4, 6), torch.randn(2, 3, 4, 5)
    same_when_compiled(MusicGlobalAttention(3, 6, 9), q, k, v)
    same_when_compiled(MusicGlobalAttention(3, 6, 9, causal=False), q, k, v)
    same_when_compiled(MusicLocalAttention(3, 6, 2), q, k, v)


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
    with pytest.raises(ValueError, match="max_len must be an integer of at least 1"):
        MusicGlobalAttention(3, 4, 0)


def test_local_module_holds_one_table_and_calls_the_function():
    torch.manual_seed(0)
    module = MusicLocalAttention(3, 4, 2)
    assert [tuple(p.shape) for p in module.parameters()] == [(3, 4, 4)]
    q, k, v = torch.randn(3, 2, 3, 6, 4)
    expected = local_attention(q, k, v, module.table, 2)
    torch.testing.assert_close(module(q, k, v), expected)
    assert "3, 4, block=2" in repr(module)
    with pytest.raises(ValueError, match="block must be an integer of at least 1"):
        MusicLocalAttention(3, 4, 0)
