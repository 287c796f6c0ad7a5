"""The widget of the chapter on ALiBi on the side of Python."""

import json
import re

import numpy as np
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc import t5
from posenc.alibi import alibi_slopes
from posenc.figures.alibi_data import SHARES, T5_SETTING
from posenc.figures.t5_data import example_bias
from posenc.widgets.alibi import LENGTHS, MAX_HEADS, LinearBias


def test_slopes_of_every_number_of_heads_begin_a_list():
    lists = LinearBias().slopes
    for num_heads in range(1, MAX_HEADS + 1):
        level = num_heads.bit_length() - 1
        np.testing.assert_array_equal(lists[level][:num_heads], alibi_slopes(num_heads))
    assert [len(slopes) for slopes in lists] == [1, 3, 7, 15, 31, 63, 64]


@pytest.mark.parametrize(("direction", "both"), [("both", True), ("past", False)])
def test_staircases_are_those_of_t5(direction, both):
    stairs = LinearBias().staircases[direction]
    starts = t5.bucket_starts(bidirectional=both, **T5_SETTING)
    assert stairs["starts"] == starts.tolist()
    assert stairs["bias"] == example_bias(32, bidirectional=both).tolist()
    assert len(stairs["bias"]) == len(starts) * (1 + both)


@pytest.mark.parametrize(
    ("trait", "value"),
    [
        ("num_heads", 0),
        ("num_heads", 65),
        ("head", 0),
        ("length", 63),
        ("causal", "no"),
        ("view", "bias"),
    ],
)
def test_values_out_of_range_are_refused(trait, value):
    widget = LinearBias()
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


@pytest.mark.parametrize("trait", ["slopes", "staircases", "choices", "bias_colors"])
def test_tables_are_read_only(trait):
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(LinearBias(), trait, {})


def test_choices_are_what_python_accepts():
    assert LinearBias().choices == {
        "max_heads": MAX_HEADS,
        "length": LENGTHS,
        "shares": SHARES,
    }
    for length in LENGTHS:
        assert LinearBias(length=length).length == length


def test_picture_follows_the_state():
    before = LinearBias().picture()
    assert "Slope 0.25 of head 2 of 8" in before.alt
    assert before.alt.endswith("64 tokens with equal scores, for the past only.")
    for change in ({"head": 3}, {"length": 128}, {"causal": False}, {"num_heads": 9}):
        after = LinearBias(**change).picture()
        assert after.alt != before.alt
        assert after.svg("light") != before.svg("light")


def test_a_head_beyond_the_last_is_the_last():
    assert "of head 4 of 4" in LinearBias(num_heads=4, head=9).picture().alt


def test_page_holds_the_state_and_a_picture():
    html = LinearBias(num_heads=12).static_html()
    soup = BeautifulSoup(html, "html.parser")
    images = soup.div.find_all("img")
    assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
    start = html.index("{", html.index('mount(widget, "posenc-linearbias-'))
    state, _ = json.JSONDecoder().raw_decode(html[start:])
    assert state == json.loads(json.dumps(LinearBias(num_heads=12).static_state()))
    assert set(state) == {
        "num_heads", "head", "length", "causal", "view",
        "slopes", "staircases", "choices", "bias_colors",
    }  # fmt: skip
    assert state["num_heads"] == 12


def test_files_become_one_module():
    module = LinearBias._esm
    assert re.findall(r"^export .*$", module, flags=re.MULTILINE) == [
        "export default { render };"
    ]
    for name in ("controls", "linePlot", "describe", "slopePicture", "render"):
        assert module.count(f"function {name}(") == 1
