"""Figures of the chapter on sinusoids: what they draw is what posenc computes."""

import numpy as np
import pytest

from posenc.sinusoidal import (
    binary_encoding,
    figures,
    sinusoidal_table,
)
from posenc.sinusoidal.figures import curve_points, project

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "float32_error": [{"positions": [16, 32], "errors": {"a": [1.0, 2.0]}}],
    "heat_map": [{"table": sinusoidal_table(3, 4)}],
    "opening": [{}, {"position": 2.5}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
LARGE, DIGITS = (
    sinusoidal_table(500, 768, layout="half"),
    binary_encoding(np.arange(16), 4),
)
ERRORS = np.asarray([1e-5, 1e-3])
SHOWS = {
    "heat_map": ({"table": LARGE}, LARGE.reshape(250, 2, 384, 2).mean(axis=(1, 3))),
    "layouts": (
        {},
        *(sinusoidal_table(10, 64, layout=name) for name in ("interleaved", "half")),
    ),
    "digit_table": ({}, [str(digit) for digit in DIGITS.ravel()]),
    "opening": ({}, [str(digit) for digit in DIGITS.T.ravel()]),
    "dials": (
        {"positions": (0, 1, 2.25), "num_dials": 3},
        np.asarray([(0, 0), (np.sin(1.125 * np.pi), np.cos(1.125 * np.pi))]),
    ),
    "float32_error": ({"positions": [16, 4096], "errors": {"one": ERRORS}}, ERRORS),
}


class TestProjection:
    def test_looking_along_the_axes(self):
        point = np.asarray([1.0, 2.0, 3.0])
        np.testing.assert_allclose(project(point, 0, 0), [2, 3], atol=1e-12)
        np.testing.assert_allclose(project(point, 90, 0), [-1, 3], atol=1e-12)
        np.testing.assert_allclose(project(point, 0, 90), [2, -1], atol=1e-12)


class TestCurve:
    def test_points_are_the_encodings(self):
        t = np.linspace(0, 30, 11)
        want = np.sin(2 * np.pi * t[:, None] / np.asarray([2.0, 4.0, 8.0]))
        np.testing.assert_allclose(curve_points(t, "binary"), want, atol=1e-12)
        theta = 50.0 ** (-np.arange(3) / 3)
        want = np.sin(t[:, None] * theta)
        got = curve_points(t, "slow", base=50.0)
        np.testing.assert_allclose(got, want, atol=1e-12)


@pytest.mark.parametrize(("start", "low", "high"), [(0, 0, 1e-6), (2**20, 1e-3, 0.1)])
def test_with_every_number_in_32_bits_late_positions_are_off(start, low, high):
    positions = start + np.arange(16)
    table = figures.all_in_float32(positions, 8)
    off = np.abs(table - sinusoidal_table(16, 8, offset=start)).max()
    assert table.dtype == np.float32
    assert low <= off < high


class TestTrainedTable:
    def test_energy_by_period_finds_two_waves_and_their_shares(self):
        m = np.arange(400)[:, None]
        waves = np.sin(2 * np.pi * m / [100, 8]) * [2, 1] + 5
        periods, energy = figures.energy_by_period(waves)
        assert (periods[0], periods[-1]) == (400, 2)
        assert energy[periods > 60].sum() == pytest.approx(0.8, abs=0.01)
        assert energy[(periods > 7) & (periods < 9)].sum() == pytest.approx(
            0.2, abs=0.01
        )
        assert energy.sum() == pytest.approx(1)

    def test_hands_undoes_a_mixture_of_turning_hands(self):
        m = np.arange(300)[:, None]
        angles = 2 * np.pi * m / [50, 7]
        pairs = np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(300, 4)
        mixture = np.random.default_rng(0).normal(size=(4, 4))
        tips = figures.hands(pairs @ mixture).reshape(300, 2, 2)
        np.testing.assert_allclose(np.linalg.norm(tips, axis=-1), 1, atol=1e-9)
        turned = np.unwrap(np.arctan2(tips[..., 1], tips[..., 0]), axis=0)
        speeds = np.abs(np.diff(turned, axis=0))
        np.testing.assert_allclose(2 * np.pi / speeds.mean(axis=0), [7, 50])
        np.testing.assert_allclose(speeds, np.broadcast_to(speeds[0], speeds.shape))
