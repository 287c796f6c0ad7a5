"""Figures of the chapter on CAPE: what they draw is what posenc computes."""

import itertools
from math import comb

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from posenc.cape import augmented_positions
from posenc.cape.figures import (
    BLANK,
    alignments,
    collapse,
    crossings,
    ctc_probability,
    moved,
    speech_errors,
    swap_chance,
    unit_draws,
)
from posenc.sinusoidal import sinusoidal_encoding


def made_up_runs(fronts=("convolution", "linear")):
    """Results as the laboratory writes them, with errors that tell them apart."""
    cases = itertools.product(
        fronts, ("ctc", "decoder"), ("sinusoidal", "none"), (0, 1, 2)
    )
    runs = {}
    for number, (front, reader, encoding, seed) in enumerate(cases):
        plan = {"reader": reader, "encoding": encoding, "front": front, "seed": seed}
        tests = {str(n): {"error": n * (number + 1) / 5000} for n in (8, 16, 32, 64)}
        name = f"speech-{reader}-{encoding}-{front}-{seed}"
        curve = {"step": [100, 200], "error": [number / 20, number / 40]}
        runs[name] = {"plan": plan, "tests": tests, "curve": curve}
    for seed in (0, 1):
        runs[f"count-none-{seed}"] = {
            "plan": {"seed": seed},
            "curve": {"step": [100, 200, 300], "accuracy": [0.1, 0.5, 0.7 + seed / 10]},
        }
    runs["count-rope-0"] = runs["copy-none-0"] = {"plan": {"seed": 0}}
    return runs


#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "counting": [{"runs": made_up_runs()}],
    "speech": [{"runs": made_up_runs(), "front": "linear"}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
SCALED = sinusoidal_encoding(moved(np.arange(9.0), unit_draws(3, 9), max_scale=2.0), 8)
MEANS = [n * 14 / 5000 for n in (8, 16, 32, 64)]
SHOWS = {
    "similarities": ({"seq_len": 9, "d_model": 8}, SCALED @ SCALED[4]),
    "averages": ({"length": 3}, ["1", "1/2", "1/2", "1/3", "1/3", "1/3"]),
    "counting": ({"runs": made_up_runs()}, np.asarray([0.1, 0.5, 0.8])),
    "speech": ({"runs": made_up_runs(), "front": "linear"}, np.asarray(MEANS)),
}


class TestMoved:
    @pytest.mark.parametrize("center", [True, False])
    def test_moved_positions_are_those_of_posenc_for_the_same_seed(self, center):
        positions = np.cumsum(np.random.default_rng(9).uniform(0.5, 2, size=7))
        maxima = {"max_global_shift": 4.0, "max_local_shift": 0.7, "max_scale": 1.4}
        for seed in range(5):
            rng = np.random.default_rng(seed)
            want = augmented_positions(positions, rng=rng, center=center, **maxima)
            got = moved(positions, unit_draws(seed, 7), center=center, **maxima)
            np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)

    def test_crossings_are_pairs_out_of_order(self):
        before = np.arange(4.0)
        assert crossings(before, before) == []
        assert crossings(before, np.asarray([0.0, 1.0, 1.0, 2.0])) == []
        assert crossings(before, np.asarray([0.0, 2.0, 1.0, 1.5])) == [(1, 2), (1, 3)]
        assert len(crossings(before, -before)) == 6

    @pytest.mark.parametrize("maximum", [0.2, 0.5, 0.6, 1.0, 3.0])
    def test_swap_chance_is_a_share_of_a_square(self, maximum):
        grid = (np.arange(1200) + 0.5) / 600 - 1
        share = (maximum * (grid[:, None] - grid) > 1.3).mean()
        assert swap_chance(1.3, maximum) == pytest.approx(share, abs=1e-3)


class TestCtc:
    @pytest.mark.parametrize(("target", "frames"), [("ab", 3), ("aa", 4), ("abb", 5)])
    def test_alignments_are_all_paths_of_the_target(self, target, frames):
        result = alignments(target, frames)
        assert len(result) == len(set(result))
        assert all(len(p) == frames and collapse(p) == target for p in result)
        repeats = sum(a == b for a, b in itertools.pairwise(target))
        want = comb(frames + len(target) - repeats, 2 * len(target))
        assert len(result) == want

    @pytest.mark.parametrize("target", [[0, 1], [1, 1], [2, 0, 2], [0], []])
    def test_probability_is_the_sum_over_paths_and_that_of_torch(self, target):
        chances = np.random.default_rng(0).dirichlet(np.ones(4), size=5)
        letters = "abc" + BLANK
        word = "".join(letters[s] for s in target)
        total = sum(
            np.prod([chances[t, s] for t, s in enumerate(path)])
            for path in itertools.product(range(4), repeat=5)
            if collapse("".join(letters[s] for s in path)) == word
        )
        got = ctc_probability(chances, target)
        assert got == pytest.approx(total, rel=1e-12)
        loss = F.ctc_loss(
            torch.tensor(chances).log()[:, None],
            torch.tensor([target], dtype=torch.long),
            torch.tensor([5]),
            torch.tensor([len(target)]),
            blank=3,
            reduction="sum",
        )
        assert got == pytest.approx(float(torch.exp(-loss)), rel=1e-9)


class TestLaboratory:
    def test_errors_are_those_of_the_runs(self):
        runs = made_up_runs()
        result = speech_errors(runs, "linear")
        assert list(result) == [
            ("ctc", "none"), ("ctc", "sinusoidal"),
            ("decoder", "none"), ("decoder", "sinusoidal"),
        ]  # fmt: skip
        for (reader, encoding), seeds in result.items():
            assert list(seeds) == [0, 1, 2]
            for seed, errors in seeds.items():
                run = runs[f"speech-{reader}-{encoding}-linear-{seed}"]
                want = {int(n): row["error"] for n, row in run["tests"].items()}
                assert errors == want
        assert speech_errors(made_up_runs(("convolution",)), "linear") == {}
