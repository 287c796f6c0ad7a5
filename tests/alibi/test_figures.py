"""Figures of the chapter on ALiBi: what they draw is what posenc computes."""

import numpy as np
import pytest
import torch

from posenc.alibi import alibi_reach, alibi_slopes
from posenc.alibi.figures import (
    head_view,
    learned_bias,
    needed_score,
    prior,
    to_bfloat16,
    worst_far_share,
)

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "slope_dots": [{"num_heads": 12}],
    "worst_shares": [{"slope": 1 / 8}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
VIEW, BFLOAT16 = head_view(12, 9, 40), 0.5 * np.arange(991, 1001)
FAR = [f"{alibi_reach(slope, 0.99):,}" for slope in alibi_slopes(8).tolist()]
SHOWS = {
    "slope_dots": ({"num_heads": 12}, alibi_slopes(12)[:8], alibi_slopes(12)[8:]),
    "worst_shares": (
        {"slope": 1 / 8, "last": 50},
        np.asarray([worst_far_share(1 / 8, n, 2.0) for n in range(51)]),
    ),
    "against_t5": ({"last": 150}, learned_bias(-np.arange(151))),
    "rounding": (
        {"slope": 0.5, "query": 1000, "keys": 10},
        BFLOAT16 - 500,
        to_bfloat16(BFLOAT16) - 500,
    ),
    "reaches": ({}, FAR),
    "overview": (
        {"num_heads": 12, "head": 9, "length": 40},
        *(VIEW.bias, VIEW.t5_bias, VIEW.weights),
    ),
}


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

    def test_bfloat16_is_that_of_torch(self):
        rng = np.random.default_rng(0)
        values = np.concatenate(
            [rng.normal(scale=10.0**n, size=500) for n in range(-5, 6)]
            + [np.arange(-1030.0, 1030.0, 0.5), [0.0, -0.0]]
        )
        expected = torch.tensor(values, dtype=torch.float32).bfloat16().float().numpy()
        got = to_bfloat16(values)
        assert got.dtype == np.float32
        np.testing.assert_array_equal(got, expected)
