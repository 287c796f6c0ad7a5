"""The widget of the comparison on the side of Python."""

import json

import numpy as np
import pytest
from bs4 import BeautifulSoup

from posenc.compare import METHODS
from posenc.compare.figures import EXAMPLES, TITLES, all_scores, color_range
from posenc.compare.widgets import MethodMatrices
from posenc.compare.widgets.method_matrices import VIEWS


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
    every = MethodMatrices().picture().alt
    assert every.startswith("Heat maps of what position changes in the attention")
    assert every.endswith("convolution, CAPE.")
    two = {"methods": ["rope", "t5"]}
    before = MethodMatrices(**two).picture()
    drawn = before.svg("light")
    for change in (
        {"text": "dog bites man"},
        {"view": "scores"},
        {"causal": True},
        {"methods": ["rope"]},
    ):
        after = MethodMatrices(**{**two, **change}).picture()
        assert after.alt != before.alt
        assert after.svg("light") != drawn


def test_style_of_the_picture_stays_when_the_widget_takes_its_place():
    soup = BeautifulSoup(MethodMatrices().static_html(), "html.parser")
    assert "content:var(--pe-dark)" in "".join(s.text for s in soup.find_all("style"))
    assert soup.div.find("style") is None
