import pytest
import torch

from posenc.attention import scaled_dot_product_attention
from posenc.nn import MultiHeadAttention


def test_module_projects_attends_and_merges():
    torch.manual_seed(0)
    module, x = MultiHeadAttention(12, 3), torch.randn(2, 5, 12)
    context, bias = torch.randn(2, 7, 12), torch.randn(3, 5, 7)
    mask = torch.rand(5, 7) < 0.7
    out = module(x, context, bias=bias, mask=mask)
    heads = []
    for h in range(3):
        rows = slice(4 * h, 4 * h + 4)  # rows of a weight are its output features
        q = x @ module.query.weight[rows].T
        k = context @ module.key.weight[rows].T
        v = context @ module.value.weight[rows].T
        heads.append(scaled_dot_product_attention(q, k, v, bias=bias[h], mask=mask))
    torch.testing.assert_close(out, torch.cat(heads, -1) @ module.output.weight.T)
    torch.testing.assert_close(module(x), module(x, x))
    assert [tuple(p.shape) for p in module.parameters()] == [(12, 12)] * 4
    assert "num_heads=3" in repr(module)


@pytest.mark.bad_input
def test_module_refuses_a_cache_that_it_did_not_return():
    module, x = MultiHeadAttention(12, 3), torch.randn(2, 7, 12)
    k = torch.randn(2, 3, 5, 4)
    for wrong in (k[:1], k[..., :3], k[:, :2]):
        with pytest.raises(ValueError, match=r"past must have shape \(..., 2, 3, "):
            module(x, past=(k, wrong))
    with pytest.raises(TypeError, match=r"past must be a pair .* got"):
        module(x, past=k)
