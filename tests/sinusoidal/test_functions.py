import math

import numpy as np
import pytest

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


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint64"])
def test_binary_digits_keep_the_dtype(xp, dtype):
    dtype = getattr(xp, dtype)
    out = binary_encoding(xp.asarray([255, 128, 1], dtype=dtype), 20)
    assert out.dtype == dtype
    expected = [oracle.binary_digits(n, 20) for n in (255, 128, 1)]
    np.testing.assert_array_equal(np.asarray(out), expected)


def test_63_digits_hold_the_largest_power_of_2(xp):
    digits = binary_encoding(xp.asarray([2**62], dtype=xp.int64), 63)
    np.testing.assert_array_equal(np.asarray(digits), [[0] * 62 + [1]])


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
