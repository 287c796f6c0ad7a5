import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.core.arrays import shift_rows
from posenc.transformer_xl import (
    attention_scores,
    position_scores,
    relative_attention,
    relative_shift,
    relative_shift_padded,
    score_terms,
)
from posenc.transformer_xl.exercises import oracle

shapes = st.tuples(st.integers(0, 6), st.integers(0, 5))  # q_len, k_len - q_len


def arrays(rng, xp, *shapes):
    return [xp.asarray(rng.normal(size=shape)) for shape in shapes]


def valid(scores):
    """Zero on the garbage cells, j > i + (k_len - q_len)."""
    scores = np.asarray(scores)
    return np.tril(scores, scores.shape[-1] - scores.shape[-2])


@given(shape=shapes)
def test_every_cell_of_the_shift_garbage_included(shape):
    q_len, memory = shape
    scores = np.random.default_rng(0).normal(size=(2, q_len, q_len + memory))
    out, padded = relative_shift(scores), relative_shift_padded(scores)
    expected = np.empty_like(scores)
    for b, i, j in np.ndindex(scores.shape):
        if j <= i + memory:
            expected[b, i, j] = scores[b, i, j + q_len - 1 - i]
        else:
            expected[b, i, j] = scores[b, i + 1, j - i - memory - 1]
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(valid(padded), valid(out))
    for b, i, j in np.ndindex(scores.shape):
        if j > i + memory:
            pad = j == i + memory + 1
            assert padded[b, i, j] == (0 if pad else out[b, i, j - 1])


@pytest.mark.parametrize("k_len", range(6))
@pytest.mark.parametrize("q_len", range(6))
def test_shift_of_rows_to_any_number_of_columns(xp, rng, q_len, k_len):
    width = 5
    (scores,) = arrays(rng, xp, (2, q_len, width))
    out = np.asarray(shift_rows(scores, k_len))
    assert out.shape == (2, q_len, k_len)
    for b, i, j in np.ndindex(out.shape):
        if (column := j + q_len - 1 - i) < width:
            assert out[b, i, j] == scores[b, i, column]


@pytest.mark.parametrize("shape", [(2, 1, 3), (2, 4, 6), (3, 5, 5)])
def test_every_cell_is_the_same_where_gradients_are_recorded(shape):
    scores = torch.randn(shape, dtype=torch.float64, requires_grad=True)
    out = relative_shift(scores)
    assert torch.equal(out, relative_shift(scores.detach()))
    assert torch.autograd.gradcheck(relative_shift, (scores,))


def test_shift_is_a_view(xp, rng):
    (scores,) = arrays(rng, xp, (2, 3, 4, 6))
    out = relative_shift(scores)
    if hasattr(scores, "data_ptr"):
        assert out.untyped_storage().data_ptr() == scores.untyped_storage().data_ptr()
        assert out.stride() == (72, 24, 5, 1)[-4:]
    else:
        assert np.shares_memory(out, scores)
        assert not out.flags.writeable


def test_shift_of_scores_that_are_not_contiguous(xp, rng):
    (scores,) = arrays(rng, xp, (7, 4, 2, 3))
    moved = xp.permute_dims(scores, (2, 3, 1, 0))  # (2, 3, 4, 7)
    expected = relative_shift_padded(moved)
    np.testing.assert_array_equal(valid(relative_shift(moved)), valid(expected))
    wide = xp.broadcast_to(scores[:1, :1, :1, :], (5, 2, 3, 3))
    expected = relative_shift_padded(wide)
    np.testing.assert_array_equal(valid(relative_shift(wide)), valid(expected))


@given(shape=shapes, heads=st.sampled_from([(), (2,)]))
def test_terms_and_scores_match_the_oracle(shape, heads):
    q_len, memory = shape
    k_len = q_len + memory
    rng = np.random.default_rng(0)
    q, k, r = arrays(rng, np, (3, 2, q_len, 4), (3, 2, k_len, 4), (*heads, k_len, 4))
    u, v = arrays(rng, np, (*heads, 4), (*heads, 4))
    terms = score_terms(q, k, r, u, v)
    scores = attention_scores(q, k, r, u, v)
    # Garbage is the same garbage: the shift is linear.
    np.testing.assert_allclose(sum(terms), scores, atol=1e-12)
    np.testing.assert_allclose(
        terms[1] + terms[3], position_scores(q, r, v), atol=1e-12
    )
    for b, h in np.ndindex(3, 2):
        own = [x[h] if heads else x for x in (r, u, v)]
        by_distance = own[0][::-1]  # row c belongs to distance k_len - 1 - c
        expected = oracle.score_terms(q[b, h], k[b, h], by_distance, *own[1:])
        for term, want in zip(terms, expected, strict=True):
            good = ~np.isnan(want)
            np.testing.assert_allclose(term[b, h][good], want[good], atol=1e-12)


def test_attention_matches_the_oracle_and_its_mask(xp, rng):
    q, k, v = arrays(rng, xp, (2, 3, 4), (2, 5, 4), (2, 5, 6))
    r, u, bias = arrays(rng, xp, (2, 5, 4), (2, 4), (2, 4))
    mask = rng.random((3, 5)) < 0.7
    mask[1] = False
    out = relative_attention(
        q, k, v, r, content_bias=u, position_bias=bias, mask=xp.asarray(mask)
    )
    for h in range(2):
        own = [np.asarray(x[h, ...]) for x in (q, k, r, u, bias)]
        own[2] = own[2][::-1]
        scores = oracle.score_terms(*own).sum(axis=0) / 2
        e = np.where(mask & ~np.isnan(scores), np.exp(scores), 0)
        weights = e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-300)
        expected = weights @ np.asarray(v[h, ...])
        np.testing.assert_allclose(np.asarray(out[h, ...]), expected, atol=1e-12)
    np.testing.assert_array_equal(np.asarray(out[:, 1, :]), 0)
