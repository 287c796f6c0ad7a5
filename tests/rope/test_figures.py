"""Figures of the chapter on rotary embedding: they draw what posenc computes."""

import math

import numpy as np
import pytest

from posenc import rope
from posenc.rope import figures

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

#: Arguments, and what the drawing must hold: see `figure_rules`.
PLANES = figures.planes(32, 1e4, 2048, method="yarn", scale=8.0)
CURVES = figures.decay_curves("ones", 128, 1e4, 299)
LAYOUTS = {"trained": "half", "runs": "interleaved", "permuted": False}
ANGLES = np.radians(55 + 30 * np.arange(-12, 13))  # q stands at 20 and k at 75 degrees
SHOWS = {
    "score_curve": ({"step": 30.0, "chosen": 2}, 0.8 * np.cos(ANGLES)),
    "wavelengths": (
        {"head_dim": 32, "base": 1e4, "trained_len": 2048, "scale": 8.0},
        2 * math.pi / PLANES.theta,
    ),
    "layouts_overview": (
        {"head_dim": 8} | LAYOUTS,
        figures.layout_scores(8, last=8, **LAYOUTS),
    ),
    "decay": (
        {"last": 299},
        *(CURVES["score"], CURVES["mean"], CURVES["bound"], np.abs(CURVES["score"])),
    ),
    "spread": (
        {"head_dim": 16, "last": 40, "pairs": 50},
        *(np.median(some, axis=0) for some in figures.content_scores(16, 40, 50)),
    ),
}


class TestData:
    @pytest.mark.parametrize("method", figures.METHODS)
    @pytest.mark.parametrize("head_dim", [8, 64])
    def test_planes_have_the_angles_of_posenc(self, method, head_dim):
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

    def test_a_hand_is_new_beyond_its_trained_angles(self):
        for distance in (2048, 2049, 4096):
            state = figures.planes(64, 10_000.0, 2048, distance=distance)
            slow = 2048 * state.theta < 2 * math.pi
            # One round back would be needed to be where training was.
            turned_past = distance * state.theta < 2 * math.pi
            expected = slow & turned_past & (distance > 2048)
            np.testing.assert_array_equal(state.new[-8:], expected[-8:])
        assert not figures.planes(64, 1e4, 2048, distance=2048).new.any()

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


class TestContents:
    def test_scores_are_posencs(self):
        other, same = figures.content_scores(8, 30, 5)
        q, k = np.random.default_rng(0).normal(size=(2, 5, 4, 2)).reshape(2, 5, 8)
        for n in (0, 1, 30):
            turned = q @ rope.rotation_matrix(n, 8).T
            np.testing.assert_allclose(other[:, n], (turned * k).sum(1), atol=1e-9)
            np.testing.assert_allclose(same[:, n], (turned * q).sum(1), atol=1e-9)
