"""The widgets of the chapter on sinusoids, on the side of Python."""

import json
import re

import numpy as np
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc.figures.sinusoidal_data import ENCODING_COLORS
from posenc.widgets import _base
from posenc.widgets.sinusoidal import (
    BASES,
    LENGTHS,
    WIDTHS,
    BitsAndSines,
    ClosedCurve,
    EncodingHeatmap,
)

WIDGETS = [BitsAndSines, EncodingHeatmap, ClosedCurve]
OWN = {
    BitsAndSines: {"position", "cosines", "choices"},
    EncodingHeatmap: {"seq_len", "d_model", "base", "order", "choices", "colors"},
    ClosedCurve: {"curve", "last", "base", "azimuth", "elevation", "choices"},
}


@pytest.mark.parametrize("kind", WIDGETS)
class TestEach:
    def test_files_become_one_module_without_imports(self, kind):
        module = kind._esm
        assert not re.search(r"^\s*import\b", module, re.MULTILINE)
        assert re.findall(r"^export .*$", module, re.MULTILINE) == [
            "export default { render };"
        ]
        names = re.findall(r"^(?:function|const) (\w+)", module, re.MULTILINE)
        assert len(names) == len(set(names))
        assert {"controls", "drawing", "render", "describe"} <= set(names)

    def test_page_holds_its_state_and_asks_nobody(self, kind):
        widget = kind()
        html = widget.static_html()
        soup = BeautifulSoup(html, "html.parser")
        assert not soup.find_all(src=lambda s: s and not s.startswith("data:"))
        start = html.index("{", html.index('mount(widget, "posenc-'))
        state, _ = json.JSONDecoder().raw_decode(html[start:])
        assert state == json.loads(json.dumps(widget.static_state()))
        assert set(state) == OWN[kind]

    def test_without_javascript_there_is_a_picture(self, kind):
        widget = kind()
        images = BeautifulSoup(widget.static_html(), "html.parser").div.find_all("img")
        assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
        assert {image["alt"] for image in images} == {widget.picture().alt}

    def test_choices_are_read_only(self, kind):
        with pytest.raises(traitlets.TraitError, match="read-only"):
            kind().choices = {}


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        (BitsAndSines, {"position": 2.5}, "a line at position 2.5"),
        (EncodingHeatmap, {"seq_len": 10, "base": 100}, "of 10 positions"),
        (EncodingHeatmap, {"d_model": 16, "order": "half"}, "layout half"),
        (ClosedCurve, {"curve": "slow"}, "slower periods"),
        (ClosedCurve, {"last": 5}, "to 5"),
        (ClosedCurve, {"azimuth": -100}, "Curve in a cube"),
        (ClosedCurve, {"elevation": 80}, "Curve in a cube"),
    ],
)
def test_picture_and_its_words_follow_the_setting(kind, change, words):
    picture = kind(**change).picture()
    assert words in picture.alt
    assert picture.svg("light") != kind().picture().svg("light")


def test_picture_of_slow_waves_follows_the_base():
    pictures = [ClosedCurve(curve="slow", base=b).picture() for b in (10, 1000)]
    assert pictures[0].svg("light") != pictures[1].svg("light")


@pytest.mark.parametrize(
    ("kind", "trait", "value"),
    [
        (BitsAndSines, "position", 5.3),
        (BitsAndSines, "position", 16.125),
        (BitsAndSines, "position", -1),
        (BitsAndSines, "position", float("nan")),
        (EncodingHeatmap, "seq_len", 11),
        (EncodingHeatmap, "d_model", 7),
        (EncodingHeatmap, "base", 3),
        (EncodingHeatmap, "order", "halves"),
        (ClosedCurve, "curve", "closed"),
        (ClosedCurve, "last", 0),
        (ClosedCurve, "azimuth", 181),
        (ClosedCurve, "elevation", 91),
    ],
)
def test_values_out_of_range_are_refused(kind, trait, value):
    widget = kind()
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


def test_presets_of_the_sources_can_be_chosen():
    for seq_len, d_model in ((10, 64), (500, 768)):
        widget = EncodingHeatmap(seq_len=seq_len, d_model=d_model)
        assert (widget.seq_len, widget.d_model) == (seq_len, d_model)
    choices = EncodingHeatmap().choices
    assert choices == {"seq_len": LENGTHS, "d_model": WIDTHS, "base": BASES}
    assert all(np.asarray(WIDTHS) % 2 == 0)


def test_colors_are_those_of_the_figures():
    assert EncodingHeatmap().colors == _base.color_table(ENCODING_COLORS)
