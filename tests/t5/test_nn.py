import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from posenc.nn import RelativePositionBias
from posenc.t5 import relative_position_bias


def test_module_holds_one_table_and_calls_the_function():
    torch.manual_seed(0)
    module = RelativePositionBias(
        4, bidirectional=False, num_buckets=8, max_distance=20
    )
    assert [tuple(p.shape) for p in module.parameters()] == [(8, 4)]
    expected = relative_position_bias(
        module.table, 3, 7, bidirectional=False, max_distance=20, q_offset=4
    )
    torch.testing.assert_close(module(3, 7, q_offset=4), expected)
    assert "max_distance=20" in repr(module)


def test_the_flash_kernel_of_a_cpu_takes_a_bias_that_needs_no_gradient():
    bias = RelativePositionBias(2, num_buckets=8, max_distance=16)(7, 7)
    bias = bias[None]  # the kernel asks for four axes
    q, k, v = torch.randn(3, 1, 2, 7, 4)
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        fused = scaled_dot_product_attention(q, k, v, attn_mask=bias.detach(), scale=1)
        with (
            pytest.warns(UserWarning, match="not used because"),
            pytest.raises(RuntimeError, match="No available kernel"),
        ):
            scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=1)
    weights = torch.softmax(q @ k.mT + bias, dim=-1)
    torch.testing.assert_close(fused, (weights @ v).detach())
