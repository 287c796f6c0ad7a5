from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.core import data
from posenc.t5 import (
    bucket_starts,
    relative_position_bias,
    relative_position_bias_at,
    relative_position_bias_full,
    relative_position_bucket,
)
from posenc.t5.exercises import oracle

PRINTED = data.load("printed_tables")["t5"]

#: Published grid of settings: every number of buckets up to 64 that the rule admits,
#: with 21 maximal distances.
DISTANCES = (16, 20, 32, 48, 50, 64, 96, 100, 128, 160, 192, 200, 256, 300, 384, 400)
DISTANCES += (500, 512, 1000, 1024, 2048)
GRID = [
    {
        "bidirectional": bidirectional,
        "num_buckets": num_buckets,
        "max_distance": distance,
    }
    for bidirectional in (True, False)
    for num_buckets in range(4 if bidirectional else 2, 65, 2 if bidirectional else 1)
    for distance in DISTANCES
    if distance > (num_buckets // 2 if bidirectional else num_buckets) // 2
]

settings_strategy = st.sampled_from(GRID)


def offsets(q_len, k_len, q_offset=0):
    return np.arange(k_len)[None, :] - (q_offset + np.arange(q_len))[:, None]


@pytest.mark.parametrize("direction", ["bidirectional", "causal"])
def test_reproduces_the_printed_tables(xp, direction):
    relative_position = offsets(16, 16)
    np.testing.assert_array_equal(relative_position, PRINTED["relative_position"])
    buckets = relative_position_bucket(
        xp.asarray(relative_position),
        bidirectional=direction == "bidirectional",
        num_buckets=PRINTED["num_buckets"],
        max_distance=PRINTED["max_distance"],
    )
    np.testing.assert_array_equal(np.asarray(buckets), PRINTED[direction])


@settings(max_examples=30)  # of exact arithmetic, each on hundreds of distances
@given(setting=settings_strategy)
def test_matches_exact_arithmetic_on_every_distance(setting):
    reach = setting["max_distance"] + 3
    relative_position = np.arange(-reach, reach + 1)
    whole = oracle.Setting(**setting)
    expected = [oracle.bucket(int(r), whole).number for r in relative_position]
    np.testing.assert_array_equal(
        relative_position_bucket(relative_position, **setting), expected
    )


def test_known_edges():
    np.testing.assert_array_equal(bucket_starts()[8:], [8, 12, 16, 23, 32, 46, 64, 91])
    assert bucket_starts(bidirectional=False)[-1] == 113
    # Bucket 27 begins at 84 exactly: float32 stops just short of it.
    setting = {"bidirectional": False, "num_buckets": 36, "max_distance": 392}
    assert bucket_starts(**setting)[27] == 84
    assert 84**18 * 18**9 == 392**9 * 18**18  # (84 / 18)^18 is (392 / 18)^9


@given(setting=settings_strategy)
def test_starts_never_decrease_and_tell_which_buckets_are_empty(setting):
    starts = bucket_starts(**setting)
    distances = np.arange(2 * setting["max_distance"])
    used = set(relative_position_bucket(-distances, **setting).tolist())
    assert starts[0] == 0
    assert (np.diff(starts) >= 0).all()
    expected = {b for b, (a, z) in enumerate(pairwise([*starts, np.inf])) if a < z}
    assert used == expected


def test_extreme_and_narrow_integers_do_not_overflow(xp):
    far = np.iinfo(np.int64)
    buckets = relative_position_bucket(xp.asarray([far.min, far.max]))
    np.testing.assert_array_equal(np.asarray(buckets), [15, 31])
    small = xp.asarray([-128, 127], dtype=xp.int8)
    np.testing.assert_array_equal(np.asarray(relative_position_bucket(small)), [15, 31])


@given(
    setting=settings_strategy,
    q_len=st.integers(0, 9),
    k_len=st.integers(0, 9),
    q_offset=st.integers(0, 300),
)
def test_bias_matches_the_oracle_in_both_forms(setting, q_len, k_len, q_offset):
    table = np.random.default_rng(0).normal(size=(setting["num_buckets"], 2))
    options = {k: v for k, v in setting.items() if k != "num_buckets"}
    expected = oracle.bias(table, q_len, k_len, q_offset=q_offset, **options)
    for bias in (relative_position_bias, relative_position_bias_full):
        out = bias(table, q_len, k_len, q_offset=q_offset, **options)
        np.testing.assert_array_equal(out, expected)


def test_bias_lies_in_memory_as_attention_kernels_read_it(xp, rng):
    bias = relative_position_bias(xp.asarray(rng.normal(size=(8, 3))), 5, 7)
    is_numpy = isinstance(bias, np.ndarray)
    assert bias.flags.c_contiguous if is_numpy else bias.is_contiguous()


def test_positions_in_order_give_the_bias_of_their_lengths(xp, rng):
    table = xp.asarray(rng.normal(size=(8, 3)))
    places = xp.arange(9)
    result = relative_position_bias_at(table, places[4:], places)
    expected = relative_position_bias(table, 5, 9, q_offset=4)
    np.testing.assert_array_equal(np.asarray(result), np.asarray(expected))


def test_positions_of_a_batch_give_a_bias_for_each_sequence(xp, rng):
    table = xp.asarray(rng.normal(size=(8, 3)))
    places = xp.asarray([[0, 1, 2, 3], [0, 1, 0, 1]], dtype=xp.uint8)
    for keys in (places, places[0, :]):  # of each sequence, or the same for all
        result = relative_position_bias_at(table, places[:, 2:], keys)
        assert result.shape == (2, 3, 2, 4)
        for n in range(2):
            own = keys if keys.ndim == 1 else keys[n, :]
            alone = relative_position_bias_at(table, places[n, 2:], own)
            np.testing.assert_array_equal(np.asarray(result[n, ...]), np.asarray(alone))
        assert (result[0, ...] != result[1, ...]).any()
