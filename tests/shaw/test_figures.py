"""Figures of the chapter on Shaw's vectors: what they draw is what posenc computes."""

import hashlib

import figure_rules
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import QuadMesh

from posenc import shaw
from posenc.core import data
from posenc.shaw import figures
from posenc.shaw.figures import (
    BLEU_BY_CLIP,
    BLEU_BY_PLACE,
    FIVE_WORDS,
    GRAPHS,
    TWELVE_WORDS,
    Graph,
    facts,
    index_shades,
    label_shades,
    rows_of_query,
    vector_name,
)

GRAY = plt.get_cmap("coolwarm")(0.5)

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


def cells(ax):
    """Colors of a matrix, shape (rows, columns, 4)."""
    (mesh,) = [c for c in ax.collections if isinstance(c, QuadMesh)]
    return mesh.get_array()


class TestData:
    def test_graphs_hold_what_they_say(self):
        assert GRAPHS["molecule"].matrix().tolist() == [
            [0, 1, -1, -1],
            [1, 0, 2, 1],
            [-1, 2, 0, -1],
            [-1, 1, -1, 0],
        ]
        tree = GRAPHS["tree"]
        words = {
            (tree.nodes[q], tree.nodes[k]): tree.labels[label]
            for q, k, label in tree.edges
        }
        assert words == {
            ("the", "dog"): "its head",
            ("dog", "the"): "its modifier",
            ("dog", "bites"): "its head",
            ("bites", "dog"): "its subject",
            ("man", "bites"): "its head",
            ("bites", "man"): "its object",
            ("an", "man"): "its head",
            ("man", "an"): "its modifier",
            ("old", "man"): "its head",
            ("man", "old"): "its modifier",
        }
        for q, k, label in tree.edges:
            assert tree.matrix()[q, k] == label

    @pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
    def test_graphs_are_complete(self, graph):
        assert len(graph.nodes) == len(graph.places)
        assert (
            0 <= np.asarray(graph.places).min() <= np.asarray(graph.places).max() <= 1
        )
        assert sorted({label for *_, label in graph.edges} | {0}) == list(
            range(len(graph.labels))
        )
        pairs = [(q, k) for q, k, _ in graph.edges]
        assert len(set(pairs)) == len(pairs)
        assert {(k, q) for q, k in pairs} == set(pairs)

    def test_a_node_without_edges_still_has_its_own(self):
        alone = Graph(("a", "b"), ((0, 0), (1, 1)), ("itself",), ())
        assert alone.matrix().tolist() == [[0, -1], [-1, 0]]

    def test_rows_have_the_colors_of_the_table_in_their_order(self):
        table = plt.get_cmap("coolwarm")
        index = np.asarray([[0, 2], [4, 3]])
        expected = np.asarray([[table(0.0), table(0.5)], [table(1.0), table(0.75)]])
        assert np.array_equal(index_shades(index, 5), expected)
        assert np.array_equal(index_shades(np.asarray([0]), 1)[0], GRAY)
        assert np.array_equal(index_shades(np.asarray([-1]), 5)[0], GRAY)

    def test_labels_have_colors_of_their_own(self):
        shades = label_shades(np.asarray([-1, 0, 1, 2, 3, 4]), 5)
        assert np.array_equal(shades[:2], [GRAY, GRAY])
        expected = plt.get_cmap("viridis")(np.asarray([0.25, 0.5, 0.75, 1.0]))
        assert np.array_equal(shades[2:], expected)

    def test_names_of_vectors(self):
        names = [vector_name(r) for r in (-10, -1, 0, 1, 23)]
        assert names == ["w₋₁₀", "w₋₁", "w₀", "w₊₁", "w₊₂₃"]

    @pytest.mark.parametrize(("length", "clip"), [(1, 0), (5, 4), (10, 3), (4, 7)])
    def test_rows_of_a_query(self, length, clip):
        index = shaw.relative_position_index(length, length, clip)
        rows = [rows_of_query(length, q, clip) for q in range(length)]
        assert rows == index.tolist()

    @pytest.mark.parametrize("length", [1, 2, 5, 8])
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


class TestTables:
    def test_cells_show_the_rows(self):
        index = shaw.relative_position_index(5, 7, 2)
        ax = figures.index_matrix(index, clip=2)
        placed = {text.get_position(): text.get_text() for text in ax.texts}
        assert placed == {(k, q): str(r) for (q, k), r in np.ndenumerate(index)}
        assert np.array_equal(cells(ax), index_shades(index, 5))

    def test_only_edges_have_a_label(self):
        ax = figures.label_matrix("tree")
        matrix = GRAPHS["tree"].matrix()
        placed = {t.get_position(): t.get_text() for t in ax.texts}
        expected = {
            (k, q): str(label) if label >= 0 else ""
            for (q, k), label in np.ndenumerate(matrix)
        }
        assert placed == expected

    def test_three_tokens(self):
        shown = figure_rules.texts(figures.absolute_and_relative())
        names = [text for text in shown if text.startswith("w")]
        nine = ["w₀", "w₊₁", "w₊₂", "w₋₁", "w₀", "w₊₁", "w₋₂", "w₋₁", "w₀"]
        assert names == nine

    def test_the_band_picks_from_the_products(self):
        figure = figures.band(length=6, clip=1)
        left, right = map(cells, figure.axes)
        index = shaw.relative_position_index(6, 6, 1)
        for q, k in np.ndindex(6, 6):
            assert np.array_equal(right[q, k], left[q, index[q, k]])

    def test_the_band_writes_each_product_where_it_is_picked(self):
        products = np.arange(9.0).reshape(3, 3) - 4
        left, right = figures.band(products=products).axes
        numbers = [
            [text.get_text().replace("−", "-") for text in axes.texts]
            for axes in (left, right)
        ]
        assert numbers[0] == [f"{number:.0f}" for number in products.flat]
        rows = shaw.relative_position_index(3, 3, 1)
        picked = [products[q, rows[q, k]] for q, k in np.ndindex(3, 3)]
        assert [text for text in numbers[1] if text not in ("", "pick")] == [
            f"{number:.0f}" for number in picked
        ]


class TestArrows:
    @pytest.mark.parametrize(("query", "clip"), [(0, 4), (3, 4), (2, 1)])
    def test_every_word_has_its_row_and_vector(self, query, clip):
        shown = figure_rules.texts(figures.index_arrows(query, clip))
        rows = rows_of_query(5, query, clip)
        expected = [
            part
            for word, row in zip(FIVE_WORDS, rows, strict=True)
            for part in (word, str(row), vector_name(row - clip))
        ]
        assert shown == expected

    def test_the_sentence_as_a_graph(self):
        shown = [
            t
            for t in figure_rules.texts(figures.sequence_graph())
            if t.startswith("$a")
        ]
        assert shown == [
            "$a_{20}$ = w₋₁",
            "$a_{21}$ = w₋₁",
            "$a_{23}$ = w₊₁",
            "$a_{24}$ = w₊₁",
        ]


class TestGraphs:
    @pytest.mark.parametrize("name", GRAPHS)
    def test_every_edge_has_its_label(self, name):
        graph = GRAPHS[name]
        shown = figure_rules.texts(figures.graph_edges(name))
        labels = [text for text in shown if text.isdigit()]
        assert labels == [str(label) for *_, label in graph.edges]
        assert [text for text in shown if not text.isdigit()] == list(graph.nodes)

    def test_only_the_edges_of_the_query_are_shown(self):
        labels = [
            t
            for t in figure_rules.texts(figures.graph_edges("tree", query=2))
            if t.isdigit()
        ]
        assert labels == ["2", "3"]


class TestCosts:
    def test_scores_of_the_paper_are_drawn(self):
        figure = figures.bleu()
        for ax, scores in zip(figure.axes, (BLEU_BY_CLIP, BLEU_BY_PLACE), strict=True):
            (line,) = ax.lines
            assert list(line.get_xdata()) == list(scores.values())
            assert ax.get_xlim()[0] == 0  # lines as long as the scores are

    def test_curves_end_where_the_measurement_does(self):
        forward = data.load("bench_shaw")["results"]["scaling"]["forward"]
        time, memory = figures.cost_over_length(forward).axes
        names = ("broadcast", "batched", "clipped", "blocked_clipped")
        for ax, unit in ((time, "ms"), (memory, "mib")):
            for line, name in zip(ax.lines, names, strict=True):
                factor = 1 if unit == "ms" else 2**20 / 1e6  # in units of 10⁶ bytes
                measured = {
                    int(length): factor * row[name][unit]
                    for length, row in forward.items()
                    if name in row
                }
                drawn = zip(line.get_xdata(), line.get_ydata(), strict=True)
                assert dict(drawn) == measured
        lengths = [set(line.get_xdata()) for line in time.lines]
        assert lengths[0] < lengths[1] < lengths[2]


class TestMemory:
    """The measured peaks are those that the shapes of the arrays ask for."""

    PAIRS = 2048**2
    SCORES, INDEX = 4 * PAIRS / 1e6, 8 * PAIRS / 1e6

    @pytest.mark.parametrize("heads", [1, 8])
    def test_peaks_are_those_of_the_arrays(self, heads):
        scores, vectors = heads * self.SCORES, 64 * self.SCORES
        shaped = {
            "broadcast": 2 * scores + self.INDEX + vectors + 64 * scores,
            "batched": 2 * scores + self.INDEX + vectors,
            # either three tables of whole numbers, or content and position
            "clipped": max(3 * self.INDEX, 2 * scores),
        }
        for form, size in shaped.items():
            assert figures.megabytes(form, heads) == pytest.approx(size, rel=0.02)
        for form in ("blocked_clipped", "blocked_skew"):
            assert scores < figures.megabytes(form, heads) < scores + 16

    def test_the_table_has_a_row_for_each_form_and_the_index(self):
        *lines, blank, machine = str(figures.memory_table()).split("\n")
        measured_on = data.load("bench_shaw")["results"]["memory"]["machine"]
        assert machine == f"Measured on {measured_on['processor']}."
        assert not blank
        assert len(lines) == 4 + len(figures.FORMS)
        assert lines[2] == "| calculated: the scores | 17 | 134 |"
        assert lines[3] == "| calculated: one index for all heads | 34 | 34 |"
        for line, (form, (words, _)) in zip(
            lines[4:], figures.FORMS.items(), strict=True
        ):
            one, eight = (f"{figures.megabytes(form, n):,.0f}" for n in (1, 8))
            assert line == f"| measured: {words} | {one} | {eight} |"

    def test_forms_without_an_index_need_no_row_for_it(self):
        shown = str(figures.memory_table(["skew", "blocked_skew"]))
        assert "index" not in shown
        assert len(shown.split("\n\n")[0].split("\n")) == 5

    def test_an_unknown_form_is_refused(self):
        with pytest.raises(ValueError, match=r"some of .*'skew'.* got \['slow'\]"):
            figures.memory_table(["skew", "slow"])


class TestOverview:
    def test_a_sentence(self):
        _, rows = figures.overview(length=6, clip=1, query=5).axes
        shown = figure_rules.texts(rows)
        assert shown[:6] == list(TWELVE_WORDS[:6])
        assert shown[6:] == ["0", "w₋₁", "1", "w₀", "2", "w₊₁"]


class TestTrainedTables:
    @pytest.mark.parametrize("kind", ["keys", "values"])
    def test_products_are_those_of_nine_vectors(self, kind):
        products = figures.vits_products(kind)
        assert products.shape == (6, 9, 9)
        np.testing.assert_array_equal(products, products.swapaxes(1, 2))
        assert np.linalg.eigvalsh(products).min() > 0  # rounded, but no accident

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

    def test_each_layer_has_a_panel_with_its_cosines(self):
        products = figures.vits_products()
        figure = figures.trained_cosines(products)
        panels = [ax for ax in figure.axes if ax.get_title()]
        assert [ax.get_title() for ax in panels] == [f"layer {n}" for n in range(6)]
        for ax, table in zip(panels, figures.cosines(products), strict=True):
            np.testing.assert_allclose(cells(ax), table)
