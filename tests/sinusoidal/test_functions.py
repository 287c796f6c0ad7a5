import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.sinusoidal import (
    binary_encoding,
    continuous_binary_encoding,
    geometric_sine_encoding,
    normalized_position,
    sinusoidal_encoding,
    sinusoidal_table,
)
from posenc.sinusoidal.exercises import oracle

OPTIONS = [
    {"layout": layout, "frequencies": frequencies}
    for layout in ("interleaved", "half")
    for frequencies in ("paper", "tensor2tensor")
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("d_model", "base"), [(2, 10_000.0), (8, 10_000.0), (6, 3.5)])
def test_matches_the_formula_of_the_paper(xp, rng, options, d_model, base):
    positions = np.concatenate([np.arange(6.0), rng.uniform(-300, 300, size=6)])
    out = sinusoidal_encoding(xp.asarray(positions), d_model, base=base, **options)
    expected = oracle.encoding(positions, d_model, base=base, **options)
    np.testing.assert_allclose(np.asarray(out), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "int64", "int32"])
@pytest.mark.parametrize("options", OPTIONS)
def test_float32_stays_right_up_to_position_a_million(xp, dtype, options):
    far = np.asarray([0, 1, 4095, 4096, 999_999, 2**20 - 1, 2**20])
    positions = xp.asarray(far, dtype=getattr(xp, dtype))
    out = np.asarray(sinusoidal_encoding(positions, 64, **options))
    expected = oracle.encoding(far, 64, base=10_000.0, **options)
    np.testing.assert_allclose(out, expected, rtol=0, atol=1e-7)  # promised: 1e-6


def test_tensor2tensor_ends_at_the_base_and_the_paper_does_not(xp):
    position = xp.asarray([1.0], dtype=xp.float64)
    slowest = {
        name: float(sinusoidal_encoding(position, 16, frequencies=name)[0, -2])
        for name in ("paper", "tensor2tensor")
    }
    expected = {"paper": 10_000.0 ** (-14 / 16), "tensor2tensor": 1e-4}
    assert slowest == pytest.approx(expected, rel=1e-6)  # sine of a small angle


# --- the table ------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seq_len", [0, 1, 63, 64, 65, 200])
@pytest.mark.parametrize("offset", [0, 777])
def test_table_is_the_encoding_of_consecutive_positions(xp, options, seq_len, offset):
    table = sinusoidal_table(
        seq_len, 12, offset=offset, xp=xp, dtype=xp.float64, **options
    )
    positions = xp.arange(offset, offset + seq_len, dtype=xp.float64)
    expected = sinusoidal_encoding(positions, 12, **options)
    np.testing.assert_allclose(
        np.asarray(table), np.asarray(expected), rtol=0, atol=1e-12
    )


def test_float32_table_is_right_on_every_position_up_to_a_million(xp):
    table = sinusoidal_table(1_000_001, 6, xp=xp, dtype=xp.float32)
    exact = sinusoidal_encoding(np.arange(1_000_001.0), 6)
    assert table.dtype == xp.float32
    np.testing.assert_allclose(np.asarray(table), exact, rtol=0, atol=2e-7)


def test_float32_table_is_right_in_every_feature_of_the_benchmark(xp):
    table = sinusoidal_table(4096, 1024, xp=xp, dtype=xp.float32)
    exact = sinusoidal_encoding(np.arange(4096.0), 1024)
    np.testing.assert_allclose(np.asarray(table), exact, rtol=0, atol=2e-7)


# --- the steps on the way -------------------------------------------------------------


def test_normalized_position_has_a_step_that_depends_on_the_length(xp):
    for seq_len in (1, 4, 5):
        out = normalized_position(xp.arange(5, dtype=xp.float64), seq_len)
        expected = [i / seq_len for i in range(5)]
        np.testing.assert_array_equal(np.asarray(out), expected)


def test_binary_digits_are_those_of_python(xp):
    for num_bits in (1, 4):
        expected = [oracle.binary_digits(n, num_bits) for n in range(2**num_bits)]
        out = binary_encoding(xp.arange(2**num_bits), num_bits)
        np.testing.assert_array_equal(np.asarray(out), expected)


@given(numbers=st.lists(st.integers(0, 2**63 - 1), max_size=5))
def test_binary_digits_add_up_to_the_number(numbers):
    digits = binary_encoding(np.asarray(numbers, dtype=np.int64), 63)
    assert [sum(int(b) << j for j, b in enumerate(row)) for row in digits] == numbers


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint64"])
def test_binary_digits_keep_the_dtype(xp, dtype):
    dtype = getattr(xp, dtype)
    out = binary_encoding(xp.asarray([255, 128, 1], dtype=dtype), 20)
    assert out.dtype == dtype
    expected = [oracle.binary_digits(n, 20) for n in (255, 128, 1)]
    np.testing.assert_array_equal(np.asarray(out), expected)


def test_digit_j_has_period_two_to_the_j_plus_one():
    digits = binary_encoding(np.arange(64), 6)
    for j in range(6):
        period, column = 2 ** (j + 1), digits[:, j]
        np.testing.assert_array_equal(column[period:], column[:-period])
        np.testing.assert_array_equal(column[period // 2 : period], 1)


def smooth_binary_digits(position, d_model):
    return [math.sin(2 * math.pi * position / 2**j) for j in range(1, d_model + 1)]


def geometric_sines(position, d_model, base):
    return [math.sin(position * (1 / base) ** (j / d_model)) for j in range(d_model)]


def test_continuous_digits_and_geometric_sines_match_their_formulas(xp, rng):
    positions = rng.uniform(-20, 20, size=7)
    smooth = continuous_binary_encoding(xp.asarray(positions), 5)
    expected = [smooth_binary_digits(p, 5) for p in positions]
    np.testing.assert_allclose(np.asarray(smooth), expected, rtol=0, atol=1e-12)
    for d_model in (1, 5):
        slow = geometric_sine_encoding(xp.asarray(positions), d_model, base=50.0)
        expected = [geometric_sines(p, d_model, 50.0) for p in positions]
        np.testing.assert_allclose(np.asarray(slow), expected, rtol=0, atol=1e-12)


@given(position=st.floats(-1000, 1000), d_model=st.integers(1, 8))
def test_continuous_digits_run_in_a_closed_curve(position, d_model):
    laps = np.asarray([position, position + 2**d_model])
    start, end = continuous_binary_encoding(laps, d_model)
    np.testing.assert_allclose(end, start, rtol=0, atol=1e-11)


def test_first_continuous_digit_is_dead_at_whole_positions():
    digits = continuous_binary_encoding(np.arange(1000), 3)
    np.testing.assert_allclose(digits[:, 0], 0, atol=1e-12)
    assert abs(digits[:, 1]).max() == 1


def test_geometric_sines_with_even_index_are_those_of_the_paper(xp):
    positions = xp.arange(50, dtype=xp.float64)
    sines = np.asarray(sinusoidal_encoding(positions, 8))[:, 0::2]
    geometric = np.asarray(geometric_sine_encoding(positions, 8))[:, 0::2]
    np.testing.assert_array_equal(geometric, sines)


# --- shapes, dtypes, gradients, tracing -----------------------------------------------


# --- bad input ------------------------------------------------------------------------


# --- modules --------------------------------------------------------------------------
