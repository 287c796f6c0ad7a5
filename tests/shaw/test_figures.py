"""Figures of the chapter on Shaw's vectors: what they draw is what posenc computes."""

import hashlib
import itertools

import figure_rules
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgba
from matplotlib.patches import FancyArrowPatch, Rectangle

from posenc import shaw
from posenc.core import data
from posenc.kit.figures.palette import THEMES
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

    def test_cells_show_the_names(self):
        ax = figures.index_matrix(np.asarray([[1, 2]]), clip=1, names=True)
        assert figure_rules.texts(ax) == ["w₀", "w₊₁"]

    def test_only_edges_have_a_label(self):
        ax = figures.label_matrix("tree")
        matrix = GRAPHS["tree"].matrix()
        placed = {t.get_position(): t.get_text() for t in ax.texts}
        expected = {
            (k, q): str(label) if label >= 0 else ""
            for (q, k), label in np.ndenumerate(matrix)
        }
        assert placed == expected
        empty = (cells(ax) == to_rgba(THEMES["light"]["raised"])).all(axis=-1)
        assert np.array_equal(empty, matrix < 0)
        words = [label.get_text() for label in ax.get_yticklabels()]
        assert words == list(GRAPHS["tree"].nodes)

    def test_three_tokens(self):
        shown = figure_rules.texts(figures.absolute_and_relative())
        names = [text for text in shown if text.startswith("w")]
        nine = ["w₀", "w₊₁", "w₊₂", "w₋₁", "w₀", "w₊₁", "w₋₂", "w₋₁", "w₀"]
        assert names == nine
        assert [text for text in shown if text.startswith("$p")] == [
            "$p_0$",
            "$p_1$",
            "$p_2$",
        ]

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
        words = [
            [label.get_text() for label in labels]
            for labels in (left.get_yticklabels(), right.get_xticklabels())
        ]
        assert words == [["dog", "bites", "man"]] * 2


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

    def test_the_opening_names_every_vector_once(self):
        shown = figure_rules.texts(figures.opening())
        names = [text for text in shown if text.startswith("w")]
        assert names == ["w₋₂", "w₋₁", "w₀", "w₊₁", "w₊₂"]
        assert shown.count("query") == 2
        assert [word for word in shown if word in FIVE_WORDS] == [*FIVE_WORDS] * 2

    def test_the_opening_ties_words_to_their_vectors(self):
        ax = figures.opening()
        ties = [
            p for p in ax.patches if hasattr(p, "get_path") and p.get_alpha() == 0.55
        ]
        colors = [tie.get_facecolor()[:3] for tie in ties]
        rows = [*rows_of_query(5, 0, 2), *rows_of_query(5, 3, 2)]
        expected = [tuple(shade[:3]) for shade in index_shades(np.asarray(rows), 5)]
        assert colors == expected

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

    @pytest.mark.parametrize("name", GRAPHS)
    def test_labels_lie_on_their_own_arrow(self, name):
        """The two arrows of a pair bend to different sides, and so do their labels."""
        ax, graph = figures.graph_edges(name), GRAPHS[name]
        disks = [text for text in ax.texts if text.get_text().isdigit()]
        arrows = [p for p in ax.patches if hasattr(p, "get_connectionstyle")]
        for disk, arrow, (q, k, _) in zip(disks, arrows, graph.edges, strict=True):
            start, end = np.asarray([graph.places[q], graph.places[k]])
            control = arrow.get_path().vertices[1]  # of the curve, in data units

            def side(point, start=start, end=end):
                (a, b), (c, d) = end - start, np.asarray(point) - start
                return a * d - b * c

            assert side(control) * side(disk.get_position()) > 0

    def test_where_the_vectors_enter(self):
        shown = figure_rules.texts(figures.data_flow())
        assert "$p_i$" in shown
        assert "$a^K_{ij}$" in shown
        assert "$a^V_{ij}$" in shown
        assert shown.count("score") == shown.count("output") == 2

    def test_no_arrow_of_the_flow_passes_through_a_box(self):
        ax = figures.data_flow()
        boxes = [p for p in ax.patches if isinstance(p, Rectangle)]
        arrows = [p for p in ax.patches if isinstance(p, FancyArrowPatch)]
        assert (len(boxes), len(arrows)) == (17, 22)
        for arrow in arrows:
            start, _, end = arrow.get_path().vertices[:3]
            assert np.linalg.norm(end - start) > 0.3  # to be seen
            for box, share in itertools.product(boxes, np.linspace(0.02, 1, 50)):
                inside = start + share * (end - start) - box.get_xy()
                size = np.asarray([box.get_width(), box.get_height()])
                assert not ((inside > 0) & (inside < size)).all()


class TestCosts:
    def test_scores_of_the_paper_are_drawn(self):
        figure = figures.bleu()
        for ax, scores in zip(figure.axes, (BLEU_BY_CLIP, BLEU_BY_PLACE), strict=True):
            (line,) = ax.lines
            assert list(line.get_xdata()) == list(scores.values())
            assert figure_rules.texts(ax) == [str(score) for score in scores.values()]
            assert ax.get_xlim()[0] == 0  # lines as long as the scores are
        # "both" and "neither" say nothing without the words above them.
        assert [ax.get_title() for ax in figure.axes] == ["clipped at", "vectors on"]

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

    def test_one_legend_stands_outside_the_curves(self):
        forward = data.load("bench_shaw")["results"]["scaling"]["forward"]
        figure = figures.cost_over_length(forward)
        time, memory = figure.axes
        figure.canvas.draw()
        assert time.get_legend().get_window_extent().y0 >= time.bbox.y1
        assert memory.get_legend() is None


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
        table, rows = figures.overview(length=6, clip=1, query=5).axes
        assert len(figure_rules.texts(table)) == 36
        shown = figure_rules.texts(rows)
        assert shown[:6] == list(TWELVE_WORDS[:6])
        assert shown[6:] == ["0", "w₋₁", "1", "w₀", "2", "w₊₁"]
        assert len(rows.lines) == 6

    def test_one_vector(self):
        _, rows = figures.overview(length=1, clip=0, query=0).axes
        assert figure_rules.texts(rows) == ["one", "0", "w₀"]

    @pytest.mark.parametrize("view", GRAPHS)
    def test_a_graph(self, view):
        table, graph = figures.overview(view=view, query=0).axes
        assert len(figure_rules.texts(table)) == len(GRAPHS[view].nodes) ** 2
        assert set(GRAPHS[view].nodes) <= set(figure_rules.texts(graph))


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
            assert ax.yaxis_inverted()
