"""Figures of the chapter on rotary embedding: they draw what posenc computes."""

import math

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Wedge

from posenc import rope
from posenc.kit.figures.palette import THEMES
from posenc.rope import figures

LIGHT = THEMES["light"]

SETTING = {"head_dim": 16, "base": 1e4, "trained_len": 2048}
SETTING |= {"method": "none", "scale": 1.0}

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "clocks_overview": [SETTING, SETTING | {"method": "yarn", "scale": 4.0}],
    "decay": [{"head_dim": 16, "last": 40}],
    "spread": [{"head_dim": 16, "last": 40, "pairs": 50}],
    "layouts_overview": [
        {"head_dim": 8, "trained": "half", "runs": "interleaved", "permuted": False}
    ],
    "plane_overview": [{"m": 1, "n": 3, "step": 30}],
}


def wedges(ax):
    return [patch for patch in ax.patches if isinstance(patch, Wedge)]


def one_plane(angle_q, angle_k, lengths=(1.0, 0.8)):
    """Score of a pair in one plane, by posenc."""
    start = np.radians([figures.QUERY[1], figures.KEY[1]])
    pairs = np.stack([np.cos(start), np.sin(start)], axis=-1)
    pairs = pairs * np.asarray(lengths)[:, None]
    turned = rope.apply_rotary(pairs, np.radians([[angle_q], [angle_k]]))
    return float(turned[0] @ turned[1])


class TestData:
    @pytest.mark.parametrize("method", figures.METHODS)
    @pytest.mark.parametrize("head_dim", [8, 64])
    def test_planes_turn_as_posenc_says(self, method, head_dim):
        setting = {"method": method, "scale": 4.0, "distance": 5000}
        state = figures.planes(head_dim, 10_000.0, 2048, **setting)
        trained = rope.rotary_angles(np.asarray(1.0), head_dim)
        theta = trained
        if method != "none":
            theta = rope.scaled_frequencies(
                head_dim, scale=4.0, method=method, trained_len=2048
            )
        np.testing.assert_allclose(state.theta, theta, rtol=1e-12)
        np.testing.assert_allclose(state.angles, 5000 * theta, rtol=1e-12)
        seen = np.minimum(2048 * trained, 2 * math.pi)
        np.testing.assert_allclose(state.seen, seen, rtol=1e-12)

    def test_a_hand_is_new_beyond_what_training_showed(self):
        for distance in (2048, 2049, 4096):
            state = figures.planes(64, 10_000.0, 2048, distance=distance)
            slow = 2048 * state.theta < 2 * math.pi
            # One round back would be needed to be where training was.
            turned_past = distance * state.theta < 2 * math.pi
            expected = slow & turned_past & (distance > 2048)
            np.testing.assert_array_equal(state.new[-8:], expected[-8:])
        assert not figures.planes(64, 1e4, 2048, distance=2048).new.any()

    def test_interpolation_shows_nothing_new_up_to_the_wanted_distance(self):
        setting = {"method": "interpolation", "scale": 8.0}
        for distance in (3000, 9000, 16_384):
            state = figures.planes(64, 1e4, 2048, distance=distance, **setting)
            assert not state.new.any()
        assert figures.planes(64, 1e4, 2048, distance=17_000, **setting).new.any()

    @pytest.mark.parametrize("name", figures.CONTENTS)
    def test_curves_are_the_score_its_bound_and_the_mean(self, name):
        q, k = figures.contents(name, 16)
        curves = figures.decay_curves(name, 16, 500.0, 40)
        rotations = [rope.rotation_matrix(n, 16, base=500.0) for n in range(41)]
        score = [(matrix @ q) @ k for matrix in rotations]
        np.testing.assert_allclose(curves["score"], score, atol=1e-9)
        assert (np.abs(curves["score"]) <= curves["bound"] + 1e-9).all()
        mean = rope.mean_partial_sum(np.arange(41.0), 16, base=500.0)
        np.testing.assert_array_equal(curves["mean"], mean)
        np.testing.assert_allclose([q @ q, k @ k], 16)

    @pytest.mark.parametrize("trained", ["interleaved", "half"])
    @pytest.mark.parametrize("runs", ["interleaved", "half"])
    def test_scores_are_right_where_pairs_are_or_after_the_permutation(
        self, trained, runs
    ):
        own = {"trained": trained, "last": 6}
        meant = figures.layout_scores(8, runs=trained, permuted=False, **own)
        repaired = figures.layout_scores(8, runs=runs, permuted=True, **own)
        np.testing.assert_allclose(repaired, meant, atol=1e-12)
        raw = figures.layout_scores(8, runs=runs, permuted=False, **own)
        assert np.allclose(raw, meant) == (runs == trained)
        assert np.isclose(raw[6], meant[6])  # at distance 0 nothing shows
        other = figures.layout_scores(
            8, trained="half", runs="half", permuted=False, last=6
        )
        np.testing.assert_allclose(meant, other, atol=1e-12)  # the same model


class TestPlane:
    def test_the_opening_moves_both_and_keeps_the_angle(self):
        sectors = wedges(figures.opening())
        widths = [wedge.theta2 - wedge.theta1 for wedge in sectors]
        assert widths == pytest.approx([105.0, 105.0])
        assert sectors[0].theta1 != sectors[1].theta1
        assert one_plane(0, 50) == pytest.approx(one_plane(75, 125))

    def test_the_curve_is_the_score_of_posenc(self):
        ax = figures.score_curve(30.0, chosen=2)
        dots = next(line for line in ax.lines if line.get_marker() == "o")
        expected = [one_plane(0, 30 * r) for r in range(-12, 13)]
        np.testing.assert_allclose(dots.get_ydata(), expected, atol=1e-12)
        np.testing.assert_array_equal(dots.get_xdata(), range(-12, 13))
        assert float(np.squeeze(ax.lines[-1].get_xdata())) == 2

    def test_the_query_is_turned_in_both_planes(self):
        figure = figures.rotated_query((0, 1, 3), base=16.0)
        angles = rope.rotary_angles(np.asarray([0, 1, 3]), 4, base=16.0)
        for i, ax in enumerate(figure.axes):
            ends = np.asarray(
                [text.get_position() for text in ax.texts if text.get_text()]
            )
            got = np.arctan2(ends[:, 1], ends[:, 0]) - math.radians(15)
            want = angles[:, i]
            np.testing.assert_allclose(np.exp(1j * got), np.exp(1j * want), atol=1e-9)


class TestLengths:
    def test_adding_changes_lengths_and_turning_does_not(self):
        added, turned = (line.get_ydata() for line in figures.lengths().axes[0].lines)
        assert np.ptp(added) > 1
        np.testing.assert_allclose(turned, turned[0], rtol=1e-12)
        assert len(added) == len(turned) == 1000


class TestClocks:
    def test_hands_and_shades(self):
        setting = {"base": 1e4, "trained_len": 2048, "distance": 3000}
        ax = figures.clocks(16, **setting)
        state = figures.planes(16, 1e4, 2048, distance=3000)
        shades = [wedge.theta2 - wedge.theta1 for wedge in wedges(ax)]
        np.testing.assert_allclose(shades, np.degrees(state.seen))
        hands = [line for line in ax.lines if len(line.get_xdata()) == 2]
        ends = [np.diff(line.get_xydata(), axis=0)[0] for line in hands]
        want = np.stack([np.sin(state.angles), np.cos(state.angles)], axis=-1)
        np.testing.assert_allclose(ends, 0.93 * want, atol=1e-9)
        colors = [to_hex(line.get_color()) == LIGHT["key"] for line in hands]
        np.testing.assert_array_equal(colors, state.new)

    def test_wavelengths(self):
        ax = figures.wavelengths(32, base=1e4, trained_len=2048, scale=8.0)
        curves = {line.get_label(): line.get_ydata() for line in ax.lines}
        for method, words in figures.METHODS.items():
            state = figures.planes(32, 1e4, 2048, method=method, scale=8.0)
            np.testing.assert_allclose(curves[words], 2 * math.pi / state.theta)


class TestLanes:
    @pytest.mark.parametrize("head_dim", [4, 8])
    def test_lines_lead_each_feature_to_its_place(self, head_dim):
        ax = figures.layout_lanes(head_dim)
        ways = [tuple(line.get_xdata()) for line in ax.lines]
        order = rope.layout_permutation(
            head_dim, source="interleaved", target="half"
        ).tolist()
        assert ways == [(feature, place) for place, feature in enumerate(order)]

    def test_scores_of_the_overview(self):
        setting = {"head_dim": 8, "trained": "half", "runs": "interleaved"}
        ax = figures.layouts_overview(**setting, permuted=False).axes[1]
        meant, got = (line.get_ydata() for line in ax.lines)
        own = {"trained": "half", "permuted": False, "last": 8}
        np.testing.assert_array_equal(
            meant, figures.layout_scores(8, runs="half", **own)
        )
        np.testing.assert_array_equal(
            got, figures.layout_scores(8, runs="interleaved", **own)
        )


class TestContents:
    def test_scores_are_posencs(self):
        other, same = figures.content_scores(8, 30, 5)
        q, k = np.random.default_rng(0).normal(size=(2, 5, 4, 2)).reshape(2, 5, 8)
        for n in (0, 1, 30):
            turned = q @ rope.rotation_matrix(n, 8).T
            np.testing.assert_allclose(other[:, n], (turned * k).sum(1), atol=1e-9)
            np.testing.assert_allclose(same[:, n], (turned * q).sum(1), atol=1e-9)

    def test_only_content_that_is_aligned_loses_with_distance(self):
        other, same = figures.content_scores(128, 300, 2000)
        low, middle, high = np.percentile(other, (5, 50, 95), axis=0)
        assert np.ptp(middle) < 3  # of 18, the width of the band to one side
        assert np.ptp(high) < 3
        assert np.ptp(low) < 3
        mean = np.cos(rope.rotary_angles(np.arange(301.0), 128)).sum(1) * 2
        np.testing.assert_allclose(same.mean(0), mean, atol=1.5)
        assert mean[250] < mean[0] / 3

    def test_bands_are_percentiles_of_the_scores(self):
        axes = figures.spread(head_dim=16, last=40, pairs=50).axes
        for ax, scores in zip(axes, figures.content_scores(16, 40, 50), strict=True):
            low, middle, high = np.percentile(scores, (5, 50, 95), axis=0)
            np.testing.assert_array_equal(ax.lines[0].get_ydata(), middle)
            band = ax.collections[0].get_paths()[0].vertices[:, 1]
            assert (band.min(), band.max()) == (low.min(), high.max())


class TestChain:
    def test_joints_are_the_partial_sums(self):
        figure = figures.chain((0, 10, 50, 250), head_dim=128)
        for ax, n in zip(figure.axes, (0, 10, 50, 250), strict=True):
            x, y = ax.lines[2].get_data()
            sizes = np.hypot(x, y)[1:]
            mean = rope.mean_partial_sum(np.asarray([float(n)]), 128)
            assert sizes.mean() == pytest.approx(mean[0])
            score = rope.rotation_matrix(n, 128).sum()  # of a query and a key of ones
            assert 2 * x[-1] == pytest.approx(score)
            assert ax.get_title().endswith(f" {score / 2:.1f}")
            assert max(ax.lines[0].get_xdata()) == pytest.approx(x[-1])


class TestDecay:
    def test_all_three_curves_are_drawn(self):
        above, below = figures.decay(last=299).axes
        curves = figures.decay_curves("ones", 128, 1e4, 299)
        lines = {line.get_label(): line.get_ydata() for line in above.lines}
        np.testing.assert_array_equal(lines["score"], curves["score"])
        np.testing.assert_array_equal(lines["mean of $|S_j|$ (paper)"], curves["mean"])
        lines = {line.get_label(): line.get_ydata() for line in below.lines}
        np.testing.assert_array_equal(lines["true bound"], curves["bound"])
        np.testing.assert_array_equal(lines["|score|"], np.abs(curves["score"]))


class TestHelix:
    def test_shadows_are_cosine_and_sine(self):
        ax = figures.helix()
        x = np.linspace(0, 4 * math.pi, 400)
        wall, floor = ax.lines[0].get_xydata().T, ax.lines[1].get_xydata().T
        # On the wall the depth is constant, so heights are the imaginary part.
        np.testing.assert_allclose(wall[1] - wall[1][0], np.sin(x), atol=1e-9)
        # On the floor the height is constant: what moves the curve is the real part.
        np.testing.assert_allclose(
            floor[1] - floor[1][0], -0.28 * (np.cos(x) - 1), atol=1e-9
        )
