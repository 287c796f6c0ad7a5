"""Figures of the chapter on the skew: what they draw is what posenc computes."""

import numpy as np
import pytest

from posenc import music_transformer
from posenc.lab.tasks import BAR
from posenc.music_transformer import figures
from posenc.music_transformer.figures import (
    bytes_in_words,
    memory_bytes,
    skew_frames,
    visible_part,
)

VERSIONS = [(n, masked) for n in range(1, 8) for masked in (True, False)]

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "steps": [{}, {"seq_len": 3, "masked": False, "followed": 9}],
    "motif_accuracy": [
        {
            "shares": {
                "shaw": {64: [1.0, 0.9, 1.0], 128: [0.9, 0.8, 0.7]},
                "music_transformer": {64: [1.0, 1.0, 1.0], 128: []},
                "sinusoidal": {64: [0.8, 0.9, 0.7], 128: [0.5, 0.4, 0.3]},
                "none": {64: [0.3, 0.2, 0.2], 128: [0.2, 0.1, 0.2]},
            },
            "rules": {"copy": {64: 0.1, 128: 0.1}, "look": {64: 0.7, 128: 0.8}},
        }
    ],
}


def placed(ax):
    """Texts in the middle of whole cells, by row and column."""
    found = {}
    for text in ax.texts:
        x, y = text.get_position()
        if (x % 1, round(y % 1, 2)) == (0.5, 0.52):
            found[int(y), int(x)] = text.get_text()
    return found


def labels_of(frames, which):
    matrix = frames.matrices[which]
    return {place: frames.label(int(n)) for place, n in np.ndenumerate(matrix)}


class TestFrames:
    @pytest.mark.parametrize(("seq_len", "masked"), VERSIONS)
    def test_the_last_matrix_is_the_skew_of_the_first(self, seq_len, masked):
        frames = skew_frames(seq_len, masked=masked)
        products = np.random.default_rng(0).normal(size=(seq_len, frames.columns))
        skew = music_transformer.skew if masked else music_transformer.skew_unmasked
        shown = frames.matrices[-1]
        got = np.where(shown < 0, 0.0, products.ravel()[np.maximum(shown, 0)])
        np.testing.assert_array_equal(got, skew(products))

    @pytest.mark.parametrize(("seq_len", "masked"), VERSIONS)
    def test_each_step_does_what_it_is_called(self, seq_len, masked):
        frames = skew_frames(seq_len, masked=masked)
        products, padded, reshaped, _ = frames.matrices
        columns = frames.columns
        assert padded.shape == (seq_len, columns + 1)
        zeros = padded[:, 0] if masked else padded[:, -1]
        assert (zeros < 0).all()
        kept = padded[:, 1:] if masked else padded[:, :-1]
        np.testing.assert_array_equal(kept, products)
        assert reshaped.shape == (seq_len + 1, columns)
        line, added = np.split(reshaped.ravel(), [padded.size])
        np.testing.assert_array_equal(line, padded.ravel())
        assert len(added) == (0 if masked else seq_len - 1)
        assert (added < 0).all()

    @pytest.mark.parametrize(("seq_len", "masked"), VERSIONS)
    def test_every_number_is_there_once(self, seq_len, masked):
        for matrix in skew_frames(seq_len, masked=masked).matrices:
            assert len(np.unique(matrix)) == matrix.size

    @pytest.mark.parametrize(("seq_len", "masked"), VERSIONS)
    def test_wanted_are_the_products_of_a_query_with_the_offsets_it_meets(
        self, seq_len, masked
    ):
        frames = skew_frames(seq_len, masked=masked)
        want = {
            i * frames.columns + (j - i + seq_len - 1)
            for i in range(seq_len)
            for j in range(i + 1 if masked else seq_len)
        }
        assert frames.wanted == want

    def test_labels_name_query_and_column(self):
        frames = skew_frames(3, masked=False)
        assert [frames.label(n) for n in (0, 4, 5, 14, -1)] == [
            "a0",
            "a4",
            "b0",
            "c4",
            "0",
        ]


class TestMemory:
    @pytest.mark.parametrize(
        "setting", [(5, 12, 3, 2, 4), (7, 8, 1, 1, 8), (2, 4, 4, 3, 2)]
    )
    def test_bytes_are_those_of_arrays(self, setting):
        seq_len, d_model, heads, layers, size = setting
        d, dtype = d_model // heads, f"f{size}"
        arrays = {
            "vectors": np.empty((layers, heads, seq_len, seq_len, d), dtype),
            "table": np.empty((layers, heads, seq_len, d), dtype),
            "scores": np.empty((layers, heads, seq_len, seq_len), dtype),
        }
        got = memory_bytes(seq_len, d_model, heads, num_layers=layers, itemsize=size)
        assert got == {name: array.nbytes for name, array in arrays.items()}

    @pytest.mark.parametrize(
        ("count", "words"),
        [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.00 kB"),
            (524288, "524 kB"),
            (4194304, "4.19 MB"),
            (16777216, "16.8 MB"),
            (999_600_000, "1.00 GB"),
            (8589934592, "8.59 GB"),
            (1e19, "10000 PB"),
        ],
    )
    def test_bytes_in_words_have_three_digits(self, count, words):
        assert bytes_in_words(count) == words

    @pytest.mark.parametrize(
        ("length", "printed"),
        [(650, (108, 0.17, 1.7)), (2048, (1100, 0.52, 17)), (3500, (3100, 0.90, 49))],
    )
    def test_megabytes_of_a_head_are_those_of_the_papers_table(self, length, printed):
        # Two digits; the paper prints 16 where the scores of 2,048 tokens take 16.8.
        found = memory_bytes(length, 64, 1)
        for name, want in zip(("vectors", "table", "scores"), printed, strict=True):
            assert f"{found[name] / 1e6:.1e}" == f"{want:.1e}"

    def test_curves_and_marks(self):
        model = {"d_model": 16, "num_heads": 2, "num_layers": 3, "itemsize": 2}
        ax = figures.memory(lengths=(100, 300), **model)
        curves = {line.get_label(): line.get_ydata() for line in ax.lines[::2]}
        names = ("vectors", "scores", "table")
        for name, (curve, marks) in zip(
            names, zip(ax.lines[::2], ax.lines[1::2], strict=True), strict=True
        ):
            for line in (curve, marks):
                want = [
                    memory_bytes(int(n), **model)[name] / 1e6 for n in line.get_xdata()
                ]
                np.testing.assert_allclose(line.get_ydata(), want)
            assert list(marks.get_xdata()) == [100, 300]
        assert len(curves) == 3


class TestOpening:
    def test_products_on_the_left_scores_on_the_right(self):
        ax = figures.opening(seq_len=4)
        frames, shift = skew_frames(4), 4 + 2.6
        left = {place: label for place, label in placed(ax).items() if place[1] < 4}
        assert left == labels_of(frames, 0)
        right = {
            (int(y), round(x - shift - 0.5)): text.get_text()
            for text in ax.texts
            for x, y in [text.get_position()]
            if x > shift and 0 < y < 4
        }
        assert right == labels_of(frames, 3)


class TestSteps:
    @pytest.mark.parametrize(("seq_len", "masked"), [(2, True), (4, True), (3, False)])
    def test_four_matrices_have_their_labels(self, seq_len, masked):
        axes = figures.steps(seq_len=seq_len, masked=masked).axes
        frames = skew_frames(seq_len, masked=masked)
        for which, ax in enumerate(axes):
            assert placed(ax) == labels_of(frames, which)


def test_tape_is_the_padded_matrix_in_one_line():
    ax = figures.tape(seq_len=3)
    line = skew_frames(3).matrices[1].ravel()
    want = {(0, i): skew_frames(3).label(int(n)) for i, n in enumerate(line)}
    assert placed(ax) == want


@pytest.mark.parametrize("seq_len", [2, 3, 5])
def test_view_is_the_line_of_products(seq_len):
    ax, frames = figures.view(seq_len=seq_len), skew_frames(seq_len)
    line = frames.matrices[0].ravel()
    assert placed(ax) == {(0, i): frames.label(int(n)) for i, n in enumerate(line)}


class TestMusic:
    def test_every_bar_is_the_tune_from_another_note(self):
        bars = np.array(figures.melody()).reshape(-1, BAR)
        assert len(set(bars[:, 0])) == len(bars) == 4
        steps = np.diff(bars, axis=1)
        assert (steps == steps[0]).all()

    def test_the_note_of_the_page_is_three_steps_above_the_last_one(self):
        notes = figures.melody()
        assert notes[28 - 8] - notes[28 - 9] == 3
        assert notes[27:29] == [6, 9]

    def test_a_mark_for_each_seed_and_a_line_for_the_mean(self):
        shares = {
            "shaw": {64: [0.5, 0.7], 128: [0.25, 0.35]},
            "music_transformer": {64: [0.9], 128: []},
        }
        ax = figures.motif_accuracy(shares, {"copy": {64: 0.1, 128: 0.2}})
        drawn = {line.get_label(): line.get_xydata().tolist() for line in ax.lines}
        np.testing.assert_allclose(
            drawn["Shaw, clipped at 16"], [[64, 0.6], [128, 0.3]]
        )
        assert drawn["Music Transformer"] == [[64, 0.9]]
        marks = [line for line in ax.lines if line.get_markerfacecolor() == "none"]
        seeds = sorted(tuple(xy) for mark in marks for xy in mark.get_xydata().tolist())
        assert seeds == [(64, 0.5), (64, 0.7), (64, 0.9), (128, 0.25), (128, 0.35)]
        assert [[64, 0.1], [128, 0.2]] in [m.get_xydata().tolist() for m in ax.lines]


def test_big_tensor_shows_the_offset_of_each_pair():
    ax = figures.big_tensor(seq_len=3)
    vectors = {
        (round(y - 0.52), round(x - 0.5, 1)): text.get_text()
        for text in ax.texts
        for x, y in [text.get_position()]
        if text.get_text().startswith("$w")
    }
    table = {
        (row, 4.9): f"$w_{{{'−21'[0] if row < 2 else ''}{2 - row}}}$"
        for row in range(3)
    }
    pairs = {
        (i, j): f"$w_{{{'−' if j < i else ''}{i - j}}}$"
        for i in range(3)
        for j in range(i + 1)
    }
    assert vectors == {**pairs, **table}


class TestLocal:
    @pytest.mark.parametrize("block", [1, 2, 3, 5])
    def test_own_block_up_to_the_query_and_the_block_before(self, block):
        for q, k in np.ndindex(4 * block, 4 * block):
            want = ""
            if k <= q and k // block == q // block:
                want = "own"
            elif k // block == q // block - 1:
                want = "before"
            assert visible_part(q, k, block) == want

    def test_map_writes_them_into_its_cells(self):
        want = {
            (q, k): visible_part(q, k, 2)[0]
            for q, k in np.ndindex(6, 6)
            if visible_part(q, k, 2)
        }
        assert placed(figures.local_map(block=2, num_blocks=3)) == want

    def test_windows_sort_the_products_by_key(self):
        block, low = 3, 3 + 4.4
        ax = figures.local_windows(block=block)
        letters = "abc"
        cells = {}
        for text in ax.texts:
            x, y = text.get_position()
            if y > low and x > 0:
                cells[int(y - low), int(x)] = text.get_text()
        for i in range(block):
            for c in range(block + i + 1):  # the offset of key c - B is c - B - i
                assert cells[i, c] == f"{letters[i]}{c - block - i + 2 * block - 1}"
        assert cells[0, 4] == cells[1, 5] == "0"  # the pad
        assert len(cells) == 18
