"""Figures of the chapter on Shaw's vectors: what they draw is what posenc computes."""

import hashlib

import numpy as np
import pytest

from posenc import shaw
from posenc.core import data
from posenc.shaw import figures
from posenc.shaw.figures import (
    BLEU_BY_CLIP,
    BLEU_BY_PLACE,
    GRAPHS,
    facts,
)

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "cost_over_length": [
        {"forward": data.load("bench_shaw")["results"]["scaling"]["forward"]}
    ],
    "band": [{}, {"products": np.zeros((3, 3))}],
    "graph_edges": [{"name": "tree"}, {"name": "tree", "query": 2}],
    "index_arrows": [{"query": 3, "clip": 4}],
    "index_matrix": [{"index": np.zeros((2, 2), int), "clip": 0}],
    "label_matrix": [{"name": "molecule"}],
    "overview": [{}, {"view": "tree"}],
    "trained_cosines": [{"products": figures.vits_products()}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
FORWARD = data.load("bench_shaw")["results"]["scaling"]["forward"].values()
INDEX, TREE = shaw.relative_position_index(4, 4, 2), GRAPHS["tree"].matrix()
SHOWS = {
    "index_matrix": ({"index": INDEX, "clip": 2}, [str(row) for row in INDEX.ravel()]),
    "label_matrix": ({"name": "tree"}, [str(n) for n in TREE.ravel() if n >= 0]),
    "band": (
        {"products": np.arange(9.0).reshape(3, 3) - 4},
        ["−4", "−3", "−2", "−1", "0", "1", "2", "3", "4"],
        ["−3", "−2", "−2", "−1", "0", "1", "2", "2", "3"],
    ),
    "absolute_and_relative": (
        {},
        ["w₀", "w₊₁", "w₊₂", "w₋₁", "w₀", "w₊₁", "w₋₂", "w₋₁", "w₀"],
    ),
    "index_arrows": ({"query": 3, "clip": 4}, ["w₋₃", "w₋₂", "w₋₁", "w₀", "w₊₁"]),
    "graph_edges": ({"name": "tree", "query": 2}, ["3"], ["2"]),
    "bleu": ({}, np.asarray([*zip(BLEU_BY_CLIP.values(), range(7), strict=True)])),
    "cost_over_length": (
        ARGUMENTS["cost_over_length"][0],
        np.asarray([row["broadcast"]["ms"] for row in FORWARD if "broadcast" in row]),
        np.asarray([row["clipped"]["ms"] for row in FORWARD if "clipped" in row]),
    ),
    "overview": (
        {"length": 6, "clip": 1, "query": 5},
        *(["0", "1", "2"], ["w₋₁", "w₀", "w₊₁"]),
    ),
}


class TestData:
    @pytest.mark.parametrize("length", [2, 8])
    @pytest.mark.parametrize("clip", [0, 1, 2, 6, 9])
    def test_facts(self, length, clip):
        pairs = [(q, k) for q in range(length) for k in range(length)]
        assert facts(length, clip) == {
            "vectors": 2 * clip + 1,
            "offsets": len({k - q for q, k in pairs}),
            "unused": max(0, 2 * (clip - length + 1)),
            "clipped": sum(abs(k - q) > clip for q, k in pairs),
        }

    def test_scores_of_the_paper(self):
        assert list(BLEU_BY_CLIP) == [0, 1, 2, 4, 16, 64, 256]
        assert list(BLEU_BY_CLIP.values()) == [12.5, 25.5, 25.8, 25.9, 25.8, 25.9, 25.8]
        # No position at all is the same in both tables; both tables at k = 16, too.
        assert BLEU_BY_PLACE["neither"] == BLEU_BY_CLIP[0]
        assert BLEU_BY_PLACE["both"] == BLEU_BY_CLIP[16]
        assert list(BLEU_BY_PLACE.values()) == [25.8, 25.8, 25.3, 12.5]


class TestTrainedTables:
    def test_the_products_are_the_published_ones(self):
        both = [figures.vits_products(kind) for kind in ("keys", "values")]
        digest = hashlib.sha256(np.stack(both).astype("<f8").tobytes()).hexdigest()
        assert (
            digest == "386e4b8374f8149724294c1b468dea5c04db3d144fc1305923f5a18951b32b2b"
        )

    def test_cosines_compare_directions_alone(self):
        vectors = np.asarray([[2.0, 0], [0, 3], [1, 1]])
        half = np.sqrt(0.5)
        expected = [[1, 0, half], [0, 1, half], [half, half, 1]]
        np.testing.assert_allclose(figures.cosines(vectors @ vectors.T), expected)
