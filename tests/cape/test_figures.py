"""Figures of the chapter on CAPE: what they draw is what posenc computes."""

import itertools
from math import comb

import figure_rules
import numpy as np
import pytest
import torch
from torch.nn import functional as F

from posenc.cape import augmented_positions, figures
from posenc.cape.figures import (
    BLANK,
    alignments,
    collapse,
    counting_curves,
    crossings,
    ctc_probability,
    forward_sums,
    moved,
    speech_curves,
    speech_errors,
    swap_chance,
    unit_draws,
)
from posenc.sinusoidal import sinusoidal_encoding


def curve(ax, label):
    (line,) = [line for line in ax.lines if line.get_label() == label]
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


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


class TestMoved:
    @pytest.mark.parametrize("center", [True, False])
    def test_is_what_posenc_makes_of_the_same_seed(self, center):
        positions = np.cumsum(np.random.default_rng(9).uniform(0.5, 2, size=7))
        maxima = {"max_global_shift": 4.0, "max_local_shift": 0.7, "max_scale": 1.4}
        for seed in range(5):
            rng = np.random.default_rng(seed)
            want = augmented_positions(positions, rng=rng, center=center, **maxima)
            got = moved(positions, unit_draws(seed, 7), center=center, **maxima)
            np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)

    def test_longer_sequences_begin_with_the_same_jitters(self):
        short, long = unit_draws(3, 5), unit_draws(3, 9)
        assert (short.shift, short.scale) == (long.shift, long.scale)
        np.testing.assert_array_equal(short.jitter, long.jitter[:5])

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
    @pytest.mark.parametrize(
        ("path", "word"),
        [("hh–e", "he"), ("l–l", "l" * 2), ("ll", "l"), ("–––", ""), ("", "")],
    )
    def test_collapse(self, path, word):
        assert collapse(path) == word

    @pytest.mark.parametrize(("target", "frames"), [("ab", 3), ("aa", 4), ("abb", 5)])
    def test_alignments_are_all_paths_of_the_target(self, target, frames):
        found = alignments(target, frames)
        assert len(found) == len(set(found))
        assert all(len(p) == frames and collapse(p) == target for p in found)
        repeats = sum(a == b for a, b in itertools.pairwise(target))
        want = comb(frames + len(target) - repeats, 2 * len(target))
        assert len(found) == want

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

    @pytest.mark.parametrize("target", [[0, 1], [1, 1], [0], []])
    def test_sums_are_those_of_all_paths_that_are_in_a_state(self, target):
        chances = np.random.default_rng(1).dirichlet(np.ones(3), size=4)
        states = [2, *(s for symbol in target for s in (symbol, 2))]
        jumps = [
            s > 1 and states[s] not in (2, states[s - 2])
            for s in range(9)[: len(states)]
        ]
        want = np.zeros((5, len(states)))
        want[0, 0] = 1
        for frames in range(1, 5):
            for way in itertools.product(range(len(states)), repeat=frames):
                steps = itertools.pairwise((0, *way))
                if all(b - a in (0, 1) or (b - a == 2 and jumps[b]) for a, b in steps):
                    chance = np.prod([chances[t, states[s]] for t, s in enumerate(way)])
                    want[frames, way[-1]] += chance
        np.testing.assert_allclose(forward_sums(chances, target), want, rtol=1e-12)

    def test_sums_of_ones_count_paths(self):
        assert forward_sums(np.ones((3, 3)), [0, 1])[0] == [1, 0, 0, 0, 0]
        assert ctc_probability(np.ones((3, 3)), [0, 1]) == len(alignments("ab", 3))

    @pytest.mark.parametrize(("word", "frames"), [("ab", 4), ("aa", 4), ("a", 3)])
    def test_lattice_has_one_way_for_every_path(self, word, frames):
        paths = alignments(word, frames)
        ax = figures.lattice(word, frames, path=paths[0])
        edges = {
            tuple(map(int, (*line.get_xdata(), *line.get_ydata())))
            for line in ax.lines
            if line.get_linewidth() == 1 and len(line.get_xdata()) == 2
        }
        nodes = {
            (int(line.get_xdata()[0]), int(line.get_ydata()[0]))
            for line in ax.lines
            if line.get_marker() == "o"
        }
        states = BLANK + "".join(symbol + BLANK for symbol in word)
        ways = [
            way
            for way in itertools.product(range(len(states)), repeat=frames)
            if all((t, s) in nodes for t, s in enumerate(way))
            and all((t, t + 1, *way[t : t + 2]) in edges for t in range(frames - 1))
        ]
        drawn = sorted("".join(states[s] for s in way) for way in ways)
        assert drawn == sorted(paths)
        thick = next(line for line in ax.lines if line.get_linewidth() > 3)
        assert "".join(states[int(s)] for s in thick.get_ydata()) == paths[0]


class TestLaboratory:
    def test_errors_are_those_of_the_runs(self):
        runs = made_up_runs()
        found = speech_errors(runs, "linear")
        assert list(found) == [
            ("ctc", "none"), ("ctc", "sinusoidal"),
            ("decoder", "none"), ("decoder", "sinusoidal"),
        ]  # fmt: skip
        for (reader, encoding), seeds in found.items():
            assert list(seeds) == [0, 1, 2]
            for seed, errors in seeds.items():
                run = runs[f"speech-{reader}-{encoding}-linear-{seed}"]
                want = {int(n): row["error"] for n, row in run["tests"].items()}
                assert errors == want
        assert speech_errors(made_up_runs(("convolution",)), "linear") == {}

    def test_curves_are_those_of_the_runs(self):
        runs = made_up_runs()
        found = speech_curves(runs, "convolution")
        assert list(found) == list(speech_errors(runs, "convolution"))
        for (reader, encoding), seeds in found.items():
            for seed, errors in seeds.items():
                curve = runs[f"speech-{reader}-{encoding}-convolution-{seed}"]["curve"]
                assert list(errors) == curve["step"]
                assert list(errors.values()) == curve["error"]

    def test_marked_lines_are_means_and_thin_ones_the_seeds(self):
        runs = made_up_runs()
        ax = figures.speech(runs, "convolution")
        for key, label in (
            (("ctc", "none"), "CTC, nothing"),
            (("decoder", "sinusoidal"), "decoder, sinusoids"),
        ):
            seeds = speech_errors(runs, "convolution")[key]
            rows = [list(errors.values()) for errors in seeds.values()]
            lengths, mean = curve(ax, label)
            np.testing.assert_array_equal(lengths, [8, 16, 32, 64])
            np.testing.assert_allclose(mean, np.mean(rows, axis=0))
        thin = [list(line.get_ydata()) for line in ax.lines if line.get_linewidth() < 1]
        assert len(thin) == 12
        assert rows[0] in thin

    def test_counting_curves_are_those_without_an_encoding(self):
        runs = made_up_runs()
        assert counting_curves(runs) == {
            0: ([100, 200, 300], [0.1, 0.5, 0.7]),
            1: ([100, 200, 300], [0.1, 0.5, 0.7 + 1 / 10]),
        }
        ax = figures.counting(runs)
        for seed, (steps, accuracy) in counting_curves(runs).items():
            x, y = curve(ax, f"seed {seed}")
            np.testing.assert_array_equal(x, steps)
            np.testing.assert_array_equal(y, accuracy)
        assert set(curve(ax, "guessing")[1]) == {1 / 64}


class TestCurves:
    def test_swaps_show_the_formula_and_draws_near_it(self):
        ax = figures.swaps(seeds=20_000)
        maxima, chance = curve(ax, "formula")
        np.testing.assert_array_equal(chance, [swap_chance(1.0, m) for m in maxima])
        some, drawn = curve(ax, "20,000 pairs drawn")
        want = [swap_chance(1.0, m) for m in some]
        np.testing.assert_allclose(drawn, want, rtol=0, atol=0.01)
        assert drawn[0] == drawn[1] == 0

    def test_similarities_are_products_of_encodings(self):
        ax = figures.similarities(seq_len=9, d_model=8)
        positions, draws = np.arange(9.0), unit_draws(3, 9)
        for label, maxima in (
            ("as they are", {}),
            ("shifted by up to 50", {"max_global_shift": 50.0}),
            ("jittered by up to ½", {"max_local_shift": 0.5}),
            ("scaled by up to 2", {"max_scale": 2.0}),
        ):
            table = sinusoidal_encoding(moved(positions, draws, **maxima), 8)
            offsets, products = curve(ax, label)
            np.testing.assert_array_equal(offsets, np.arange(-4, 5))
            np.testing.assert_allclose(products, table @ table[4])
        as_they_are, shifted = (line.get_ydata() for line in ax.lines[:2])
        np.testing.assert_allclose(as_they_are, shifted)  # what the caption says

    def test_averages_are_weights_of_a_causal_mean(self):
        ax = figures.averages(4)
        want = [f"1/{i + 1}" if i else "1" for i in range(4) for _ in range(i + 1)]
        assert [t for t in figure_rules.texts(ax) if t] == want

    def test_overview_moves_and_counts(self):
        figure = figures.overview(seed=2, tokens=6, max_local_shift=2.0, theta=0.3)
        top, wave = figure.axes
        after = moved(
            np.arange(6.0),
            unit_draws(2, 6),
            max_global_shift=3.0,
            max_local_shift=2.0,
            max_scale=1.5,
        )
        swapped = len(crossings(np.arange(6.0), after))
        assert swapped > 1
        assert top.get_title() == f"{swapped} pairs have changed their order"
        places, sine = curve(wave, "after")
        np.testing.assert_allclose(places, after)
        np.testing.assert_allclose(sine, np.sin(0.3 * after))

    def test_opening_keeps_the_order_in_each_row(self):
        ax = figures.opening()
        rows = [line.get_xdata() for line in ax.lines if line.get_marker() == "o"]
        assert [len(row) for row in rows] == [8] * 4
        assert all((np.diff(row) > 0).all() for row in rows)
        np.testing.assert_allclose(rows[0], np.arange(8) - 3.5)
        assert len(set(np.round(rows[1] - rows[0], 9))) == 1
        assert np.abs(rows[2] - rows[1]).max() <= 0.5
        ratios = rows[3] / rows[2]
        np.testing.assert_allclose(ratios, ratios[0])
