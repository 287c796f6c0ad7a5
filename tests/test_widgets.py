"""Widgets on the side of Python: module, page, traits, tables of numbers."""

import base64
import json
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc import t5
from posenc.figures.themes import Themed
from posenc.widgets import _base
from posenc.widgets.t5 import MAX_DISTANCES, NUM_BUCKETS, BucketTable

PNG = b"\x89PNG\r\n\x1a\n"


def settings():
    """Every combination that can be chosen, possible or not."""
    return [
        {"num_buckets": count, "max_distance": distance, "bidirectional": both}
        for count in NUM_BUCKETS
        for distance in MAX_DISTANCES
        for both in (True, False)
    ]


def key(setting):
    """Where `BucketTable.settings` keeps the starts of a setting."""
    sides = 2 if setting["bidirectional"] else 1
    return f"{setting['num_buckets'] // sides},{setting['max_distance']}"


def possible(setting):
    try:
        t5.bucket_starts(**setting)
    except ValueError:
        return False
    return True


@pytest.fixture(scope="module")
def bundle():
    """What a notebook stores of a widget that is shown."""
    return BucketTable()._repr_mimebundle_()[0]


class TestModule:
    def test_a_trait_that_ipywidgets_would_take_is_refused(self):
        traits = {"scripts": ("t5.js",), "layout": traitlets.Unicode()}
        with pytest.raises(TypeError, match="named 'layout', which ipywidgets uses"):
            type("Clashing", (_base.BookWidget,), traits)

    def test_files_become_one_module_without_imports(self):
        module = BucketTable._esm
        assert "import" not in re.sub(r"//.*|/\*.*?\*/", "", module, flags=re.DOTALL)
        assert re.findall(r"^export .*$", module, flags=re.MULTILINE) == [
            "export default { render };"
        ]
        for name in ("controls", "toeplitzMatrix", "staircase", "describe", "render"):
            assert module.count(f"function {name}(") == 1

    @pytest.mark.parametrize(
        "text",
        [
            'import { a } from "https://example.org/a.js";',
            'import "./kit.js";',
            'const later = import("./kit.js");',
            'const end = "</script>";',
            'const end = "</SCRIPT>";',
            "if (a <!--b) c();",
        ],
    )
    def test_what_no_page_can_hold_is_refused(self, tmp_path, text):
        path = tmp_path / "bad.js"
        path.write_text(text + "\n")
        with pytest.raises(ValueError, match=r"bad\.js must hold no import"):
            _base.join_modules([path])

    def test_comments_stay_in_the_source(self, tmp_path):
        path = tmp_path / "talkative.js"
        path.write_text(
            "// Says what it is.\n/** Adds. */\nexport function f(a) {\n"
            "  /**\n   * Two lines.\n   */\n  // one more\n"
            '  return `${a} // b`; // "https://"\n}\n'
        )
        expected = 'function f(a) {\n  return `${a} // b`; // "https://"\n}\n'
        assert _base.join_modules([path]) == expected

    def test_color_table_is_matplotlibs(self):
        table = _base.color_table("viridis")
        channels = np.frombuffer(bytes.fromhex(table), np.uint8).reshape(256, 3)
        expected = mpl.colormaps["viridis"](np.arange(256))[:, :3]
        assert np.array_equal(channels, np.round(255 * expected))


class TestPage:
    def test_json_ends_no_script(self):
        value = {"</script><script>": ["<!--", "</ScRiPt>", "\u2028"]}
        text = _base.script_json(value)
        assert "<" not in text
        assert text.isascii()
        assert json.loads(text) == value

    def test_nan_is_no_json(self):
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

    def test_page_is_complete_in_itself(self, bundle):
        html = bundle["text/html"]
        soup = BeautifulSoup(html, "html.parser")
        scripts = soup.find_all("script")
        assert [dict(script.attrs) for script in scripts] == [{"type": "module"}]
        assert not soup.find_all(src=lambda s: s and not s.startswith("data:"))
        assert not soup.find_all(["link", "iframe", "object"])
        code = scripts[0].string + "".join(style.string for style in soup("style"))
        assert not re.search(
            r"https?://|\burl\(|@import|^\s*import\b", code, re.MULTILINE
        )
        assert "export " not in scripts[0].string

    def test_style_comes_with_the_palette(self, bundle):
        assert "--pe-query" in bundle["text/html"]
        assert BucketTable._css.count("--pe-query:") == 2  # light and dark

    def test_state_holds_the_widgets_own_traits(self):
        state = BucketTable(q_len=3).static_state()
        assert sorted(state) == [
            "biases",
            "bidirectional",
            "choices",
            "colors",
            "k_len",
            "log_axis",
            "max_distance",
            "num_buckets",
            "q_len",
            "settings",
            "view",
        ]
        assert state["q_len"] == 3

    def test_state_in_the_page_is_the_widgets(self, bundle):
        html = bundle["text/html"]
        start = html.index("{", html.index('mount(widget, "posenc-buckettable-'))
        state, _ = json.JSONDecoder().raw_decode(html[start:])
        expected = json.loads(json.dumps(BucketTable().static_state()))
        assert state == expected

    def test_without_javascript_there_is_a_picture(self, bundle):
        place = BeautifulSoup(bundle["text/html"], "html.parser").div
        images = place.find_all("img")
        assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
        for image in images:
            assert "16 queries and 16 keys" in image["alt"]
            assert image["src"].startswith("data:image/svg+xml")

    def test_alt_and_picture_follow_the_setting(self):
        widget = BucketTable(q_len=5, bidirectional=False, view="bias")
        picture = widget.picture()
        assert "made-up biases for 5 queries" in picture.alt
        assert "the past only" in picture.alt
        assert picture.svg("light") != BucketTable().picture().svg("light")

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


class TestBucketTable:
    def test_defaults_are_the_printed_table(self):
        widget = BucketTable()
        assert (widget.q_len, widget.k_len) == (16, 16)
        assert (widget.num_buckets, widget.max_distance) == (16, 128)
        assert widget.bidirectional

    @pytest.mark.parametrize("setting", settings(), ids=str)
    def test_accepts_what_posenc_accepts(self, setting):
        if possible(setting):
            widget = BucketTable(**setting)
            assert {name: getattr(widget, name) for name in setting} == setting
        else:
            with pytest.raises(traitlets.TraitError, match="max_distance must be"):
                BucketTable(**setting)

    @pytest.mark.parametrize("setting", [s for s in settings() if possible(s)], ids=str)
    def test_starts_are_posencs(self, setting):
        entry = BucketTable().settings[key(setting)]
        starts = t5.bucket_starts(**setting)
        assert entry["starts"] == starts.tolist()
        # The exact buckets are those that hold their own number alone.
        exact = entry["exact"]
        assert entry["starts"][: exact + 1] == list(range(exact + 1))

    def test_no_impossible_setting_can_be_looked_up(self):
        assert set(BucketTable().settings) == {
            key(setting) for setting in settings() if possible(setting)
        }

    def test_a_setting_with_eleven_empty_buckets_is_there(self):
        starts = np.asarray(BucketTable().settings["32,20"]["starts"])
        assert np.sum(starts[1:] == starts[:-1]) == 11

    @pytest.mark.parametrize(
        ("trait", "value"),
        [
            ("q_len", 0),
            ("k_len", 49),
            ("num_buckets", 5),
            ("max_distance", 100),
            ("view", "picture"),
            ("bidirectional", "yes"),
        ],
    )
    def test_values_out_of_range_are_refused(self, trait, value):
        widget = BucketTable()
        before = getattr(widget, trait)
        with pytest.raises(traitlets.TraitError, match=trait):
            setattr(widget, trait, value)
        assert getattr(widget, trait) == before

    def test_impossible_change_is_refused_and_undone(self):
        widget = BucketTable(num_buckets=48, max_distance=16)
        with pytest.raises(traitlets.TraitError, match="at least 25, got 16"):
            widget.bidirectional = False
        assert widget.bidirectional
        with pytest.raises(traitlets.TraitError, match="at least 13, got 8"):
            widget.max_distance = 8
        assert widget.max_distance == 16

    def test_two_changes_may_pass_through_an_impossible_setting(self):
        widget = BucketTable(num_buckets=4, max_distance=8)
        with widget.hold_trait_notifications():
            widget.num_buckets = 64
            widget.max_distance = 512
        assert (widget.num_buckets, widget.max_distance) == (64, 512)

    def test_the_page_cannot_set_an_impossible_one_either(self):
        widget = BucketTable(num_buckets=64, max_distance=128)
        with pytest.raises(traitlets.TraitError):
            widget.set_state({"max_distance": 8})
        widget.set_state({"max_distance": 64, "num_buckets": 48})
        assert (widget.num_buckets, widget.max_distance) == (48, 64)

    @pytest.mark.parametrize("trait", ["settings", "biases", "choices", "colors"])
    def test_tables_are_read_only(self, trait):
        with pytest.raises(traitlets.TraitError, match="read-only"):
            setattr(BucketTable(), trait, {})

    def test_biases_cover_every_bucket(self):
        biases = BucketTable().biases
        assert {key: len(values) for key, values in biases.items()} == {
            f"{direction},{count}": count
            for direction in ("both", "past")
            for count in NUM_BUCKETS
        }
        assert np.isfinite(np.concatenate(list(biases.values()))).all()
