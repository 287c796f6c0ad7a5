"""Figures of the chapter on convolution: what they draw is what posenc computes."""

import numpy as np
import pytest

from posenc import t5
from posenc.convolutional import figures, gelu, grouped_convolution
from posenc.convolutional.exercises import oracle
from posenc.convolutional.figures import readouts as uneven
from posenc.core import data

TAPS = figures.random_taps(64, 16, 8)
IMPULSE = np.zeros((14, 4))
IMPULSE[5, 1] = 1
IMPULSE = figures.convolve(IMPULSE, figures.example_taps(4, 2, 6), groups=2)


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

    def test_zeros_are_posencs_own(self, rng):
        x, weight = rng.normal(size=(9, 6)), figures.example_taps(6, 3, 4)
        expected = grouped_convolution(x[None], weight, groups=3)[0]
        np.testing.assert_array_equal(
            figures.convolve(x, weight, groups=3, padding="zeros"), expected
        )

    def test_no_made_up_tap_is_near_zero(self):
        taps = figures.example_taps()
        assert taps.shape == (8, 8, 12)
        assert (np.abs(taps) >= 0.2).all()
        np.testing.assert_array_equal(taps[:4, :2, :3], figures.example_taps(4, 2, 3))


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

    @pytest.mark.parametrize("kernel", [4, 5])
    def test_border_distance_is_zero_inside_and_counts_outside(self, kernel):
        inner = [0.0] * (12 - kernel + 1)
        left = [float(t) for t in range(-(kernel // 2), 0)]
        right = [float(t) for t in range(1, kernel - kernel // 2)]
        distance = figures.border_distance(12, kernel)
        np.testing.assert_array_equal(distance, left + inner + right)

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

    def test_new_taps_have_the_variance_of_fairseq(self):
        taps = figures.random_taps(64, 4, 128)
        assert taps.shape == (64, 16, 128)
        assert taps.std() == pytest.approx((4 / (128 * 64)) ** 0.5, rel=0.01)


class TestUnevenFrames:
    """The page's sentences on frames that differ, on other numbers."""

    def test_frames_are_as_described(self):
        kind = uneven.Kind(0.3, 2, 0.9)
        x = uneven.draw_frames(kind, 40, np.random.default_rng(5))
        assert x.mean() == pytest.approx(0.3, abs=0.02)
        assert x.std() == pytest.approx(2, rel=0.01)
        noise = x - 0.3
        alike = (noise[:, 1:] * noise[:, :-1]).mean() / noise.var()
        assert alike == pytest.approx(0.9, abs=0.01)

    @pytest.mark.parametrize("layer", uneven.LAYERS)
    def test_transforms_are_the_convolution(self, rng, layer):
        x = rng.normal(size=(2, uneven.SEQ_LEN, uneven.CHANNELS))
        taps = uneven.LAYERS[layer]
        expected = grouped_convolution(x, taps, groups=uneven.GROUPS)
        np.testing.assert_allclose(uneven.many(x, taps), expected, atol=1e-9)

    def test_layers_are_compared_at_both_sizes(self):
        size = {name: np.linalg.norm(taps) for name, taps in uneven.LAYERS.items()}
        assert size["large"] == pytest.approx(size["counting"])
        assert size["small counting"] == pytest.approx(size["random"])
        assert round(size["large"] / size["random"], 1) == 2.8

    def test_counting_taps_sum_the_frames_before_and_after(self):
        ones = np.ones((1, uneven.SEQ_LEN, uneven.CHANNELS))
        y = uneven.many(ones, uneven.counting_taps())[0]
        t = np.arange(uneven.SEQ_LEN)
        first = uneven.SEQ_LEN - 1 - t
        np.testing.assert_allclose(y[:, 0], np.minimum(t, 64), atol=1e-9)
        np.testing.assert_allclose(y[:, 1], np.minimum(first, 63), atol=1e-9)
        assert (np.abs(y[:, 2:8]) < 1e-9).all()

    @pytest.mark.parametrize(("mu", "sigma"), [(1, 1), (2, 0.5), (1, 0)])
    def test_a_sum_counts_with_the_error_of_the_formula(self, rng, mu, sigma):
        x = mu + sigma * rng.normal(size=(20_000, 64))
        for t in (1, 9, 64):
            read = x[:, :t].sum(axis=1) / mu
            result = np.sqrt(((read - t) ** 2).mean())
            assert result == pytest.approx(sigma / mu * t**0.5, rel=0.03)

    def test_a_linear_function_is_fitted_on_other_sequences(self, rng):
        right = figures.border_distance(uneven.SEQ_LEN, uneven.KERNEL)
        count = uneven.FITTED + uneven.TESTED
        z = rng.normal(size=(count, uneven.SEQ_LEN, uneven.CHANNELS))
        z[:, :, 3] = right / 7 + 2
        distance = uneven.read(z)
        expected = np.tile(right, (uneven.TESTED, 1))
        np.testing.assert_allclose(distance, expected, atol=1e-9)
        z[uneven.FITTED :, :, 3] = 0  # the last sequences are the test
        assert uneven.border_error(uneven.read(z)) > 30

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

    @pytest.mark.slow
    def test_more_sequences_make_errors_smaller_by_up_to_a_tenth(self, monkeypatch):
        few = uneven.read_errors(uneven.KINDS["common part 0.3, slow noise"])
        monkeypatch.setattr(uneven, "FITTED", 300)
        many = uneven.read_errors(uneven.KINDS["common part 0.3, slow noise"])
        for name, error in many.items():
            assert 0.9 * few[name] < error < few[name]

    @pytest.mark.parametrize("channels", [2, 128])
    def test_an_average_over_channels_counts_better(self, rng, channels):
        sums = rng.normal(64, 8, size=(4000, channels))  # sigma = mu, t = 64
        error = np.sqrt(((sums.mean(axis=1) - 64) ** 2).mean())
        assert error == pytest.approx(8 / channels**0.5, rel=0.05)
        assert channels == 2 or error < 0.75

    def test_without_a_common_part_only_the_gelu_helps(self):
        x, y = uneven.outputs(uneven.KINDS["noise alone"], "counting")
        nothing = uneven.border_error(np.zeros((1, uneven.SEQ_LEN)))
        assert uneven.border_error(uneven.read(x + gelu(y))) < 0.9 * nothing
        assert uneven.border_error(uneven.read(x + y)) > nothing
        # sums of more frames are larger in size, and larger on average after the GELU
        sums = y[:, :, 0::8]
        early, inner = sums[:, 5:15], sums[:, 70:110]
        assert np.abs(early).mean() < 0.7 * np.abs(inner).mean()
        assert gelu(early).mean() < 0.7 * gelu(inner).mean()


def test_far_frames_keep_their_score_wherever_their_windows_stand(rng):
    weight = rng.normal(size=(4, 2, 6))
    first, second = rng.normal(size=(2, 6, 4))
    w_q, w_k = rng.normal(size=(2, 4, 4))
    scores = []
    for start, end in ((0, 6), (3, 20), (31, 2), (34, 13)):
        x = rng.normal(size=(40, 4))
        x[start : start + 6], x[end : end + 6] = first, second
        z = x + gelu(figures.convolve(x, weight, groups=2))
        scores.append(z[start + 3] @ w_q @ w_k.T @ z[end + 3])  # 3 frames before
    np.testing.assert_allclose(scores, scores[0])
    x[start] += 1  # one frame of a window
    z = x + gelu(figures.convolve(x, weight, groups=2))
    assert not np.isclose(z[start + 3] @ w_q @ w_k.T @ z[end + 3], scores[0])


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
