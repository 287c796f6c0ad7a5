"""Figures of the chapter on ALiBi: what they draw is what posenc computes."""

import math
import re
from pathlib import Path

import figure_rules
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from posenc import t5
from posenc.alibi import alibi_reach, alibi_slopes, figures
from posenc.alibi.figures import (
    DEEPEST,
    SHARES,
    far_share,
    head_view,
    learned_bias,
    measured_reach,
    needed_score,
    prior,
    to_bfloat16,
    worst_far_share,
)
from posenc.core import data
from posenc.t5.figures import BIAS_COLORS

PAGE = Path(__file__).parents[2] / "book/alibi.md"

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "slope_dots": [{"num_heads": 12}],
    "worst_shares": [{"slope": 1 / 8}],
}


def curve(ax, label):
    (line,) = [line for line in ax.lines if line.get_label() == label]
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


class TestData:
    @pytest.mark.parametrize("causal", [True, False])
    def test_view_of_a_head(self, causal):
        view = head_view(6, 5, 9, causal=causal)
        query = 8 if causal else 4
        np.testing.assert_array_equal(view.offsets, np.arange(9) - query)
        bias = -0.5 * np.abs(np.arange(9) - query)  # head 5 of 6: 1/2
        np.testing.assert_allclose(view.bias, bias)
        np.testing.assert_allclose(view.weights, np.exp(bias) / np.exp(bias).sum())
        learned = view.t5_bias
        np.testing.assert_array_equal(learned, learned_bias(view.offsets))
        np.testing.assert_allclose(view.t5_weights, prior(learned))

    def test_learned_bias_is_that_of_head_7_of_mpnet(self):
        column = np.asarray(data.load("mpnet_bias")["bias"])[:, 7]
        offsets = np.arange(-300, 301)
        want = column[t5.relative_position_bucket(offsets)]
        np.testing.assert_array_equal(learned_bias(offsets), want)

    def test_last_bucket_begins_where_the_learned_bias_stops_changing(self):
        past = learned_bias(-np.arange(300))
        assert np.flatnonzero(np.diff(past))[-1] + 1 == figures.LAST_BUCKET == 91

    @pytest.mark.parametrize("length", [1, 8, 200])
    def test_measured_reach_is_the_formula(self, length):
        for head in (1, 4, 8):
            view = head_view(8, head, length)
            slope = float(alibi_slopes(8)[head - 1])
            for share in SHARES:
                got = measured_reach(view.weights, view.offsets, share)
                assert got == alibi_reach(slope, share, k_len=length)

    def test_measured_reach_adds_both_sides(self):
        weights, offsets = np.asarray([0.1, 0.2, 0.4, 0.25, 0.05]), np.arange(-2, 3)
        reach = [measured_reach(weights, offsets, p) for p in (0.3, 0.5, 0.84, 0.86)]
        assert reach == [0, 1, 1, 2]

    @pytest.mark.parametrize(
        ("slope", "distance", "k_len"), [(0.5, 3, 9), (0.0, 5, 6), (2**-8, 100, 300)]
    )
    def test_needed_score_gives_half(self, slope, distance, k_len):
        scores = np.zeros(k_len)
        scores[distance] = needed_score(slope, distance, k_len)
        weights = prior(scores - slope * np.arange(k_len))
        assert weights[distance] == pytest.approx(0.5)

    @pytest.mark.parametrize("bound", [0.0, 1.0, 3.0])
    def test_worst_share_is_that_of_the_worst_scores(self, bound):
        for slope, distance in ((0.5, 4), (0.1, 0), (0.1, 30)):
            far = np.arange(4000) > distance
            scores = np.where(far, bound, -bound) - slope * np.arange(4000)
            want = prior(scores)[far].sum()
            assert worst_far_share(slope, distance, bound) == pytest.approx(want)

    def test_far_share(self):
        assert far_share(np.zeros(10), 3) == pytest.approx(0.6)

    def test_bfloat16_is_that_of_torch(self):
        rng = np.random.default_rng(0)
        values = np.concatenate(
            [rng.normal(scale=10.0**n, size=500) for n in range(-5, 6)]
            + [np.arange(-1030.0, 1030.0, 0.5), [0.0, -0.0]]
        )
        wanted = torch.tensor(values, dtype=torch.float32).bfloat16().float().numpy()
        got = to_bfloat16(values)
        assert got.dtype == np.float32
        np.testing.assert_array_equal(got, wanted)


class TestSlopes:
    def test_dots_are_the_slopes_and_diamonds_are_appended(self):
        ax = figures.slope_dots(12, head=10)
        heads, slopes = curve(ax, "8 heads")
        np.testing.assert_array_equal(heads, np.arange(1, 9))
        np.testing.assert_array_equal(slopes, alibi_slopes(12)[:8])
        heads, slopes = curve(ax, "every other slope of 16")
        np.testing.assert_array_equal(heads, np.arange(9, 13))
        np.testing.assert_array_equal(slopes, alibi_slopes(12)[8:])


class TestReaches:
    def test_bars_end_at_the_reach(self):
        ax = figures.reaches(8)
        slopes = alibi_slopes(8).tolist()
        for bars, share in zip(ax.containers, SHARES[::-1], strict=True):
            ends = [bar.get_x() + bar.get_width() for bar in bars]
            want = [alibi_reach(slope, share) + 1 for slope in slopes]
            np.testing.assert_allclose(ends, want)
        assert figure_rules.texts(ax) == [
            f"{alibi_reach(slope, 0.99):,}" for slope in slopes
        ]


class TestCurves:
    def test_worst_shares(self):
        ax = figures.worst_shares(1 / 8, last=50)
        for bound, label in ((0.0, "equal scores"), (2.0, "scores from −2 to 2")):
            distances, values = curve(ax, label)
            want = [worst_far_share(1 / 8, int(d), bound) for d in distances]
            np.testing.assert_array_equal(values, want)
            np.testing.assert_array_equal(distances, np.arange(51))

    def test_best_head_is_below_all_and_within_the_theorem(self):
        ax = figures.needed_scores(8, last=200)
        distances, best = curve(ax, "best head")
        each = np.asarray([line.get_ydata() for line in ax.lines[:8]])
        np.testing.assert_array_equal(best, each.min(axis=0))
        for slope, row in zip(alibi_slopes(8).tolist(), each, strict=True):
            want = [needed_score(slope, int(d), 400) for d in distances]
            np.testing.assert_allclose(row, want)
        _, none = curve(ax, "no bias")
        np.testing.assert_allclose(none, math.log(399))

    def test_staircase_and_lines(self):
        ax = figures.against_t5(last=150)
        distances, bias = curve(ax, "a head of MPNet")
        np.testing.assert_array_equal(bias, learned_bias(-distances))
        slopes = [-line.get_ydata()[1] / line.get_xdata()[1] for line in ax.lines[:8]]
        np.testing.assert_allclose(slopes, alibi_slopes(8))

    def test_far_shares(self):
        ax = figures.far_shares()
        lengths, stairs = curve(ax, "head of MPNet")
        _, line = curve(ax, "ALiBi, slope 1/256")
        for n, a, b in zip(lengths, stairs, line, strict=True):
            distances = np.arange(n)
            assert a == pytest.approx(prior(learned_bias(-distances))[91:].sum())
            assert b == pytest.approx(prior(-distances / 256)[91:].sum())
        assert stairs[-1] > 0.99 > 0.71 > line[-1]

    def test_rounding_shows_both_forms(self):
        top, bottom = figures.rounding(0.5, query=1000, keys=10).axes
        j = np.arange(991, 1001)
        keys, own = curve(top, "m · (j − i)")
        np.testing.assert_array_equal(keys, j)
        np.testing.assert_array_equal(own, 0.5 * (j - 1000))
        _, row = curve(top, "m · j")
        want = torch.tensor(0.5 * j).bfloat16().double().numpy() - 500
        np.testing.assert_array_equal(row, want)
        _, factors = curve(bottom, "m · j")
        np.testing.assert_allclose(factors, np.exp(want))


class TestOverview:
    @pytest.mark.parametrize("causal", [True, False])
    def test_four_pictures_of_one_head(self, causal):
        figure = figures.overview(num_heads=12, head=9, length=40, causal=causal)
        lines, weights = figure.axes[2:4]
        view = head_view(12, 9, 40, causal=causal)
        np.testing.assert_array_equal(curve(lines, "ALiBi")[1], view.bias)
        np.testing.assert_array_equal(curve(lines, "MPNet")[1], view.t5_bias)
        np.testing.assert_array_equal(curve(weights, "ALiBi")[1], view.weights)
        ends = {line.get_xdata()[0] for line in weights.lines[2:]}
        reach = [measured_reach(view.weights, view.offsets, p) for p in SHARES]
        assert ends == {s * d for d in reach for s in ((-1,) if causal else (-1, 1))}

    def test_heat_maps_of_all_heads_have_one_scale(self):
        for head, slope in enumerate(alibi_slopes(8).tolist(), start=1):
            figure = figures.overview(head=head)
            drawn = figure.axes[1].collections[0].get_array()[-1]  # the last query
            wanted = 0.5 - slope * np.arange(12)[::-1] / (2 * -DEEPEST)
            np.testing.assert_array_equal(drawn, mpl.colormaps[BIAS_COLORS](wanted))
            plt.close(figure)


def test_what_the_page_says_of_pictures_holds_in_the_dark_theme():
    cells = [c.split("```")[0] for c in PAGE.read_text("utf-8").split("```{code-cell}")]
    cells = [cell for cell in cells if "Themed(" in cell]
    assert len(cells) > 8
    for cell in cells:  # what is dark in one theme is pale in the other
        assert not re.search(r"\b(dark|pale|bright|light(er)?\b|black|white)", cell)


def test_opening_shades_by_the_factor():
    ax = figures.opening()
    alphas = np.asarray([patch.get_alpha() for patch in ax.patches]).reshape(4, -1)
    offsets = np.arange(1 - alphas.shape[1], 1)
    for row, head in zip(alphas, (1, 3, 5, 8), strict=True):
        factors = np.exp(float(alibi_slopes(8)[head - 1]) * offsets)
        np.testing.assert_allclose(row, np.maximum(factors, 0.04))
