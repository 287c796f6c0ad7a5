"""Figures of the chapter on sinusoids: what they draw is what posenc computes."""

import math

import figure_rules
import numpy as np
import pytest

from posenc.core import data
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

    @pytest.mark.parametrize(("azimuth", "elevation"), [(35, 25), (-170, -80), (0, 0)])
    def test_lengths_across_the_line_of_sight_are_kept(self, azimuth, elevation):
        around, above = math.radians(azimuth), math.radians(elevation)
        eye = np.asarray(
            [
                math.cos(above) * math.cos(around),
                math.cos(above) * math.sin(around),
                math.sin(above),
            ]
        )
        points = np.random.default_rng(0).normal(size=(20, 3))
        across = points - (points @ eye)[:, None] * eye
        seen = project(points, azimuth, elevation)
        np.testing.assert_allclose(
            np.linalg.norm(seen, axis=-1), np.linalg.norm(across, axis=-1)
        )
        np.testing.assert_allclose(project(eye, azimuth, elevation), [0, 0], atol=1e-12)


class TestCurve:
    def test_distances_from_the_start_are_those_of_the_page(self):
        """Waves of digits are back at every fourth position, slower ones never."""
        t = np.arange(81.0)
        binary, slow = (
            np.linalg.norm(curve_points(t, curve), axis=1)
            for curve in ("binary", "slow")
        )
        assert np.flatnonzero(binary < 1e-9).tolist() == list(range(0, 81, 4))
        assert 1 + slow[1:].argmin() == 66
        assert round(slow[66], 2) == 0.16

    def test_points_are_the_encodings(self):
        t = np.linspace(0, 30, 11)
        want = np.sin(2 * np.pi * t[:, None] / np.asarray([2.0, 4.0, 8.0]))
        np.testing.assert_allclose(curve_points(t, "binary"), want, atol=1e-12)
        theta = 50.0 ** (-np.arange(3) / 3)
        want = np.sin(t[:, None] * theta)
        got = curve_points(t, "slow", base=50.0)
        np.testing.assert_allclose(got, want, atol=1e-12)


def test_a_large_heat_map_shows_means_of_cells():
    table = sinusoidal_table(500, 768, layout="half")
    (image,) = figures.heat_map(table).images
    want = table.reshape(250, 2, 384, 2).mean(axis=(1, 3))
    np.testing.assert_allclose(image.get_array(), want, atol=1e-12)
    assert image.get_extent() == [-0.5, 767.5, 499.5, -0.5]
    odd = np.arange(402.0)[:, None] * np.ones(3)
    (image,) = figures.heat_map(odd[:401]).images
    np.testing.assert_allclose(image.get_array()[-2:, 0], [398.5, 400.0])


@pytest.mark.parametrize(("start", "low", "high"), [(0, 0, 1e-6), (2**20, 1e-3, 0.1)])
def test_with_every_number_in_32_bits_late_positions_are_off(start, low, high):
    positions = start + np.arange(16)
    table = figures.all_in_float32(positions, 8)
    off = np.abs(table - sinusoidal_table(16, 8, offset=start)).max()
    assert table.dtype == np.float32
    assert low <= off < high


class TestTrainedTable:
    def test_trained_rows_are_centered_along_orthonormal_directions(self):
        rows, directions = figures.trained_rows()
        assert (rows.shape, directions.shape) == ((510, 12), (12, 384))
        np.testing.assert_allclose(directions @ directions.T, np.eye(12), atol=2e-4)
        np.testing.assert_allclose(rows.mean(axis=0), 0, atol=1e-4)
        stored = data.load("minilm_positions")
        lengths = np.linalg.norm(rows, axis=0)
        np.testing.assert_allclose(lengths, stored["singular_values"][:12], rtol=1e-3)
        squares = np.square(stored["singular_values"])
        assert squares.sum() == pytest.approx(stored["squared_length"], rel=1e-4)

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

    def test_trained_table_names_the_periods_that_the_matrix_has(self):
        rows = figures.trained_rows()[0][:, :10]
        matrix = np.linalg.lstsq(rows[:-1], rows[1:], rcond=None)[0]
        angles = np.angle(np.linalg.eigvals(matrix))
        periods = np.sort(2 * np.pi / angles[angles > 0])
        ax = figures.trained_table().axes[1]
        names = [label.get_text() for label in ax.get_xticklabels()]
        assert names == [*(f"{period:.0f}" for period in periods[:4]), "?"]
        assert periods[4] > len(rows)

    def test_trained_table_names_the_peaks_of_the_learned_energy(self):
        ax = figures.trained_table().axes[-1]
        rows, _ = figures.trained_rows()
        periods, energy = figures.energy_by_period(rows)
        peaks = [
            f"{periods[k]:.0f}"
            for k in range(1, len(energy) - 1)
            if energy[k] > max(energy[k - 1], energy[k + 1], 0.03)
        ]
        assert figure_rules.texts(ax) == ["170", "57", "18", "6"]
        assert set(figure_rules.texts(ax)) <= set(peaks)
        learned = ax.lines[1].get_ydata()
        np.testing.assert_allclose(learned, 100 * energy, atol=1e-3)
