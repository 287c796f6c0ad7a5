import numpy as np
import pytest
import torch

from posenc.nn import WindowAttention
from posenc.swin import relative_position_bias
from posenc.swin.exercises import oracle


def window_attention(x, module, mask=None):
    """The module in loops over windows, heads and cells."""
    heads, d = module.num_heads, x.shape[-1] // module.num_heads
    index = oracle.sorted_index(*module.window, sign=1)
    table = module.table.detach().numpy()
    qkv = module.qkv(x).detach().numpy()  # (windows, N, 3 * d_model): q, k, v
    mixed = np.zeros(x.shape)
    for w in range(x.shape[0]):
        for h in range(heads):
            q, k, v = (
                qkv[w][:, part * heads * d + h * d :][:, :d].astype(float)
                for part in range(3)
            )
            for i in range(x.shape[1]):
                scores = [
                    q[i] @ k[j] / np.sqrt(d) + table[index[i][j], h]
                    for j in range(x.shape[1])
                ]
                weights = np.exp(scores) * (1 if mask is None else mask[w][i].numpy())
                mixed[w, i, h * d : (h + 1) * d] = (weights / weights.sum()) @ v
    weight, bias = module.out.weight.detach().numpy(), module.out.bias.detach().numpy()
    return mixed @ weight.T + bias


@pytest.mark.parametrize("masked", [False, True])
def test_module_is_attention_with_the_bias_within_each_window(masked):
    torch.manual_seed(0)
    module = WindowAttention(8, 2, (2, 3)).double()
    torch.nn.init.normal_(module.table)
    x = torch.randn(4, 6, 8, dtype=torch.float64)
    mask = None
    if masked:
        mask = (torch.rand(4, 6, 6) < 0.5) | torch.eye(6, dtype=torch.bool)
    out = module(x, mask=None if mask is None else mask[:, None])
    expected = window_attention(x, module, mask)
    np.testing.assert_allclose(out.detach().numpy(), expected, rtol=1e-10, atol=1e-12)


def test_module_holds_its_table_and_describes_itself():
    module = WindowAttention(8, 2, (2, 3)).double()
    parameters = dict(module.named_parameters())
    assert tuple(parameters["table"].shape) == (15, 2)
    assert "8, 2, window=(2, 3)" in repr(module)


def test_module_attends_to_another_window():
    torch.manual_seed(0)
    module = WindowAttention(8, 2, (2, 2), key_window=(3, 4)).double()
    torch.nn.init.normal_(module.table)
    assert module.table.shape == (4 * 5, 2)
    assert "8, 2, window=(2, 2), key_window=(3, 4)\n" in repr(module)
    x, context = torch.randn(4, 8).double(), torch.randn(12, 8).double()
    (q, _, _), (_, k, v) = (
        module.qkv(tokens).unflatten(-1, (3, 2, 4)).movedim(-3, 0)
        for tokens in (x, context)
    )
    bias = relative_position_bias(module.table, 2, 2, key_window=(3, 4))
    weights = (torch.einsum("qhd,khd->hqk", q, k) / 2 + bias).softmax(-1)
    mixed = torch.einsum("hqk,khd->qhd", weights, v).flatten(-2)
    torch.testing.assert_close(module(x, context), module.out(mixed))
