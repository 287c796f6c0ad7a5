"""Figures of the chapter on convolution: what they draw is what posenc computes."""

import numpy as np
import pytest

from posenc import t5
from posenc.convolutional import figures, grouped_convolution
from posenc.convolutional.exercises import oracle
from posenc.convolutional.figures import readouts as uneven
from posenc.core import data

#: Arguments, and what the drawing must hold: see `figure_rules`.
TAPS, IMPULSE = figures.random_taps(64, 16, 8), np.zeros((14, 4))
IMPULSE[5, 1] = 1
ANSWER = figures.convolve(IMPULSE, figures.example_taps(4, 2, 6), groups=2)
SHOWS = {
    "leaks": (
        {"seq_len": 40, "kernel": 8},
        *(figures.leak(40, TAPS, groups=16, padding=name) for name in figures.PADDINGS),
    ),
    "contrast": (
        {"kernel": 9, "reach": 14},
        *figures.scores_by_offset(9, reach=14).values(),
    ),
    "overview": (
        {"kernel": 6, "groups": 2, "channels": 4, "seq_len": 14},
        np.linalg.norm(ANSWER, axis=1),
    ),
}

SIZES = [(4, 2, 5, 9), (4, 1, 6, 9), (6, 3, 2, 7), (2, 2, 1, 6), (8, 4, 12, 7)]


def plain(x, weight, groups, before, at_end):
    """Sum over a window that begins `before` frames early; `at_end` finds a frame."""
    seq_len, channels = x.shape
    width, kernel = weight.shape[1:]
    out = np.zeros((seq_len, channels))
    for t, c in np.ndindex(seq_len, channels):
        for i, tap in np.ndindex(width, kernel):
            frame = at_end(t - before + tap)
            value = 0.0 if frame is None else x[frame, c // width * width + i]
            out[t, c] += weight[c, i, tap] * value
    return out


class TestConvolve:
    @pytest.mark.parametrize(("channels", "groups", "kernel", "seq_len"), SIZES)
    def test_all_paddings_and_crops(self, rng, channels, groups, kernel, seq_len):
        x = rng.normal(size=(seq_len, channels))
        weight = figures.example_taps(channels, groups, kernel)

        def zeros(frame):
            return frame if 0 <= frame < seq_len else None

        for crop, before in (("last", kernel // 2), ("first", (kernel - 1) // 2)):
            setting = {"groups": groups, "crop": crop}
            assert figures.window(kernel, crop=crop) == (-before, kernel - 1 - before)
            expected = plain(x, weight, groups, before, zeros)
            out = figures.convolve(x, weight, **setting)
            np.testing.assert_allclose(out, expected, atol=1e-12)
            valid = figures.convolve(x, weight, padding="valid", **setting)
            t = np.arange(seq_len)
            inner = (t >= before) & (t + kernel - 1 - before < seq_len)
            np.testing.assert_allclose(valid[inner], expected[inner], atol=1e-12)
            assert np.isnan(valid[~inner]).all()
            around = plain(x, weight, groups, before, lambda frame: frame % seq_len)
            out = figures.convolve(x, weight, padding="circular", **setting)
            np.testing.assert_allclose(out, around, atol=1e-12)


class TestLeak:
    @pytest.mark.parametrize(("channels", "groups", "kernel", "seq_len"), SIZES)
    def test_only_windows_with_zeros_differ(self, channels, groups, kernel, seq_len):
        weight = figures.example_taps(channels, groups, kernel)
        ones = np.ones((1, 60, channels))
        inner = grouped_convolution(ones, weight, groups=groups)[0, 30]
        own = grouped_convolution(ones[:, :seq_len], weight, groups=groups)[0]
        sizes = figures.leak(seq_len, weight, groups=groups)
        expected = np.sqrt(((own - inner) ** 2).sum(axis=1))
        np.testing.assert_allclose(sizes, expected, atol=1e-12)
        t = np.arange(seq_len)
        touched = (t < kernel // 2) | (t > seq_len - kernel + kernel // 2)
        np.testing.assert_array_equal(sizes > 0.1, touched)
        for padding in ("circular", "valid"):
            sizes = figures.leak(seq_len, weight, groups=groups, padding=padding)
            assert np.isfinite(sizes).sum() == seq_len - touched.sum() * (
                padding == "valid"
            )
            assert np.nanmax(sizes, initial=0) < 1e-12

    @pytest.mark.parametrize("kernel", [2, 5, 6])
    def test_informed_frames_are_those_that_differ_in_a_stack(self, rng, kernel):
        frames = np.ones((40, 8))
        known = figures.informed(40, kernel, 9)
        for layer in range(10):
            if not known[layer].all():
                inner = frames[np.argmin(known[layer])]
                differs = np.abs(frames - inner).max(axis=1) > 1e-9
                np.testing.assert_array_equal(differs, known[layer])
            taps = rng.normal(size=(8, 4, kernel)) / 4
            frames = frames + oracle.encoding(frames[None], taps, np.zeros(8), 2)[0]
        assert known[9].all() == (9 * (kernel - 1) >= 40)


class TestUnevenFrames:
    """The page's sentences on frames that differ, on other numbers."""

    @pytest.mark.slow
    def test_errors_of_the_page(self):
        nothing = uneven.border_error(np.zeros((1, uneven.SEQ_LEN)))
        assert round(nothing) == 37
        errors = {name: uneven.read_errors(kind) for name, kind in uneven.KINDS.items()}
        assert all(error < 0.1 for error in errors["all equal"].values())
        noisy = errors["common part 1, noise"]
        rounded = [round(error["counting"]) for error in errors.values()]
        assert rounded == [0, 1, 4, 11, 30]
        assert noisy["alone"] < nothing / 2 < nothing * 0.7 < noisy["random"]
        counting = [error["counting"] for error in errors.values()]
        assert counting == sorted(counting)  # slower, weaker, nothing in common: worse
        assert 0.8 * nothing < counting[-1] < 0.9 * nothing
        large = [round(error["large"]) for error in errors.values()]
        assert large == [0, 18, 19, 34, 37]
        small = [
            round(uneven.read_errors(kind, ["small counting"])["small counting"])
            for kind in uneven.KINDS.values()
        ]
        assert small == [0, 1, 4, 12, 35]
        assert errors["noise alone"]["random"] > nothing


def test_scores_are_flat_beyond_the_window_for_the_convolution_alone():
    scores = figures.scores_by_offset(9, reach=14)
    offsets = np.arange(-14, 15)
    far = np.abs(offsets) > 4
    assert all(np.isnan(values[14]) for values in scores.values())
    np.testing.assert_allclose(scores["convolution"][far], scores["convolution"][0])
    assert np.unique(scores["convolution"].round(9)[~far & (offsets != 0)]).size == 8
    assert np.unique(scores["sinusoids"].round(9)).size == 29
    # 32 buckets for both directions: distances 0 to 7 have their own, 8 to 11 share.
    before = scores["bias"][:14][::-1]
    assert np.unique(before.round(9)).size == 9
    np.testing.assert_allclose(before[8:11], before[7])
    near = offsets != 0  # all pairs have the same content: only the bias differs
    learned = np.asarray(data.load("mpnet_bias")["bias"])[:, 7]
    rest = scores["bias"] - learned[t5.relative_position_bucket(offsets)]
    np.testing.assert_allclose(rest[near], rest[0])
