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


def test_a_bias_of_minus_infinity_is_a_mask(xp, rng):
    q, k, v = map(xp.asarray, qkv(rng))
    mask = causal_mask(4, 5)
    mask[0] = False
    bias = xp.asarray(np.where(mask, 0.0, -np.inf))
    np.testing.assert_array_equal(
        np.asarray(scaled_dot_product_attention(q, k, v, bias=bias)),
        np.asarray(scaled_dot_product_attention(q, k, v, mask=xp.asarray(mask))),
    )


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


@given(seed=seeds)
def test_queries_take_their_outputs_along_and_keys_leave_no_trace(seed):
    rng = np.random.default_rng(seed)
    q_len, k_len = rng.integers(1, 9, size=2)
    q, k, v = (rng.normal(size=(n, 4)) for n in (q_len, k_len, k_len))
    bias, mask = rng.normal(size=(q_len, k_len)), rng.random((q_len, k_len)) < 0.7
    before = scaled_dot_product_attention(q, k, v, bias=bias, mask=mask)
    i, j = rng.permutation(q_len), rng.permutation(k_len)
    after = scaled_dot_product_attention(
        q[i], k[j], v[j], bias=bias[i][:, j], mask=mask[i][:, j]
    )
    np.testing.assert_allclose(after, before[i], rtol=1e-12, atol=1e-14)
    if k_len > 2:  # a value that loses its key is another matter
        lost = scaled_dot_product_attention(q, k, np.roll(v, 1, axis=0))
        assert not np.allclose(lost, scaled_dot_product_attention(q, k, v))


@pytest.mark.parametrize("shape", [(0, 5), (4, 0), (0, 0)])
def test_no_queries_or_no_keys(xp, rng, shape):
    q, k, v = map(xp.asarray, qkv(rng, *shape, batch=(2,)))
    out = np.asarray(scaled_dot_product_attention(q, k, v))
    np.testing.assert_array_equal(out, np.zeros((2, shape[0], 2)))
