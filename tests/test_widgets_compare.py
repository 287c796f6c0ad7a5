"""The widget of the comparison on the side of Python."""

import json
import re

import numpy as np
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc.comparison import METHODS
from posenc.figures.compare import color_range
from posenc.figures.compare_data import EXAMPLES, SENTENCE, TITLES, all_scores
from posenc.widgets.compare import VIEWS, MethodMatrices


@pytest.mark.parametrize("text", EXAMPLES)
def test_scores_are_those_of_every_method(text):
    embedded = MethodMatrices().scores[text]
    assert list(embedded) == [m.name for m in METHODS]
    for name, matrix in all_scores(text).items():
        np.testing.assert_allclose(embedded[name], matrix, atol=5.1e-5)


def test_no_zero_has_a_sign():
    assert "-0.0," not in json.dumps(MethodMatrices().scores)


@pytest.mark.parametrize("text", EXAMPLES)
def test_limits_hold_every_number(text):
    limits = MethodMatrices().limits[text]
    assert set(limits) == set(VIEWS)
    for view in VIEWS:
        assert limits[view] == color_range(text, view)[1]
    scores = all_scores(text)
    largest = max(np.abs(m).max() for m in scores.values())
    assert 0 <= limits["scores"] - largest < 0.5


@pytest.mark.parametrize(
    ("trait", "value"),
    [
        ("text", "dog bites"),
        ("view", "outputs"),
        ("causal", "no"),
        ("methods", []),
        ("methods", ["rope", "t6"]),
    ],
)
def test_values_out_of_range_are_refused(trait, value):
    widget = MethodMatrices()
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


@pytest.mark.parametrize("trait", ["groups", "titles", "scores", "limits", "colors"])
def test_tables_are_read_only(trait):
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(MethodMatrices(), trait, {})


def test_methods_are_put_in_the_books_order_once():
    assert MethodMatrices(methods=["rope", "t5", "rope"]).methods == ["t5", "rope"]


def test_buttons_choose_by_the_comparison():
    groups = MethodMatrices().groups
    assert groups["all methods"] == list(TITLES)
    assert groups["numbers added"] == ["t5", "swin", "alibi"]
    assert groups["relative ones"] == [
        "shaw", "music_transformer", "transformer_xl", "t5", "swin", "alibi", "rope",
        "convolutional",
    ]  # fmt: skip


def test_picture_follows_the_state():
    before = MethodMatrices().picture()
    assert before.alt.startswith("Heat maps of what position changes in the attention")
    assert before.alt.endswith("convolution, CAPE.")
    for change in (
        {"text": "dog bites man"},
        {"view": "scores"},
        {"causal": True},
        {"methods": ["rope"]},
    ):
        after = MethodMatrices(**change).picture()
        assert after.alt != before.alt
        assert after.svg("light") != before.svg("light")


def test_page_holds_the_state_and_a_picture():
    html = MethodMatrices(text="dog bites man").static_html()
    soup = BeautifulSoup(html, "html.parser")
    images = soup.div.find_all("img")
    assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
    start = html.index("{", html.index('mount(widget, "posenc-methodmatrices-'))
    state, _ = json.JSONDecoder().raw_decode(html[start:])
    widget = MethodMatrices(text="dog bites man")
    assert state == json.loads(json.dumps(widget.static_state()))
    assert set(state) == {
        "text", "view", "causal", "methods",
        "groups", "titles", "scores", "limits", "colors",
    }  # fmt: skip
    assert state["text"] == "dog bites man" != SENTENCE


def test_style_of_the_picture_stays_when_the_widget_takes_its_place():
    soup = BeautifulSoup(MethodMatrices().static_html(), "html.parser")
    assert ".pe-dark{display:none}" in "".join(s.text for s in soup.find_all("style"))
    assert soup.div.find("style") is None


def test_files_become_one_module():
    module = MethodMatrices._esm
    assert re.findall(r"^export .*$", module, flags=re.MULTILINE) == [
        "export default { render };"
    ]
    for name in ("controls", "describeMethods", "methodGrid", "several", "render"):
        assert module.count(f"function {name}(") == 1
