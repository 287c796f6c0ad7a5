"""What widgets have from their base: a page, a bundle, tables, colors."""

import base64
import json

import matplotlib.pyplot as plt
import pytest
from bs4 import BeautifulSoup

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets import base as _base
from posenc.t5.widgets import BucketTable

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def bundle():
    """What a notebook stores of a widget that is shown."""
    return BucketTable()._repr_mimebundle_()[0]


class TestPage:
    def test_json_escapes_script_end_tags(self):
        value = {"</script><script>": ["<!--", "</ScRiPt>", "\u2028"]}
        text = _base.script_json(value)
        assert "<" not in text
        assert text.isascii()
        assert json.loads(text) == value

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
