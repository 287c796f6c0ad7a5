"""Figures of the chapter on sinusoids: what they draw is what posenc computes."""

import math

import figure_rules
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgba

from posenc.kit.figures.palette import THEMES
from posenc.sinusoidal import (
    binary_encoding,
    continuous_binary_encoding,
    figures,
    sinusoidal_table,
)
from posenc.sinusoidal.figures import CUBE_EDGES, curve_points, project

LIGHT = THEMES["light"]

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
        assert {"1", "2", "3", "5", "6", "7"} <= set(names)
        assert {"feature 1", "feature 2", "feature 3"} <= set(names)

    def test_a_long_curve_names_its_ends_alone(self):
        names = figure_rules.texts(figures.curve_in_space("slow", last=40))
        assert [name for name in names if name.isdigit()] == ["0", "40"]

    def test_both_curves_are_there(self):
        titles = [ax.get_title() for ax in figures.closed_curve().axes]
        assert titles == ["periods 2, 4, 8", "periods 6.3, 135, 2,916"]
        slow = 2 * np.pi * 10_000 ** (np.arange(3) / 3)
        assert [f"{p:,.0f}" for p in slow[1:]] == ["135", "2,916"]


class TestOpening:
    def test_digits_waves_and_positions(self):
        ax = figures.opening()
        digits = binary_encoding(np.arange(16), 4)
        shown = [text for text in figure_rules.texts(ax) if text in ("0", "1")]
        # The digits of each strip, and the positions 0 and 1 of the axis.
        assert shown == [*digits.T.ravel().astype(str), "0", "1"]
        dark = [to_hex(patch.get_facecolor()) == LIGHT["query"] for patch in ax.patches]
        assert dark == (digits.T.ravel() == 1).tolist()
        curves = [line for line in ax.lines if len(line.get_xdata()) > 2]
        x = curves[0].get_xdata()
        waves = continuous_binary_encoding(x, 4)
        for j, curve in enumerate(curves):
            heights = (curve.get_ydata() - np.mean(curve.get_ydata()[[0, -1]])) / 0.62
            np.testing.assert_allclose(heights, waves[:, j], atol=1e-9)

    def test_line_at_a_position(self):
        lines = [
            tuple(line.get_xdata()) for line in figures.opening(position=2.5).lines
        ]
        assert (2.5, 2.5) in lines
        assert (2.5, 2.5) not in [
            tuple(li.get_xdata()) for li in figures.opening().lines
        ]


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
    assert [t.get_text() for t in left.get_xticklabels()] == ["1", "2", "4", "8"]
    assert [t.get_text() for t in right.get_xticklabels()] == ["2", "4", "8", "16"]


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


def test_same_sine_starts_at_one_height_and_parts():
    ax = figures.same_sine()
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    (first,), (second,) = (dot.get_ydata() for dot in dots)
    assert first == pytest.approx(second)
    assert [dot.get_xdata()[0] for dot in dots] == [2, 6]
    ends = [note.xyann[1] for note in ax.texts if hasattr(note, "xyann")]
    tips = [note.xy[1] for note in ax.texts if hasattr(note, "xyann")]
    assert tips[0] > ends[0]
    assert tips[1] < ends[1]


def test_heat_map_shows_the_table():
    table = sinusoidal_table(7, 12)
    ax = figures.heat_map(table)
    (image,) = ax.images
    assert np.array_equal(image.get_array(), table)
    assert image.get_clim() == (-1, 1)
    assert image.get_extent() == [-0.5, 11.5, 6.5, -0.5]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("feature", "position")


def test_layouts_hold_the_same_numbers_in_two_orders():
    above, below = (ax for ax in figures.layouts().axes if ax.images)
    interleaved, half = (ax.images[0].get_array() for ax in (above, below))
    assert np.array_equal(half[:, :32], interleaved[:, 0::2])
    assert np.array_equal(half[:, 32:], interleaved[:, 1::2])
    assert above.get_title() == 'layout="interleaved"'


def test_errors_are_drawn_as_given():
    errors = {"one": [1e-5, 1e-3], "two": [1e-7, 2e-7]}
    ax = figures.float32_error([16, 4096], errors)
    drawn = {line.get_label(): list(line.get_ydata()) for line in ax.lines}
    assert drawn == errors
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert to_rgba(ax.lines[0].get_color()) != to_rgba(ax.lines[1].get_color())
    assert len({line.get_marker() for line in ax.lines}) == 2
