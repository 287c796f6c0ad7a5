import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.attention import (
    attention_weights,
    causal_mask,
    scaled_dot_product_attention,
)
from posenc.attention.exercises import oracle

lengths = st.integers(0, 6)
seeds = st.integers(0, 2**32 - 1)


def qkv(rng, q_len=4, k_len=5, head_dim=3, value_dim=2, batch=()):
    return (
        rng.normal(size=(*batch, q_len, head_dim)),
        rng.normal(size=(*batch, k_len, head_dim)),
        rng.normal(size=(*batch, k_len, value_dim)),
    )


@given(
    seed=seeds,
    q_len=lengths,
    k_len=lengths,
    scale=st.sampled_from([None, 0.0, 1.0, -0.5]),
    biased=st.booleans(),
    masked=st.booleans(),
)
def test_matches_the_loops_of_the_formula(seed, q_len, k_len, scale, biased, masked):
    rng = np.random.default_rng(seed)
    q, k, v = qkv(rng, q_len, k_len)
    options = {"scale": scale}
    if biased:
        options["bias"] = rng.normal(size=(q_len, k_len))
    if masked:
        options["mask"] = rng.random(size=(q_len, k_len)) < 0.5
    expected = oracle.attention(q, k, v, **options)
    out = scaled_dot_product_attention(q, k, v, **options)
    # The oracle sums in another order: a few units in the last place of numbers near 1.
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-14)


def test_agrees_with_the_function_of_torch(rng):
    torch = pytest.importorskip("torch")
    q, k, v = map(torch.asarray, qkv(rng, batch=(2, 3)))
    bias = torch.asarray(rng.normal(size=(2, 3, 4, 5)))
    mask = torch.asarray(rng.random(size=(4, 5)) < 0.7)
    mask[:, 0] = True
    theirs = torch.nn.functional.scaled_dot_product_attention
    for options, added in (
        ({}, None),
        ({"mask": mask}, mask),
        ({"bias": bias}, bias),
        ({"bias": bias, "mask": mask}, bias.masked_fill(~mask, -torch.inf)),
    ):
        torch.testing.assert_close(
            scaled_dot_product_attention(q, k, v, **options),
            theirs(q, k, v, attn_mask=added),
        )


@given(seed=seeds, q_len=lengths, k_len=st.integers(1, 6))
def test_rows_of_weights_sum_to_one_or_are_zero(seed, q_len, k_len):
    rng = np.random.default_rng(seed)
    q, k, _ = qkv(rng, q_len, k_len)
    mask = rng.random(size=(q_len, k_len)) < 0.4
    weights = attention_weights(q, k, mask=mask)
    np.testing.assert_allclose(weights.sum(-1), mask.any(-1), rtol=1e-12)
    np.testing.assert_array_equal(weights > 0, mask)


def test_a_fully_masked_row_gives_exact_zeros(xp, rng):
    q, k, v = map(xp.asarray, qkv(rng))
    mask = xp.asarray(np.arange(4)[:, None] != 2) & xp.ones((4, 5), dtype=xp.bool)
    weights = attention_weights(q, k, mask=mask)
    out = scaled_dot_product_attention(q, k, v, mask=mask)
    np.testing.assert_array_equal(np.asarray(weights)[2], np.zeros(5))
    np.testing.assert_array_equal(np.asarray(out)[2], np.zeros(2))
    keep = [0, 1, 3]
    unmasked = scaled_dot_product_attention(q, k, v)
    np.testing.assert_array_equal(np.asarray(out)[keep], np.asarray(unmasked)[keep])


def test_a_bias_of_minus_infinity_is_a_mask(xp, rng):
    q, k, v = map(xp.asarray, qkv(rng))
    mask = causal_mask(4, 5)
    mask[0] = False
    bias = xp.asarray(np.where(mask, 0.0, -np.inf))
    np.testing.assert_array_equal(
        np.asarray(scaled_dot_product_attention(q, k, v, bias=bias)),
        np.asarray(scaled_dot_product_attention(q, k, v, mask=xp.asarray(mask))),
    )


@pytest.mark.parametrize("shape", [(0, 5), (4, 0), (0, 0)])
def test_no_queries_or_no_keys(xp, rng, shape):
    q, k, v = map(xp.asarray, qkv(rng, *shape, batch=(2,)))
    out = np.asarray(scaled_dot_product_attention(q, k, v))
    np.testing.assert_array_equal(out, np.zeros((2, shape[0], 2)))


@given(seed=seeds, shift=st.floats(-1e4, 1e4))
def test_scores_that_differ_by_a_constant_give_the_same_weights(seed, shift):
    q, k, _ = qkv(np.random.default_rng(seed))
    shifted = attention_weights(q, k, bias=np.full((4, 5), shift))
    # Adding 1e4 rounds the scores to about 1e-12.
    np.testing.assert_allclose(shifted, attention_weights(q, k), rtol=1e-10)


def test_huge_scores_do_not_overflow(xp):
    q = xp.asarray([[1e20], [-1e20]], dtype=xp.float32)
    k = xp.asarray([[1.0], [2.0]], dtype=xp.float32)
    weights = attention_weights(q, k)
    np.testing.assert_array_equal(np.asarray(weights), [[0.0, 1.0], [1.0, 0.0]])


def test_leading_axes_broadcast(xp, rng):
    q, _, _ = qkv(rng, batch=(2, 3))
    _, k, v = qkv(rng, batch=(1, 3))
    bias = rng.normal(size=(3, 1, 5))
    out = scaled_dot_product_attention(
        *map(xp.asarray, (q, k, v[0])), bias=xp.asarray(bias)
    )
    for b in range(2):
        for h in range(3):
            expected = oracle.attention(
                q[b, h], k[0, h], v[0, h], bias=np.broadcast_to(bias[h], (4, 5))
            )
            np.testing.assert_allclose(np.asarray(out)[b, h], expected, rtol=1e-12)


def test_batch_axes_of_a_bias_may_add_to_those_of_the_scores(xp, rng):
    q, k, _ = qkv(rng)
    bias = rng.normal(size=(6, 4, 5))
    weights = attention_weights(xp.asarray(q), xp.asarray(k), bias=xp.asarray(bias))
    for h in range(6):
        np.testing.assert_allclose(
            np.asarray(weights)[h], attention_weights(q, k, bias=bias[h]), rtol=1e-12
        )


def test_causal_mask_follows_the_offset(xp):
    for q_offset in range(3):
        mask = causal_mask(3, 4, q_offset=q_offset, xp=xp)
        expected = [[j <= i + q_offset for j in range(4)] for i in range(3)]
        assert mask.dtype == xp.bool
        np.testing.assert_array_equal(np.asarray(mask), expected)
    assert causal_mask(0, 4, xp=xp).shape == (0, 4)


def test_gradients_pass_a_fully_masked_row_without_nan(rng):
    torch = pytest.importorskip("torch")
    q, k, v = (torch.asarray(x).requires_grad_() for x in qkv(rng))
    bias = torch.zeros(4, 5, dtype=torch.float64, requires_grad=True)
    mask = torch.ones(4, 5, dtype=torch.bool)
    mask[1] = False
    out = scaled_dot_product_attention(q, k, v, bias=bias, mask=mask)
    out.square().sum().backward()
    for x in (q, k, v, bias):
        assert torch.isfinite(x.grad).all()
    for x in (q, bias):
        torch.testing.assert_close(x.grad[1], torch.zeros_like(x.grad[1]))
        assert (x.grad[[0, 2, 3]] != 0).any(dim=-1).all()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_errs_no_more_than_the_fused_kernel(dtype):
    torch = pytest.importorskip("torch")
    fused = torch.nn.functional.scaled_dot_product_attention
    draws = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(4, 64, 32, generator=draws) for _ in "qkv")
    exact = fused(q.double(), k.double(), v.double())
    q, k, v = (x.to(getattr(torch, dtype)) for x in (q, k, v))
    own, theirs = (
        (attend(q, k, v).double() - exact).abs().mean()
        for attend in (scaled_dot_product_attention, fused)
    )
    assert own <= 1.05 * theirs


def test_half_precision_neither_overflows_nor_vanishes():
    torch = pytest.importorskip("torch")
    large = torch.full((1, 64), 45.0, dtype=torch.float16)  # the product: 129,600
    assert attention_weights(large, large, scale=1.0).tolist() == [[1.0]]
    same = torch.zeros(1, 2, dtype=torch.float16)
    many = torch.zeros(70_000, 2, dtype=torch.float16)
    ones = torch.ones(70_000, 1, dtype=torch.float16)
    assert scaled_dot_product_attention(same, many, ones).item() == pytest.approx(
        1, abs=1e-3
    )


def test_a_scale_of_numpy_keeps_the_dtype(xp):
    q = xp.ones((2, 4), dtype=xp.float32)
    assert attention_weights(q, q, scale=1 / np.sqrt(4)).dtype == xp.float32


@pytest.mark.bad_input
def test_a_mask_for_padding_needs_all_axes_of_the_scores():
    q, padding = np.ones((3, 2, 4, 8)), np.arange(4) < np.asarray([[4], [2], [3]])
    with pytest.raises(ValueError, match=r"mask\[:, None, None, :\]$"):
        scaled_dot_product_attention(q, q, q, mask=padding)
    scaled_dot_product_attention(q, q, q, mask=padding[:, None, None, :])
