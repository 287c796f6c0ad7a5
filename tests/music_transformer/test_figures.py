"""Figures of the chapter on the skew: what they draw is what posenc computes."""

import numpy as np
import pytest

from posenc import music_transformer
from posenc.music_transformer import figures
from posenc.music_transformer.figures import (
    STEPS,
    bytes_in_words,
    memory_bytes,
    skew_frames,
    visible_part,
)

VERSIONS = [(n, masked) for n in range(1, 8) for masked in (True, False)]

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "steps": [{}, {"seq_len": 3, "masked": False, "followed": 9}],
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


def hatched(ax):
    return {(p.get_y() // 1, p.get_x() // 1) for p in ax.patches if p.get_hatch()}


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

    def test_curves_and_marks(self):
        ax = figures.memory(head_dim=16, lengths=(100, 300))
        curves = {line.get_label(): line.get_ydata() for line in ax.lines[::2]}
        names = ("vectors", "scores", "table")
        for name, (curve, marks) in zip(
            names, zip(ax.lines[::2], ax.lines[1::2], strict=True), strict=True
        ):
            for line in (curve, marks):
                want = [
                    memory_bytes(int(n), 16, 1)[name] / 1e6 for n in line.get_xdata()
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

    def test_garbage_is_hatched_on_both_sides(self):
        # 6 of 16 products belong to no key; 3 of them stay above the diagonal.
        ax = figures.opening(seq_len=4)
        assert len([p for p in ax.patches if p.get_hatch()]) == 6 + 3


class TestSteps:
    @pytest.mark.parametrize(("seq_len", "masked"), [(2, True), (4, True), (3, False)])
    def test_four_matrices_with_their_names(self, seq_len, masked):
        axes = figures.steps(seq_len=seq_len, masked=masked).axes
        frames = skew_frames(seq_len, masked=masked)
        for which, ax in enumerate(axes):
            assert placed(ax) == labels_of(frames, which)
            unwanted = {
                place
                for place, n in np.ndenumerate(frames.matrices[which])
                if n >= 0 and int(n) not in frames.wanted
            }
            assert hatched(ax) == unwanted
        titles = [ax.get_title(loc="left").replace("\n", " ") for ax in axes]
        assert titles[1:] == [f"{i}. {s}" for i, s in enumerate(STEPS[masked], 1)]

    def test_the_followed_product_has_a_thick_frame_in_each(self):
        frames = skew_frames(4)
        for ax, matrix in zip(
            figures.steps(followed=9).axes, frames.matrices, strict=True
        ):
            thick = [p for p in ax.patches if p.get_linewidth() > 2]
            places = [(p.get_y(), p.get_x()) for p in thick]
            assert places == [tuple(np.argwhere(matrix == 9)[0])]

    def test_heads_are_offsets_and_then_keys(self):
        axes = figures.steps(seq_len=3).axes
        heads = [
            [t.get_text() for t in ax.texts if t.get_position()[1] < 0] for ax in axes
        ]
        assert heads == [["−2", "−1", "0"], [], [], ["0", "1", "2"]]


def test_tape_is_the_padded_matrix_in_one_line():
    ax = figures.tape(seq_len=3)
    line = skew_frames(3).matrices[1].ravel()
    want = {(0, i): skew_frames(3).label(int(n)) for i, n in enumerate(line)}
    assert placed(ax) == want
    brackets = [tuple(np.round(curve.get_xdata()[1:3]).tolist()) for curve in ax.lines]
    before, after = [(0, 4), (4, 8), (8, 12)], [(0, 3), (3, 6), (6, 9), (9, 12)]
    assert brackets == before + after
    names = [
        t.get_text()
        for t in ax.texts
        if "row" in t.get_text() or "drop" in t.get_text()
    ]
    assert names[:7] == [
        *(f"row {i}" for i in range(3)),
        "dropped",
        "row 0",
        "row 1",
        "row 2",
    ]


def test_big_tensor_shows_the_offset_of_each_pair():
    ax = figures.big_tensor(seq_len=3)
    vectors = {
        (round(y - 0.52), round(x - 0.5, 1)): text.get_text()
        for text in ax.texts
        for x, y in [text.get_position()]
        if text.get_text().startswith("$e")
    }
    table = {
        (row, 4.9): f"$e_{{{'−21'[0] if row < 2 else ''}{2 - row}}}$"
        for row in range(3)
    }
    pairs = {
        (i, j): f"$e_{{{'−' if j < i else ''}{i - j}}}$"
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
