"""Figures of the chapter on the skew: what they draw is what posenc computes."""

import numpy as np
import pytest

from posenc import music_transformer
from posenc.music_transformer.figures import (
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

#: Arguments, and what the drawing must hold: see `figure_rules`.
FRAMES, NINE = (
    skew_frames(3, masked=False),
    ["a0", "a1", "a2", "b0", "b1", "b2", "c0", "c1", "c2"],
)
BYTES = [memory_bytes(n, 16, 2, num_layers=3)["table"] / 1e6 for n in (100, 300)]
SHOWS = {
    "steps": (
        {"seq_len": 3, "masked": False},
        *([FRAMES.label(int(n)) for n in m.ravel()] for m in FRAMES.matrices),
    ),
    "opening": ({"seq_len": 3}, NINE),
    "tape": ({"seq_len": 3}, ["0", *NINE[:3], "0", *NINE[3:6], "0", *NINE[6:]]),
    "view": ({"seq_len": 3}, NINE),
    "big_tensor": ({"seq_len": 2}, ["$w_{0}$", "$w_{−1}$", "$w_{0}$"]),
    "local_map": ({"block": 2, "num_blocks": 2}, [*"ooobbobboo"]),
    "local_windows": ({"block": 2}, ["a1", "a2", "a3", "b0", "b1", "b2", "b3"]),
    "memory": (
        {"lengths": (100, 300), "d_model": 16, "num_heads": 2, "num_layers": 3},
        np.asarray(BYTES),
    ),
}


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
        ("length", "printed"),
        [(650, (108, 0.17, 1.7)), (2048, (1100, 0.52, 17)), (3500, (3100, 0.90, 49))],
    )
    def test_megabytes_of_a_head_are_those_of_the_papers_table(self, length, printed):
        # Two digits; the paper prints 16 where the scores of 2,048 tokens take 16.8.
        result = memory_bytes(length, 64, 1)
        for name, want in zip(("vectors", "table", "scores"), printed, strict=True):
            assert f"{result[name] / 1e6:.1e}" == f"{want:.1e}"


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
