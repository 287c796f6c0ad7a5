import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.attention import attention_weights
from posenc.rotation import position_similarity, score_terms, shift_operator
from posenc.rotation.exercises import oracle
from posenc.sinusoidal import sinusoidal_encoding

steps = st.floats(-1000, 1000)
sizes = st.sampled_from([2, 4, 10])
bases = st.sampled_from([10_000.0, 3.5])


# --- shift_operator -------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0, 1, -3, 2.5, 100_000])
def test_each_pair_is_turned_by_the_addition_theorems(xp, rng, offset):
    vector = rng.normal(size=6)  # any vector, not just an encoding: a whole matrix
    matrix = shift_operator(offset, 6, base=50.0, xp=xp, dtype=xp.float64)
    expected = oracle.operator(offset, 6, 50.0) @ vector
    np.testing.assert_allclose(
        np.asarray(matrix) @ vector, expected, rtol=0, atol=1e-10
    )


@given(position=steps, offset=steps, d_model=sizes, base=bases)
def test_shifts_every_encoding_by_the_same_matrix(position, offset, d_model, base):
    start, end = sinusoidal_encoding(
        np.asarray([position, position + offset]), d_model, base=base
    )
    matrix = shift_operator(offset, d_model, base=base)
    np.testing.assert_allclose(matrix @ start, end, rtol=0, atol=1e-11)


@given(first=steps, second=steps, d_model=sizes, base=bases)
def test_shifts_form_a_group_of_rotations(first, second, d_model, base):
    a, b, both, back = (
        shift_operator(k, d_model, base=base)
        for k in (first, second, first + second, -first)
    )
    np.testing.assert_allclose(a @ b, both, rtol=0, atol=1e-11)
    np.testing.assert_allclose(a.T, back, rtol=0, atol=1e-11)
    np.testing.assert_allclose(a.T @ a, np.eye(d_model), rtol=0, atol=1e-14)
    assert np.linalg.det(a) == pytest.approx(1)


def test_no_shift_is_the_identity_and_blocks_stay_apart(xp):
    np.testing.assert_array_equal(np.asarray(shift_operator(0, 6, xp=xp)), np.eye(6))
    beside = np.kron(np.eye(3), np.ones((2, 2))) == 0
    np.testing.assert_array_equal(
        np.asarray(shift_operator(1, 6, xp=xp))[beside], np.zeros(24)
    )


# --- position_similarity --------------------------------------------------------------


@given(query=steps, key=steps, d_model=sizes, base=bases)
def test_similarity_is_the_dot_product_of_the_encodings(query, key, d_model, base):
    p, q = sinusoidal_encoding(np.asarray([query, key]), d_model, base=base)
    out = position_similarity(np.asarray([query - key]), d_model, base=base)
    np.testing.assert_allclose(out, [p @ q], rtol=0, atol=1e-11)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_similarity_is_symmetric_and_largest_at_zero(xp, dtype):
    distance = xp.arange(-500, 501, dtype=getattr(xp, dtype))
    out = np.asarray(position_similarity(distance, 64))
    # Angles of opposite sign are 2 pi - x and x: rounded apart.
    np.testing.assert_allclose(out, out[::-1], rtol=0, atol=1e-13)
    assert out[500] == 32
    assert (np.delete(out, 500) < 32).all()
    assert (np.diff(out[500:]) > 0).any()  # not monotone


# --- score_terms ----------------------------------------------------------------------


def test_terms_match_the_sums_over_all_indices(xp, rng):
    arrays = [rng.normal(size=s) for s in [(3, 4), (3, 4), (4, 2), (4, 2)]]
    out = score_terms(*map(xp.asarray, arrays))
    expected = oracle.four_score_terms(*arrays)
    for term, want in zip(out, expected, strict=True):
        np.testing.assert_allclose(np.asarray(term), want, rtol=0, atol=1e-12)


def test_terms_are_named_after_query_and_key(rng):
    content, w = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 4, 4))
    terms = score_terms(content, np.zeros((3, 4)), *w)
    np.testing.assert_array_equal(terms.position_content, np.zeros((2, 3, 3)))
    np.testing.assert_array_equal(terms.content_position, np.zeros((2, 3, 3)))
    position = np.eye(3, 4)
    terms = score_terms(content, position, *w)
    np.testing.assert_allclose(terms.content_position, content @ w[0] @ w[1].T[:, :3])


def test_terms_add_up_to_the_scores_of_the_sum(xp, rng):
    content = xp.asarray(rng.normal(size=(2, 5, 8)))  # a batch of two sequences
    position = sinusoidal_encoding(xp.arange(5, dtype=xp.float64), 8)
    w_query, w_key = (xp.asarray(w) for w in rng.normal(size=(2, 8, 3)))
    both = content + position
    expected = (both @ w_query) @ xp.matrix_transpose(both @ w_key)
    total = sum(score_terms(content, position, w_query, w_key))
    np.testing.assert_allclose(
        np.asarray(total), np.asarray(expected), rtol=0, atol=1e-12
    )


def test_equal_projections_cannot_tell_left_from_right():
    position, w = sinusoidal_encoding(np.arange(6.0), 8), np.eye(8)
    terms = score_terms(np.zeros((6, 8)), position, w, w)
    np.testing.assert_allclose(terms[3], terms[3].T, rtol=0, atol=1e-14)
    turned = score_terms(np.zeros((6, 8)), position, w, shift_operator(1, 8))
    assert abs(turned[3] - turned[3].T).max() > 1


def test_equal_projections_prefer_a_side_if_they_differ_from_place_to_place():
    position, w = sinusoidal_encoding(np.arange(60.0), 128), np.zeros((128, 1))
    w[126] = 1  # copies the slowest sine alone
    both = score_terms(np.zeros((60, 128)), position, w, w).position_position
    np.testing.assert_array_equal(both, both.T)
    assert (np.diff(both[1:]) > 0).all()  # the later key gets more
    # Where the distance alone counts, ahead and behind are alike.
    w = np.diag(np.repeat([1.0, 0.5, 0.0, 2.0], 2))
    table = sinusoidal_encoding(np.arange(9.0), 8)
    both = score_terms(np.zeros((9, 8)), table, w, w).position_position
    np.testing.assert_allclose(both[4], both[4, ::-1], rtol=0, atol=1e-13)


# --- gradients, tracing, bad input ----------------------------------------------------


@pytest.mark.parametrize("part", [slice(32), slice(32, None), slice(0, 64, 3)])
def test_leaving_clocks_out_never_sharpens(part):
    # With one divisor for all: each clock adds 1 - cos, at least 0, to the gap.
    clocks = [pair for i in range(64)[part] for pair in (2 * i, 2 * i + 1)]
    p = sinusoidal_encoding(np.arange(50), 128)
    for factor in (1, 10, 40):
        every, fewer = (
            attention_weights(factor * p[20:21, own], p[:, own], scale=128**-0.5)[0, 20]
            for own in (slice(None), clocks)
        )
        assert fewer < every
