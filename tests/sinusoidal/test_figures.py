"""Figures of the chapter on sinusoids: what they draw is what posenc computes."""

import math

import figure_rules
import numpy as np
import pytest

from posenc.core import data
from posenc.sinusoidal import (
    binary_encoding,
    continuous_binary_encoding,
    figures,
    sinusoidal_table,
)
from posenc.sinusoidal.figures import CUBE_EDGES, curve_points, project

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "float32_error": [{"positions": [16, 32], "errors": {"a": [1.0, 2.0]}}],
    "heat_map": [{"table": sinusoidal_table(3, 4)}],
    "opening": [{}, {"position": 2.5}],
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

    def test_a_cube_has_twelve_edges_of_length_two(self):
        edges = {tuple(map(tuple, edge)) for edge in CUBE_EDGES}
        assert len(edges) == 12
        for start, end in edges:
            assert sorted(np.subtract(end, start)) == [0, 0, 2]


class TestCurve:
    def test_points_are_the_encodings(self):
        t = np.linspace(0, 30, 11)
        want = np.sin(2 * np.pi * t[:, None] / np.asarray([2.0, 4.0, 8.0]))
        np.testing.assert_allclose(curve_points(t, "binary"), want, atol=1e-12)
        theta = 50.0 ** (-np.arange(3) / 3)
        want = np.sin(t[:, None] * theta)
        got = curve_points(t, "slow", base=50.0)
        np.testing.assert_allclose(got, want, atol=1e-12)

    def test_dots_lie_at_whole_positions_and_share_a_name_where_they_meet(self):
        ax = figures.curve_in_space(last=8)
        dots = next(line for line in ax.lines if line.get_marker() == "o")
        want = project(curve_points(np.arange(9.0), "binary"), 35, 25)
        np.testing.assert_allclose(np.transpose(dots.get_data()), want, atol=1e-12)
        names = figure_rules.texts(ax)
        assert "0 = 4 = 8" in names

    def test_the_curve_and_both_distances_are_there(self):
        titles = [ax.get_title() for ax in figures.closed_curve().axes]
        both = ["periods 2, 4, 8", "periods 6.3, 135, 2,916"]
        assert titles == [both[0], *both]
        slow = 2 * np.pi * 10_000 ** (np.arange(3) / 3)
        assert [f"{p:,.0f}" for p in slow[1:]] == ["135", "2,916"]


class TestDistance:
    @staticmethod
    def drawn(curve):
        """Distances as drawn, position by position, and positions with a black dot."""
        ax = figures.distance_from_start(curve)
        (stems,) = ax.collections
        ends = np.asarray([segment[1] for segment in stems.get_segments()])
        assert ends[:, 0].tolist() == list(range(81))
        dots, again = ax.lines
        heights = dict(np.transpose(dots.get_data()))
        for m, height in ends:
            assert heights.get(m, 0) == pytest.approx(height, abs=1e-9)
        return ends[:, 1], again.get_xdata().tolist()

    def test_waves_of_digits_are_back_at_every_fourth_position(self):
        distances, again = self.drawn("binary")
        t = np.arange(81.0)[:, None]
        want = np.linalg.norm(np.sin(2 * np.pi * t / [2.0, 4.0, 8.0]), axis=1)
        np.testing.assert_allclose(distances, want, atol=1e-9)
        assert again == list(range(0, 81, 4))

    def test_slower_waves_come_near_and_are_never_back(self):
        distances, again = self.drawn("slow")
        t = np.arange(81.0)[:, None]
        want = np.linalg.norm(np.sin(t * 10_000 ** (-np.arange(3) / 3)), axis=1)
        np.testing.assert_allclose(distances, want, atol=1e-9)
        assert again == [0]
        assert 1 + distances[1:].argmin() == 66
        assert round(distances[66], 2) == 0.16


class TestOpening:
    def test_digits_waves_and_positions(self):
        ax = figures.opening()
        digits = binary_encoding(np.arange(16), 4)
        shown = [text for text in figure_rules.texts(ax) if text in ("0", "1")]
        # The digits of each strip, and the positions 0 and 1 of the axis.
        assert shown == [*digits.T.ravel().astype(str), "0", "1"]
        curves = [line for line in ax.lines if len(line.get_xdata()) > 2]
        x = curves[0].get_xdata()
        waves = continuous_binary_encoding(x, 4)
        for j, curve in enumerate(curves):
            heights = (curve.get_ydata() - np.mean(curve.get_ydata()[[0, -1]])) / 0.62
            np.testing.assert_allclose(heights, waves[:, j], atol=1e-9)


def test_table_of_digits_and_sines():
    left, right = figures.digit_table().axes
    digits = binary_encoding(np.arange(16), 4)
    placed = {text.get_position(): text.get_text() for text in left.texts}
    assert placed == {(j, m + 0.02): str(v) for (m, j), v in np.ndenumerate(digits)}
    waves = continuous_binary_encoding(np.arange(16.0), 4)
    for text, value in zip(right.texts, waves.ravel(), strict=True):
        assert float(text.get_text().replace("−", "-")) == pytest.approx(
            value, abs=0.051
        )


def test_hands_of_the_dials():
    positions = (0, 1, 2.5)
    figure = figures.dials(positions, num_dials=3)
    waves = continuous_binary_encoding(np.asarray(positions), 3)
    for ax, (place, sine) in zip(figure.axes, np.ndenumerate(waves), strict=True):
        tip = [end[1] for end in ax.lines[0].get_data()]
        angle = 2 * np.pi * positions[place[0]] / 2 ** (place[1] + 1)
        np.testing.assert_allclose(tip, [sine, np.cos(angle)], atol=1e-12)
        label = float(ax.get_xlabel().replace("−", "-"))
        assert label == pytest.approx(sine, abs=0.0051)


class TestSameSine:
    def test_the_dial_shows_the_cosines_that_differ(self):
        _, dial = figures.same_sine().axes
        angles = 2 * np.pi * np.asarray([2, 6, 3, 7]) / 16
        now, later = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(
            2, 2, 2
        )
        dots = [line for line in dial.lines if line.get_marker() == "o"]
        tips = [dot.get_xydata()[0] for dot in dots]
        np.testing.assert_allclose(tips, now, atol=1e-12)
        ends = [note.xy for note in dial.texts if hasattr(note, "xyann")]
        np.testing.assert_allclose(ends, later, atol=1e-12)


def test_heat_map_shows_the_table():
    table = sinusoidal_table(7, 12)
    ax = figures.heat_map(table)
    (image,) = ax.images
    assert np.array_equal(image.get_array(), table)
    assert image.get_clim() == (-1, 1)
    assert image.get_extent() == [-0.5, 11.5, 6.5, -0.5]


def test_a_large_heat_map_shows_means_of_cells():
    table = sinusoidal_table(500, 768, layout="half")
    (image,) = figures.heat_map(table).images
    want = table.reshape(250, 2, 384, 2).mean(axis=(1, 3))
    np.testing.assert_allclose(image.get_array(), want, atol=1e-12)
    assert image.get_extent() == [-0.5, 767.5, 499.5, -0.5]
    odd = np.arange(402.0)[:, None] * np.ones(3)
    (image,) = figures.heat_map(odd[:401]).images
    np.testing.assert_allclose(image.get_array()[-2:, 0], [398.5, 400.0])


def test_layouts_hold_the_same_numbers_in_two_orders():
    above, below = (ax for ax in figures.layouts().axes if ax.images)
    interleaved, half = (ax.images[0].get_array() for ax in (above, below))
    assert np.array_equal(half[:, :32], interleaved[:, 0::2])
    assert np.array_equal(half[:, 32:], interleaved[:, 1::2])


@pytest.mark.parametrize(("start", "low", "high"), [(0, 0, 1e-6), (2**20, 1e-3, 0.1)])
def test_with_every_number_in_32_bits_late_positions_are_off(start, low, high):
    positions = start + np.arange(16)
    table = figures.all_in_float32(positions, 8)
    off = np.abs(table - sinusoidal_table(16, 8, offset=start)).max()
    assert table.dtype == np.float32
    assert low <= off < high


def test_errors_are_drawn_as_given():
    errors = {"one": [1e-5, 1e-3], "two": [1e-7, 2e-7]}
    ax = figures.float32_error([16, 4096], errors)
    drawn = {line.get_label(): list(line.get_ydata()) for line in ax.lines}
    assert drawn == errors


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
