import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.alibi import (
    alibi_bias,
    alibi_bias_at,
    alibi_bias_full,
    alibi_reach,
    alibi_slopes,
)
from posenc.alibi.exercises import oracle

FORMS = [alibi_bias, alibi_bias_full]

#: As in the paper (8 and 16 heads) and in the authors' code (12: 8 heads, then the
#: first, third, fifth and seventh of 16).
KNOWN = {
    1: [2**-8],
    8: [2.0**-h for h in range(1, 9)],
    16: [2.0 ** (-h / 2) for h in range(1, 17)],
    12: [2.0**-h for h in range(1, 9)] + [2.0 ** (-h / 2) for h in (1, 3, 5, 7)],
}


# --- slopes ---------------------------------------------------------------------------


@pytest.mark.parametrize("num_heads", KNOWN)
def test_published_slopes(xp, num_heads):
    slopes = alibi_slopes(num_heads, xp=xp, dtype=xp.float64)
    np.testing.assert_array_equal(np.asarray(slopes), KNOWN[num_heads])


@given(num_heads=st.integers(1, 200))
def test_slopes_follow_the_published_recipe(num_heads):
    np.testing.assert_allclose(
        alibi_slopes(num_heads), oracle.slopes(num_heads), rtol=1e-13
    )


def oracle_bias(num_heads, q_len, k_len, q_offset, symmetric):
    rule = (lambda distance: -abs(distance)) if symmetric else oracle.causal
    return oracle.bias(oracle.slopes(num_heads), q_len, k_len, q_offset, rule)


# --- bias -----------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@given(
    num_heads=st.sampled_from([1, 3, 12]),  # 12: slopes that are no powers of two
    q_len=st.integers(0, 9),
    k_len=st.integers(0, 9),
    q_offset=st.integers(0, 300),
    symmetric=st.booleans(),
)
def test_bias_matches_the_oracle(form, num_heads, **options):
    result = form(num_heads, **options)
    np.testing.assert_allclose(result, oracle_bias(num_heads, **options), rtol=1e-13)
    assert not np.signbit(result[result == 0]).any()  # no -0.0


@pytest.mark.parametrize("form", FORMS)
def test_bias_takes_library_and_dtype(xp, form):
    assert form(3, 2, 2, xp=xp).dtype == xp.empty(0).dtype
    far = form(8, 1, 3001, q_offset=3000, xp=xp, dtype=xp.float16)
    exact = form(8, 1, 3001, q_offset=3000)
    np.testing.assert_array_equal(np.asarray(far), exact.astype(np.float16))


@pytest.mark.bad_input
def test_bias_that_leaves_float16_is_refused(xp):
    forms = [
        lambda dtype, far: alibi_bias(8, 1, 3, q_offset=far, xp=xp, dtype=dtype),
        lambda dtype, far: alibi_bias_full(8, 1, 3, q_offset=far, xp=xp, dtype=dtype),
        lambda dtype, far: alibi_bias_at(
            8, xp.asarray([far]), xp.arange(3), dtype=dtype
        ),
    ]
    for form in forms:
        assert xp.isfinite(form(xp.float16, 131_008)).all()  # -65,504 is the last one
        with pytest.raises(
            ValueError, match="dtype must hold the bias of the farthest"
        ):
            form(xp.float16, 131_010)
        assert xp.isfinite(form(xp.float32, 2**50)).all()


@pytest.mark.parametrize("form", FORMS)
def test_bias_is_exact_where_float32_skips_whole_numbers(xp, form):
    far = 2**24 + 1
    bias = form(1, 1, 1, q_offset=far, xp=xp, dtype=xp.float64)
    assert float(bias[0, 0, 0]) == -far / 256
    bias = alibi_bias_at(1, xp.asarray([far]), xp.asarray([0]), dtype=xp.float64)
    assert float(bias[0, 0, 0]) == -far / 256


# --- how far a head sees --------------------------------------------------------------

SHARES = [0.01, 0.3, 0.5, 0.9, 0.99]


@given(
    slope=st.sampled_from([0.917, 0.5, 0.1, 2**-6, 2**-8]),
    share=st.sampled_from(SHARES),
    k_len=st.integers(1, 60),
    score_bound=st.sampled_from([0.0, 0.3, 1.0, 2.5]),
)
def test_reach_matches_the_oracle(slope, share, k_len, score_bound):
    got = alibi_reach(slope, share, k_len=k_len, score_bound=score_bound)
    assert got == oracle.reach_of_any_scores(slope, share, k_len, score_bound)


@pytest.mark.parametrize("k", range(1, 20))
def test_reach_of_few_keys_is_at_most_that_without_an_end_and_comes_to_equal_it(k):
    # -ln(1 - p) / m is the whole number k, where one might fear for the rounding.
    slope, share = math.log(2), 1 - Fraction(1, 2**k)
    endless = alibi_reach(slope, float(share))
    assert endless == k - 1
    for n in range(1, 3 * k):
        held = [(1 - Fraction(1, 2**d)) / (1 - Fraction(1, 2**n)) for d in range(1, 60)]
        reach = next(D for D, part in enumerate(held) if part >= share)
        assert reach == alibi_reach(slope, float(share), k_len=n) <= endless
    assert reach == endless


def test_reach_is_safe_at_the_ends_of_its_ranges():
    assert alibi_reach(1e-3, 1 - 1e-16, k_len=7) == 6
    assert alibi_reach(0.3, 1 - 1e-15, k_len=6, score_bound=5.0) == 5  # not 6
    assert alibi_reach(0.3, 1 - 1e-15, k_len=1, score_bound=5.0) == 0
    assert alibi_reach(0.5, 1e-320) == alibi_reach(0.5, 0.9, k_len=1) == 0
    assert alibi_reach(1e-20, 0.01, k_len=3) == 0  # below all rounding, and not -1
    assert alibi_reach(0.5, 0.9, score_bound=1000.0, k_len=5) == 4
    assert alibi_reach(0.5, 0.9, score_bound=1000.0) == 4004
    assert type(alibi_reach(0.5, 0.9)) is int


# --- the module -----------------------------------------------------------------------


# --- bad input ------------------------------------------------------------------------


def test_positions_in_order_give_the_bias_of_their_lengths(xp):
    places = xp.arange(9)
    result = alibi_bias_at(3, places[4:], places)
    expected = alibi_bias(3, 5, 9, q_offset=4, xp=xp)
    np.testing.assert_array_equal(np.asarray(result), np.asarray(expected))
    assert not np.signbit(np.asarray(result)[np.asarray(result) == 0]).any()  # no -0.0


def test_positions_of_a_batch_give_a_bias_for_each_sequence(xp):
    places = xp.asarray([[0, 1, 2, 3], [0, 1, 0, 1]], dtype=xp.uint8)
    for keys in (places, places[0, :]):  # of each sequence, or the same for all
        result = alibi_bias_at(3, places[:, 2:], keys, dtype=xp.float32)
        assert (result.shape, result.dtype) == ((2, 3, 2, 4), xp.float32)
        for n in range(2):
            own = keys if keys.ndim == 1 else keys[n, :]
            alone = alibi_bias_at(3, places[n, 2:], own, dtype=xp.float32)
            np.testing.assert_array_equal(np.asarray(result[n, ...]), np.asarray(alone))
        assert (result[0, ...] != result[1, ...]).any()
