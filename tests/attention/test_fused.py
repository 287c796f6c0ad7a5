"""The fused kernel gives what the plain form gives, for every shape and mask."""

import numpy as np
import pytest

from posenc.attention import attend, scaled_dot_product_attention

torch = pytest.importorskip("torch")
BATCHES = [(), (2,), (3, 2), (2, 3, 2), (0, 2)]


def drawn(*shape, dtype=torch.float64):
    return torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("bias_batch", [None, (), (2,), (3, 1), (4, 1, 3, 2)])
@pytest.mark.parametrize("key_batch", [(), (2,), (1, 2)])
@pytest.mark.parametrize("batch", BATCHES)
def test_equals_the_plain_form(batch, key_batch, bias_batch):
    q, k, v = drawn(*batch, 5, 4), drawn(*key_batch, 6, 4), drawn(*key_batch, 6, 3)
    bias = None if bias_batch is None else drawn(*bias_batch, 5, 6)
    if batch == (0, 2) and bias_batch in [(3, 1), (4, 1, 3, 2)]:
        bias = None  # nothing broadcasts to no sequence
    for mask in (None, drawn(5, 6) > 0, drawn(2, 5, 6) > 0):
        expected = scaled_dot_product_attention(q, k, v, bias=bias, mask=mask)
        torch.testing.assert_close(attend(q, k, v, bias=bias, mask=mask), expected)


def test_a_query_without_keys_gets_zeros_and_harmless_gradients():
    q, k, v = (drawn(2, 3, 4).requires_grad_() for _ in "qkv")
    mask = torch.tensor([[True, False, False], [False] * 3, [True] * 3])
    bias = drawn(3, 3).requires_grad_()
    for options in ({"mask": mask}, {"mask": mask, "bias": bias}):
        out = attend(q, k, v, **options)
        assert (out[:, 1] == 0).all()
        out.sum().backward()
        assert all(x.grad.isfinite().all() for x in (q, k, v))


def test_arrays_go_the_plain_way_and_a_bias_keeps_the_dtype_of_tokens():
    q = drawn(2, 3, 4)
    array, wide = q.numpy(), drawn(3, 3)
    plain = scaled_dot_product_attention(array, array, array)
    np.testing.assert_allclose(attend(array, array, array), plain, rtol=0, atol=0)
    half = q.to(torch.float16)
    result = attend(half, half, half, bias=wide)
    assert result.dtype == torch.float16
    expected = scaled_dot_product_attention(half, half, half, bias=wide)
    torch.testing.assert_close(result, expected, rtol=2**-10, atol=2**-10)
