import pytest
import torch

from posenc.nn import WindowAttention
from posenc.swin import relative_position_bias


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("key_window", [None, (3, 4)])
def test_module_is_attention_with_the_bias_of_its_window(key_window, masked):
    torch.manual_seed(0)
    module = WindowAttention(8, 2, (2, 3), key_window=key_window).double()
    torch.nn.init.normal_(module.table)
    cells = 12 if key_window else 6
    x, context = torch.randn(4, 6, 8).double(), torch.randn(4, cells, 8).double()
    context = context if key_window else x
    mask = torch.rand(4, 1, 6, cells) < (0.5 if masked else 1.0)
    mask[..., 0] = True
    (q, _, _), (_, k, v) = (
        module.qkv(tokens).unflatten(-1, (3, 2, 4)).movedim(-3, 0)
        for tokens in (x, context)
    )
    bias = relative_position_bias(module.table, 2, 3, key_window=key_window)
    scores = torch.einsum("nqhd,nkhd->nhqk", q, k) / 2 + bias
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    mixed = torch.einsum("nhqk,nkhd->nqhd", weights, v).flatten(-2)
    given = {"context": context} if key_window else {}
    out = module(x, **given, mask=mask if masked else None)
    torch.testing.assert_close(out, module.out(mixed))
    assert repr(module).startswith("WindowAttention(\n  8, 2, window=(2, 3)")
