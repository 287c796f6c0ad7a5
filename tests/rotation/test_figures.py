"""Figures of the chapter on rotation: what they draw is what posenc computes."""

import math

import figure_rules
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.patches import Wedge

from posenc.core import data
from posenc.core.running_example import W_K, W_Q, X
from posenc.kit.figures.palette import THEMES
from posenc.rotation import figures, position_similarity, score_terms, shift_operator
from posenc.rotation.figures import clock, heat_map

MEASURED = {
    "8": {name: {"median": 2.0, "low": 1.0, "high": 3.0} for name in ("dense", "write")}
}

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
SWEPT = [
    {
        "d_model": d_model,
        "base": base,
        "trained": trained,
        "control": control,
        "beyond": [0.2, 0.4, 0.3 if trained == 8 else 0.9],
        "near": [0.6, 0.6, 0.9],
    }
    for d_model in (8, 16, 32, 64)
    for base in (2, 10_000)
    for trained in (8, 16)
    for control in ("", "longer")
]

ARGUMENTS = {
    "extrapolation_sweep": [{"heads": SWEPT}],
    "learned_matrices": [{"matrices": {"a": np.eye(4), "b": -np.eye(2)}}],
    "four_terms": [{"terms": {"a": np.eye(3)}}],
    "heat_map": [{"values": np.eye(3), "colors": "coolwarm"}],
    "overview": [{"t": 0, "offset": 2, "d_model": 4, "base": 10.0}],
    "previous_token": [{"curves": {"a": np.ones(5)}, "trained": 2}],
    "score_pair": [{"pictures": {"a": np.eye(3), "b": np.ones((3, 3))}}],
    "shift_cost": [
        {"milliseconds": MEASURED, "labels": {"dense": "matrix"}, "bound": "write"}
    ],
    "shift_matrix": [{"matrix": shift_operator(1, 4)}],
    "similarity_curves": [{"sizes": (8, 16), "longest": 20}],
    "similarity_matrix": [{"seq_len": 10, "d_model": 8}],
}


def sectors(ax):
    return [patch for patch in ax.patches if isinstance(patch, Wedge)]


class TestClock:
    @pytest.mark.parametrize(
        ("angle", "turn"), [(0.0, 0.5), (1.0, -2.0), (5.0, 3.0), (0.3, 9.0)]
    )
    def test_hands_point_to_sine_and_cosine(self, angle, turn):
        _, ax = plt.subplots()
        clock(ax, (2.0, -1.0), angle, turn, size=3.0)
        for line, a in zip(ax.lines, (angle, angle + turn), strict=False):
            (x0, x1), (y0, y1) = line.get_data()
            assert (x0, y0) == (2.0, -1.0)
            tip = np.asarray([x1 - x0, y1 - y0]) / (0.92 * 3)
            np.testing.assert_allclose(tip, [math.sin(a), math.cos(a)], atol=1e-12)


def test_the_opening_turns_each_clock_by_the_same_angle_in_both_rows():
    ax = figures.opening()
    widths = [sector.theta2 - sector.theta1 for sector in sectors(ax)]
    assert len(widths) == 8
    np.testing.assert_allclose(widths[:4], widths[4:], atol=1e-9)
    expected = np.degrees(2 * 30.0 ** -(np.arange(4) / 4))
    np.testing.assert_allclose(widths[:4], expected, atol=1e-9)


def test_hands_of_the_plane_have_their_sine_and_cosine():
    ax = figures.turn_in_plane(0.4, 1.1)
    tips = [note.xy for note in ax.texts if hasattr(note, "xy")]
    expected = [(math.sin(a), math.cos(a)) for a in (0.4, 1.5)]
    np.testing.assert_allclose(tips, expected, atol=1e-12)


class TestShiftMatrix:
    def test_blocks_show_the_numbers(self):
        matrix = shift_operator(3, 6, base=50.0)
        ax = figures.shift_matrix(matrix)
        placed = {text.get_position(): text.get_text() for text in ax.texts}
        blocks = {(c, r) for r in range(6) for c in range(6) if r // 2 == c // 2}
        assert placed == {
            (c, r): f"{matrix[r, c]:.2f}".replace("-", "−") for c, r in blocks
        }

    def test_colors_are_those_of_the_entries_and_zeros_are_pale(self):
        matrix = shift_operator(3, 10)
        ax = figures.shift_matrix(matrix)
        drawn = ax.collections[0].get_array()
        expected = plt.get_cmap(figures.TURN_COLORS)((matrix + 1) / 2)
        outside = np.kron(np.eye(5), np.ones((2, 2))) == 0
        expected[outside] = to_rgba(THEMES["light"]["raised"])
        np.testing.assert_array_equal(drawn, expected)


class TestScores:
    def test_similarity_matrix_holds_the_dot_products(self):
        ax = figures.similarity_matrix(12, 16, base=30.0)
        offsets = np.arange(12)[None, :] - np.arange(12)[:, None]
        expected = position_similarity(offsets, 16, base=30.0) / 8
        np.testing.assert_allclose(ax.images[0].get_array(), expected, atol=1e-14)

    def test_heat_maps_have_queries_down_and_mark_distance_zero(self):
        ax = heat_map(np.arange(6.0).reshape(2, 3), "viridis")
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("key", "query")
        assert ax.get_ylim()[0] > ax.get_ylim()[1]
        assert [list(values) for values in ax.lines[0].get_data()] == [[0, 1], [0, 1]]

    def test_curves_are_those_of_each_size(self):
        ax = figures.similarity_curves((4, 8), 30, base=20.0)
        for line, d_model in zip(ax.lines, (4, 8), strict=False):
            x, y = line.get_data()
            expected = position_similarity(np.arange(31), d_model, base=20.0)
            np.testing.assert_array_equal(x, np.arange(31))
            np.testing.assert_allclose(y, expected / (d_model / 2), atol=1e-14)

    def test_four_terms_write_every_number(self):
        terms = score_terms(X, np.eye(3, 4), W_Q, W_K)
        figure = figures.four_terms(terms._asdict())
        for ax, (name, term) in zip(figure.axes, terms._asdict().items(), strict=True):
            assert ax.get_title() == name
            placed = {text.get_position(): text.get_text() for text in ax.texts}
            assert placed == {
                (k, q): f"{value:.2f}" for (q, k), value in np.ndenumerate(term)
            }

    def test_score_pair_draws_both(self):
        pictures = {"left": np.eye(4), "right": np.eye(4, k=1)}
        figure = figures.score_pair(pictures)
        panels = [ax for ax in figure.axes if ax.get_title()]
        for ax, (title, values) in zip(panels, pictures.items(), strict=True):
            assert ax.get_title() == title
            np.testing.assert_array_equal(ax.images[0].get_array(), values)

    def test_previous_token_begins_with_the_second_query(self):
        weights = np.linspace(1, 0, 9)
        ax = figures.previous_token({"a head": weights}, 4)
        x, y = ax.lines[0].get_data()
        np.testing.assert_array_equal(x, np.arange(1, 10))
        np.testing.assert_array_equal(y, weights)


class TestLearned:
    def test_each_matrix_has_its_own_scale_around_zero(self):
        matrices = {
            "one": np.diag([3.0, -1.0]),
            "two": np.asarray([[0.1, 0], [0, -0.2]]),
        }
        figure = figures.learned_matrices(matrices)
        for ax, (title, matrix) in zip(figure.axes, matrices.items(), strict=False):
            assert ax.get_title() == title
            (image,) = ax.images
            np.testing.assert_array_equal(image.get_array(), matrix)
            assert image.norm.vcenter == 0
            assert image.norm.vmax == abs(matrix).max() == -image.norm.vmin

    def test_the_sweep_draws_means_and_spreads_of_all_but_controls(self):
        figure = figures.extrapolation_sweep(SWEPT)
        left, right = figure.axes[0::2], figure.axes[1::2]
        drawn = [
            (left, [0.3, 0.5], [[0.2, 0.4], [0.2, 0.9]]),
            (right, [0.7, 0.7], [[0.6, 0.9]] * 2),
        ]
        for column, means, spreads in drawn:
            for ax in column:
                assert [line.get_label() for line in ax.lines] == ["2", "10,000"]
                for line in ax.lines:
                    np.testing.assert_array_equal(line.get_xdata(), [8, 16])
                    np.testing.assert_allclose(line.get_ydata(), means)
                for bars in ax.collections:
                    ends = [bar[:, 1].tolist() for bar in bars.get_segments()]
                    assert ends == spreads


def test_the_curve_of_cost_runs_over_features():
    milliseconds = data.load("bench_rotation")["results"]["milliseconds"]
    ax = figures.shift_cost(milliseconds, {"dense": "matrix"}, bound="write")
    sizes, times = ax.lines[0].get_data()
    assert list(sizes) == [int(d) for d in milliseconds]
    assert list(times) == [row["dense"]["median"] for row in milliseconds.values()]


def test_the_overview_shows_one_setting_everywhere():
    figure = figures.overview(t=4, offset=-3, d_model=8, base=50.0)
    _, matrix, _, curve = figure.axes[:4]
    assert figure_rules.texts(matrix)[0] == f"{math.cos(3):.2f}".replace("-", "−")
    x, y = curve.lines[-1].get_data()
    expected = position_similarity(np.asarray(-3), 8, base=50.0) / 4
    assert x == [3]
    np.testing.assert_allclose(y, [expected])
