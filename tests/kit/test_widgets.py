"""What widgets have from their base: a page, a bundle, tables, colors."""

import base64
import json
import sys
import types

import matplotlib.pyplot as plt
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets import base as _base
from posenc.t5.widgets import BucketTable

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def bundle():
    """What a notebook stores of a widget that is shown."""
    return BucketTable()._repr_mimebundle_()[0]


class TestTraits:
    def test_a_trait_that_ipywidgets_would_take_is_refused(self, tmp_path, monkeypatch):
        (tmp_path / "clashing.js").write_text("export default {};\n")
        module = types.ModuleType("clashes")
        module.__file__ = str(tmp_path / "clashes.py")
        monkeypatch.setitem(sys.modules, "clashes", module)
        traits = {"layout": traitlets.Unicode(), "__module__": "clashes"}
        with pytest.raises(TypeError, match="named 'layout', which ipywidgets uses"):
            type("Clashing", (_base.BookWidget,), traits)

    def test_a_table_is_made_once_and_synced(self):
        made = []

        class Counting(traitlets.HasTraits):
            @_base.table
            def rows(self):
                made.append(self)
                return [1, 2]

        holder = Counting()
        assert holder.rows == holder.rows == [1, 2]
        assert made == [holder]
        with pytest.raises(traitlets.TraitError, match="read-only"):
            holder.rows = []


class TestPage:
    def test_json_escapes_script_end_tags(self):
        value = {"</script><script>": ["<!--", "</ScRiPt>", "\u2028"]}
        text = _base.script_json(value)
        assert "<" not in text
        assert text.isascii()
        assert json.loads(text) == value

    def test_json_refuses_nan(self):
        with pytest.raises(ValueError, match="not JSON compliant"):
            _base.script_json([float("nan")])

    def test_places_differ_even_for_one_widget_shown_twice(self, monkeypatch):
        still = Themed(plt.figure, alt="nothing")
        monkeypatch.setattr(BucketTable, "picture", lambda _: still)
        first, second = BucketTable(), BucketTable()
        pages = [w.static_html() for w in (first, first, second)]
        places = [BeautifulSoup(page, "html.parser").div["id"] for page in pages]
        assert len(set(places)) == 3
        for page, place in zip(pages, places, strict=True):
            assert (
                page.count(place) == 2
            )  # the place itself, and the call that fills it

    def test_bundle_serves_jupyter_and_print_too(self, bundle):
        view = bundle["application/vnd.jupyter.widget-view+json"]
        assert set(view) == {"version_major", "version_minor", "model_id"}
        assert base64.b64decode(bundle["image/png"]).startswith(PNG)
        assert "16 queries" in bundle["text/plain"]

    def test_in_the_browser_nothing_is_drawn_for_pages_and_print(self, monkeypatch):
        monkeypatch.setattr(_base, "IN_BROWSER", True)
        monkeypatch.setattr(Themed, "svg", None)
        found = BucketTable()._repr_mimebundle_()[0]
        assert set(found) == {
            "text/plain",
            "application/vnd.jupyter.widget-view+json",
        }

    def test_a_widget_must_draw_its_picture(self):
        with pytest.raises(NotImplementedError):
            _base.BookWidget().picture()
