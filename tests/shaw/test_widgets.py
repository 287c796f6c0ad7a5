"""The widget of the chapter on Shaw, on the side of Python: module, page, traits."""

import numpy as np
import pytest
from figure_rules import drawn

from posenc import shaw
from posenc.kit.widgets import base as _base
from posenc.shaw.figures import GRAPHS, TWELVE_WORDS, vector_name
from posenc.shaw.widgets import MAX_CLIP, MAX_LENGTH, VIEWS, RelativeVectors


@pytest.fixture(scope="module")
def bundle():
    """What a notebook stores of the widget that is shown."""
    return RelativeVectors()._repr_mimebundle_()[0]


class TestPage:
    def test_alt_and_picture_follow_the_setting(self):
        default = RelativeVectors().picture()
        short = RelativeVectors(length=3, query=9).picture()
        tree = RelativeVectors(view="tree", query=9).picture()
        assert "3 queries" in short.alt
        assert "query 2" in short.alt  # the last one there is
        assert "labels of a tree with 6 nodes" in tree.alt
        assert "node 5" in tree.alt
        pictures = {drawn(p) for p in (default, short, tree)}
        assert len(pictures) == 3


class TestRelativeVectors:
    @pytest.mark.parametrize("clip", range(MAX_CLIP + 1))
    def test_indices_are_posencs(self, clip):
        row = RelativeVectors().indices[str(clip)]
        index = shaw.relative_position_index(MAX_LENGTH, MAX_LENGTH, clip)
        shown = [
            row[MAX_LENGTH - 1 - q : 2 * MAX_LENGTH - 1 - q] for q in range(MAX_LENGTH)
        ]
        assert np.array_equal(shown, index)

    def test_every_row_has_a_name(self):
        widget = RelativeVectors()
        assert widget.names == {str(r): vector_name(r) for r in range(-6, 7)}
        assert {int(k) for k in widget.indices} == set(range(MAX_CLIP + 1))

    def test_graphs_are_those_of_the_figures(self):
        assert set(VIEWS) == {"sentence", *GRAPHS}
        for name, graph in GRAPHS.items():
            shown = RelativeVectors().graphs[name]
            assert np.array_equal(shown["matrix"], graph.matrix())
            assert tuple(shown["nodes"]) == graph.nodes
            assert tuple(shown["labels"]) == graph.labels
            assert len(shown["places"]) == len(graph.nodes)
        assert RelativeVectors().words == list(TWELVE_WORDS)

    def test_colors_are_matplotlibs(self):
        colors = RelativeVectors().colors
        assert colors["index"] == _base.color_table("coolwarm")
        assert colors["label"] == _base.color_table("viridis")
