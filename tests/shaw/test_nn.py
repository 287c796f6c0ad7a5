import pytest
import torch

from posenc.nn import ShawAttention
from posenc.shaw import relative_attention


@pytest.mark.parametrize("share_heads", [True, False])
def test_module_holds_two_tables_and_calls_the_function(share_heads):
    torch.manual_seed(0)
    module = ShawAttention(3, 4, 2, share_heads=share_heads)
    shape = (5, 4) if share_heads else (3, 5, 4)
    assert [tuple(p.shape) for p in module.parameters()] == [shape, shape]
    q, k, v = torch.randn(2, 3, 4, 4), torch.randn(2, 3, 5, 4), torch.randn(2, 3, 5, 4)
    mask = torch.rand(2, 1, 4, 5) < 0.7
    tables = (module.key_table, module.value_table)
    expected = relative_attention(q, k, v, *tables, mask=mask, q_offset=1)
    torch.testing.assert_close(module(q, k, v, mask=mask, q_offset=1), expected)
    assert f"3, 4, max_distance=2, share_heads={share_heads}" in repr(module)
