"""The widget of the chapter on Shaw, on the side of Python: module, page, traits."""

import json
import re

import numpy as np
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc import shaw
from posenc.figures.shaw_data import GRAPHS, TWELVE_WORDS, vector_name
from posenc.widgets import _base
from posenc.widgets.shaw import MAX_CLIP, MAX_LENGTH, VIEWS, RelativeVectors


@pytest.fixture(scope="module")
def bundle():
    """What a notebook stores of the widget that is shown."""
    return RelativeVectors()._repr_mimebundle_()[0]


class TestModule:
    def test_files_become_one_module_without_imports(self):
        module = RelativeVectors._esm
        assert "import" not in re.sub(r"//.*|/\*.*?\*/", "", module, flags=re.DOTALL)
        assert re.findall(r"^export .*$", module, flags=re.MULTILINE) == [
            "export default { render };"
        ]
        for name in ("controls", "labelMatrix", "vectorsOfQuery", "describe", "render"):
            assert module.count(f"function {name}(") == 1


class TestPage:
    def test_page_is_complete_in_itself(self, bundle):
        soup = BeautifulSoup(bundle["text/html"], "html.parser")
        scripts = soup.find_all("script")
        assert [dict(script.attrs) for script in scripts] == [{"type": "module"}]
        assert not soup.find_all(src=lambda s: s and not s.startswith("data:"))
        code = scripts[0].string + "".join(style.string for style in soup("style"))
        assert not re.search(r"https?://|\burl\(|@import", code)

    def test_state_in_the_page_is_the_widgets(self, bundle):
        html = bundle["text/html"]
        start = html.index("{", html.index('mount(widget, "posenc-relativevectors-'))
        state, _ = json.JSONDecoder().raw_decode(html[start:])
        assert state == json.loads(json.dumps(RelativeVectors().static_state()))
        assert sorted(state) == [
            "colors",
            "graphs",
            "indices",
            "length",
            "max_distance",
            "names",
            "query",
            "view",
            "words",
        ]

    def test_without_javascript_there_is_a_picture(self, bundle):
        place = BeautifulSoup(bundle["text/html"], "html.parser").div
        images = place.find_all("img")
        assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
        for image in images:
            assert "8 queries use for 8 keys, clipped at distance 2" in image["alt"]
            assert image["src"].startswith("data:image/svg+xml")

    def test_alt_and_picture_follow_the_setting(self):
        default = RelativeVectors().picture()
        short = RelativeVectors(length=3, query=9).picture()
        tree = RelativeVectors(view="tree", query=9).picture()
        assert "3 queries" in short.alt
        assert "query 2" in short.alt  # the last one there is
        assert "labels of a tree with 6 nodes" in tree.alt
        assert "node 5" in tree.alt
        pictures = {p.svg("light") for p in (default, short, tree)}
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

    @pytest.mark.parametrize(
        ("trait", "value"),
        [
            ("view", "forest"),
            ("length", 0),
            ("length", MAX_LENGTH + 1),
            ("max_distance", -1),
            ("max_distance", MAX_CLIP + 1),
            ("query", -1),
            ("query", MAX_LENGTH),
        ],
    )
    def test_values_out_of_range_are_refused(self, trait, value):
        widget = RelativeVectors()
        before = getattr(widget, trait)
        with pytest.raises(traitlets.TraitError, match=trait):
            setattr(widget, trait, value)
        assert getattr(widget, trait) == before

    @pytest.mark.parametrize("trait", ["indices", "names", "words", "graphs", "colors"])
    def test_tables_are_read_only(self, trait):
        with pytest.raises(traitlets.TraitError, match="read-only"):
            setattr(RelativeVectors(), trait, {})
