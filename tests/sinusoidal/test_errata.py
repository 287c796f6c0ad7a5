"""The errata of the chapter on sinusoids: each claim put to the test, and the truth."""

import math

import numpy as np
import pytest

from posenc.pages import errata
from posenc.sinusoidal import (
    binary_encoding,
    continuous_binary_encoding,
    sinusoidal_encoding,
    sinusoidal_table,
)
from posenc.sinusoidal.exercises import oracle

TRUTH = {e.id: e.truth for e in errata.load()}


def smallest_period(column):
    return next(p for p in range(1, len(column)) if (column[p:] == column[:-p]).all())


def test_sinusoidal_periods():
    digits = binary_encoding(np.arange(64), 6)[:, :3]
    toggles = [np.flatnonzero(np.diff(column))[0] + 1 for column in digits.T]
    periods = [smallest_period(column) for column in digits.T]
    assert toggles == [1, 2, 4]
    assert periods == [2, 4, 8]
    frequencies = [2 * math.pi / period for period in periods]
    np.testing.assert_allclose(frequencies, [math.pi, math.pi / 2, math.pi / 4])
    # The printed numbers, read as frequencies, are an octave (a factor 2) too low.
    claimed = [math.pi / 2, math.pi / 4, math.pi / 8]
    np.testing.assert_allclose(np.asarray(claimed) * 2, frequencies)
    x = np.random.default_rng(0).uniform(0, 16, 500)
    for j, frequency in enumerate(frequencies):
        below = np.sin(frequency * x) < 0
        want = binary_encoding(np.floor(x).astype(int), 4)[:, j] == 1
        np.testing.assert_array_equal(below, want)


@pytest.mark.parametrize("d", [1, 3, 8])
def test_sinusoidal_dead_feature(d):
    waves = continuous_binary_encoding(np.arange(2**d + 1), d)
    np.testing.assert_allclose(waves[:, 0], 0, atol=1e-12)
    pairs = sinusoidal_encoding(np.arange(50.0) * np.pi, 2)
    np.testing.assert_allclose(pairs[:, 1], (-1.0) ** np.arange(50), atol=1e-12)
    # The other way in which these sines fall short: half a lap is no new vector.
    np.testing.assert_allclose(waves[2 ** (d - 1)], waves[0], atol=1e-12)


def test_sinusoidal_boundary():
    table = sinusoidal_table(10_000, 512)
    assert (np.diff(table[:, 510]) > 0).all()  # the slowest sine only increases
    assert not (np.diff(table[:, 0]) > 0).all()
    # Sines change their sign twice per turn: 1,591 whole turns make 3,183 changes.
    changes = int((np.diff(np.sign(table[1:, 0])) != 0).sum())
    assert changes // 2 == 1591
    assert "1,591 times" in TRUTH["sinusoidal-boundary"]
    assert np.abs(table[:, 0]).max() > 0.9999


def test_sinusoidal_collision():
    m = np.arange(1, 200_000)
    squared = np.zeros(len(m))
    for i in range(64):
        squared += 2 - 2 * np.cos(m * 10_000.0 ** (-2 * i / 128))
    assert m[squared.argmin()] == 1
    ends = oracle.encoding([1, 10_001], 128)
    apart = np.linalg.norm(np.subtract(*ends))
    assert apart == pytest.approx(math.sqrt(squared[10_000 - 1]), rel=1e-9)
    assert apart > 10
    assert "position 1." in TRUTH["sinusoidal-collision"]


def test_sinusoidal_dials():
    assert binary_encoding(np.arange(512), 9).shape == (512, 9)
    with pytest.raises(ValueError, match=r"0 … 255, got 256: raise num_bits"):
        binary_encoding(np.arange(512), 8)


def test_sinusoidal_frequency():
    t, d = np.asarray([0.7]), 16
    first = sinusoidal_encoding(t, d)[0, :2]
    np.testing.assert_allclose(first, [math.sin(0.7), math.cos(0.7)])  # pair m = 0
    for m in range(d // 2):
        divisor = 10_000 ** (2 * m / d)
        lap = sinusoidal_encoding(t + 2 * math.pi * divisor, d)
        want = sinusoidal_encoding(t, d)[0, 2 * m : 2 * m + 2]
        np.testing.assert_allclose(lap[0, 2 * m : 2 * m + 2], want, atol=1e-9)
