"""The widget of the chapter on attention on the side of Python."""

import json

import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc.figures.attention_data import SENTENCES, score_tables
from posenc.widgets.attention import ShuffledAttention


def test_its_files_become_one_module():
    module = ShuffledAttention._esm
    for name in ("controls", "softmaxRow", "heatPair", "wordRow", "render"):
        assert module.count(f"function {name}(") == 1
    assert "toeplitzMatrix(label)" in module  # the kit is there, too


def test_it_begins_with_the_sentence_back_to_front():
    widget = ShuffledAttention()
    assert widget.sentence == "I think therefore I am"
    assert widget.order == [4, 3, 2, 1, 0]
    assert (widget.encoding, widget.causal) == (False, False)


def test_state_is_its_own_traits_and_can_be_json():
    state = ShuffledAttention(causal=True).static_state()
    assert sorted(state) == [
        "causal",
        "colors",
        "encoding",
        "order",
        "sentence",
        "sentences",
        "tables",
    ]
    assert json.loads(json.dumps(state["tables"])) == score_tables()
    assert state["sentences"] == list(SENTENCES)
    assert state["causal"] is True


@pytest.mark.parametrize("order", [[0, 1], [0, 0, 1], [1, 2, 3], [], [0, 1, 2, 3]])
def test_an_order_names_each_word_once(order):
    widget = ShuffledAttention(sentence="dog bites man")
    with pytest.raises(traitlets.TraitError, match=r"each of the places 0 … 2 once"):
        widget.order = order
    assert widget.order == [2, 1, 0]
    with pytest.raises(traitlets.TraitError, match="order must"):
        ShuffledAttention(sentence="dog bites man", order=order)


def test_a_longer_sentence_brings_its_order_a_similar_one_keeps_it():
    widget = ShuffledAttention(sentence="dog bites man", order=[1, 0, 2])
    widget.sentence = SENTENCES[1]
    assert widget.order == [4, 3, 2, 1, 0]
    widget.order = [1, 0, 2, 3, 4]
    widget.sentence = SENTENCES[2]
    assert widget.order == [1, 0, 2, 3, 4]


@pytest.mark.parametrize("turn", [False, True])
def test_the_page_may_set_both_at_once(turn):
    widget = ShuffledAttention(sentence="dog bites man")
    state = {"sentence": SENTENCES[3], "order": [0, 2, 1, 3, 4]}
    widget.set_state(dict(list(state.items())[:: -1 if turn else 1]))
    assert (widget.sentence, widget.order) == (SENTENCES[3], [0, 2, 1, 3, 4])


@pytest.mark.parametrize(
    ("trait", "value"), [("sentence", "man"), ("encoding", 2), ("order", "012")]
)
def test_other_values_are_refused(trait, value):
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(ShuffledAttention(), trait, value)


@pytest.mark.parametrize("trait", ["tables", "sentences", "colors"])
def test_tables_are_read_only(trait):
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(ShuffledAttention(), trait, {})


def test_alt_and_picture_follow_the_setting():
    plain = ShuffledAttention().picture()
    assert "“am I therefore think I”, with neither encoding nor mask" in plain.alt
    both = ShuffledAttention(
        sentence="dog bites man", order=[1, 0, 2], encoding=True, causal=True
    ).picture()
    assert "“bites dog man”" in both.alt
    assert "a position encoding and a causal mask" in both.alt
    assert both.svg("light") != plain.svg("light")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"encoding": True}, "with a position encoding. A mark"),
        ({"causal": True}, "with a causal mask. A mark"),
    ],
)
def test_alt_names_what_is_switched_on(setting, words):
    assert words in ShuffledAttention(**setting).picture().alt


def test_without_javascript_there_is_a_picture():
    place = BeautifulSoup(ShuffledAttention().static_html(), "html.parser").div
    images = place.find_all("img")
    assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
    assert all("I think therefore I am" in image["alt"] for image in images)
