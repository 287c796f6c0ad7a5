import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


# --- position_similarity --------------------------------------------------------------


@given(query=steps, key=steps, d_model=sizes, base=bases)
def test_similarity_is_the_dot_product_of_the_encodings(query, key, d_model, base):
    p, q = sinusoidal_encoding(np.asarray([query, key]), d_model, base=base)
    out = position_similarity(np.asarray([query - key]), d_model, base=base)
    np.testing.assert_allclose(out, [p @ q], rtol=0, atol=1e-11)


# --- score_terms ----------------------------------------------------------------------


def test_terms_match_the_sums_over_all_indices(xp, rng):
    arrays = [rng.normal(size=s) for s in [(3, 4), (3, 4), (4, 2), (4, 2)]]
    out = score_terms(*map(xp.asarray, arrays))
    expected = oracle.four_score_terms(*arrays)
    for term, want in zip(out, expected, strict=True):
        np.testing.assert_allclose(np.asarray(term), want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_similarity_is_symmetric_and_largest_at_zero(xp, dtype):
    distance = xp.arange(-500, 501, dtype=getattr(xp, dtype))
    out = np.asarray(position_similarity(distance, 64))
    # Angles of opposite sign are 2 pi - x and x: rounded apart.
    np.testing.assert_allclose(out, out[::-1], rtol=0, atol=1e-13)
    assert out[500] == 32
    assert (np.delete(out, 500) < 32).all()
    assert (np.diff(out[500:]) > 0).any()  # not monotone
