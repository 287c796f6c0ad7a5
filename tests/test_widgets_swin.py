"""The widget of the chapter on Swin on the side of Python."""

import json
import re

import numpy as np
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc.figures.swin_data import MAX_SIDE, RULES, example_table, rows_by_rule
from posenc.widgets.swin import WindowIndex


def test_strides_turn_offsets_into_rows():
    strides = WindowIndex().strides
    assert list(strides) == list(RULES)
    for rule, by_height in strides.items():
        for h, by_width in enumerate(by_height, start=1):
            for w, stride in enumerate(by_width, start=1):
                rows = rows_by_rule(rule, h, w)
                np.testing.assert_array_equal(
                    rows, np.arange(2 * h - 1)[:, None] * stride + np.arange(2 * w - 1)
                )


def test_biases_are_the_made_up_ones():
    biases = WindowIndex().biases
    np.testing.assert_array_equal(biases, example_table(MAX_SIDE, MAX_SIDE))


@pytest.mark.parametrize(
    ("trait", "value"),
    [
        ("height", 0),
        ("width", 9),
        ("query", [0, 8]),
        ("key", [1]),
        ("rule", "depth"),
        ("view", "picture"),
        ("moves", "both"),
    ],
)
def test_values_out_of_range_are_refused(trait, value):
    widget = WindowIndex()
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


@pytest.mark.parametrize("trait", ["strides", "biases", "rules", "colors"])
def test_tables_are_read_only(trait):
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(WindowIndex(), trait, {})


def test_alt_and_picture_follow_the_choice():
    widget = WindowIndex(height=2, width=3, query=[1, 0], key=[0, 2])
    picture = widget.picture()
    assert "window of 2 × 3 cells" in picture.alt
    assert "Query minus key is (1, -2): row 10." in picture.alt
    other = WindowIndex(height=2, width=3, query=[1, 0], key=[0, 2], view="bias")
    assert "made-up biases" in other.picture().alt
    assert picture.svg("light") != other.picture().svg("light")


def test_cells_beyond_the_window_move_to_its_edge():
    alt = WindowIndex(height=2, width=2, query=[7, 0], key=[0, 7]).picture().alt
    assert "a query in cell (1, 0) and a key in cell (0, 1)" in alt
    # The rule decides about the row: without a factor it is 2 + 0.
    alt = WindowIndex(height=2, width=2, query=[7, 0], key=[0, 7], rule="added")
    assert alt.picture().alt.endswith("row 2.")


def test_page_holds_the_state_and_a_picture():
    html = WindowIndex(width=5).static_html()
    soup = BeautifulSoup(html, "html.parser")
    images = soup.div.find_all("img")
    assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
    start = html.index("{", html.index('mount(widget, "posenc-windowindex-'))
    state, _ = json.JSONDecoder().raw_decode(html[start:])
    assert state == json.loads(json.dumps(WindowIndex(width=5).static_state()))
    assert set(state) == {
        "height", "width", "query", "key", "rule", "view", "moves",
        "strides", "biases", "rules", "colors",
    }  # fmt: skip
    assert state["width"] == 5


def test_files_become_one_module():
    module = WindowIndex._esm
    assert re.findall(r"^export .*$", module, flags=re.MULTILINE) == [
        "export default { render };"
    ]
    for name in ("controls", "cellGrid", "describeWindow", "ladder", "render"):
        assert module.count(f"function {name}(") == 1
