"""The errata of the chapter on sinusoids: each claim put to the test, and the truth."""

import math

import numpy as np
import pytest

from posenc.pages import errata
from posenc.sinusoidal import (
    binary_encoding,
    continuous_binary_encoding,
    geometric_sine_encoding,
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
    # The printed numbers, read as frequencies, are half of them.
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
    # The values of position 0 come back after all 2^d positions, as the source says,
    # and half of the way before, which it does not say. That is the first time.
    back = np.flatnonzero((np.abs(waves - waves[0]) < 1e-12).all(axis=1))
    assert back.tolist() == [0, 2 ** (d - 1), 2**d]
    assert "position $2^{d-1}$, half of the way" in TRUTH["sinusoidal-dead-feature"]
    # With j from 0 the first period is 1, and each next one twice as long.
    if d > 1:
        m, j = np.arange(2**d)[:, None], np.arange(d)
        waves = np.sin(2 * np.pi * m / 2.0**j)
        dead = (np.abs(waves) < 1e-9).all(axis=0)
        assert np.flatnonzero(dead).tolist() == [0, 1]
        back = np.flatnonzero((np.abs(waves) < 1e-9).all(axis=1))
        assert back[1] == 2 ** (d - 2)
        assert "are back at position $2^{d-2}$" in TRUTH["sinusoidal-dead-feature"]


def test_sinusoidal_boundary():
    table = sinusoidal_table(10_000, 512)
    assert (np.diff(table[:, 510]) > 0).all()  # the slowest sine only increases
    # Both the sines of the paper's pairs, and those of the source's own formula.
    grow = (np.diff(table[:, 0::2], axis=0) > 0).all(axis=0)
    assert np.flatnonzero(grow).tolist() == list(range(244, 256))
    sines = geometric_sine_encoding(np.arange(10_000), 512)
    grow = (np.diff(sines, axis=0) > 0).all(axis=0)
    assert np.flatnonzero(grow).tolist() == list(range(512 - 25, 512))
    assert "10,000 positions, 25 of them" in TRUTH["sinusoidal-boundary"]
    above = (sines[:, grow].max(axis=0) > 0.9).sum()
    assert f"{above} of these come above 0.9" in TRUTH["sinusoidal-boundary"]
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
    beyond = math.sqrt(squared[10_000:].min())
    assert f"none is nearer than {beyond:.2f};" in TRUTH["sinusoidal-collision"]
    turns = np.random.default_rng(0).uniform(0, 2 * np.pi, size=(1000, 64))
    at_random = np.sqrt((2 - 2 * np.cos(turns)).sum(axis=1)).mean()
    assert at_random == pytest.approx(11.3, abs=0.05)
    assert "about 11.3 apart" in TRUTH["sinusoidal-collision"]
    assert "position 1." in TRUTH["sinusoidal-collision"]


def test_sinusoidal_frequency():
    t, d = np.asarray([0.7]), 16
    first = sinusoidal_encoding(t, d)[0, :2]
    np.testing.assert_allclose(first, [math.sin(0.7), math.cos(0.7)])  # pair m = 0
    for m in range(d // 2):
        divisor = 10_000 ** (2 * m / d)
        lap = sinusoidal_encoding(t + 2 * math.pi * divisor, d)
        want = sinusoidal_encoding(t, d)[0, 2 * m : 2 * m + 2]
        np.testing.assert_allclose(lap[0, 2 * m : 2 * m + 2], want, atol=1e-9)
