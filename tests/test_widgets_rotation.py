"""The widget on rotation, on the side of Python: traits, tables of numbers, picture."""

import json
import re

import matplotlib as mpl
import numpy as np
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc.rotation import position_similarity
from posenc.sinusoidal import sinusoidal_encoding
from posenc.widgets.rotation import BASES, SIZES, ShiftClocks

SETTINGS = [(d_model, base) for d_model in SIZES for base in BASES]


def test_files_become_one_module_without_imports():
    module = ShiftClocks._esm
    assert "import" not in re.sub(r"//.*|/\*.*?\*/", "", module, flags=re.DOTALL)
    assert re.findall(r"^export .*$", module, flags=re.MULTILINE) == [
        "export default { render };"
    ]
    names = re.findall(r"^(?:function|const) (\w+)", module, flags=re.MULTILINE)
    assert len(names) == len(set(names))  # joined files share one scope
    for name in ("turnState", "clockRow", "blockMatrix", "similarityCurve", "render"):
        assert module.count(f"function {name}(") == 1


@pytest.mark.parametrize(("d_model", "base"), SETTINGS)
def test_frequencies_are_those_of_the_encoding(d_model, base):
    thetas = np.asarray(ShiftClocks().thetas[f"{d_model},{base}"])
    encoding = sinusoidal_encoding(np.arange(41.0), d_model, base=base)
    angles = np.arange(41)[:, None] * thetas
    hands = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(41, d_model)
    np.testing.assert_allclose(hands, encoding, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("d_model", "base"), SETTINGS)
def test_similarities_are_the_dot_products(d_model, base):
    values = ShiftClocks().similarities[f"{d_model},{base}"]
    expected = position_similarity(np.arange(41), d_model, base=base) / (d_model / 2)
    np.testing.assert_allclose(values, expected, rtol=0, atol=6e-6)
    assert values[0] == 1


def test_every_setting_can_be_looked_up_and_no_other():
    keys = {f"{d_model},{base}" for d_model, base in SETTINGS}
    assert set(ShiftClocks().thetas) == set(ShiftClocks().similarities) == keys


def test_colors_are_matplotlibs():
    for name, table in (("turn", "coolwarm"), ("similarity", "viridis")):
        channels = np.frombuffer(bytes.fromhex(ShiftClocks().colors[name]), np.uint8)
        expected = mpl.colormaps[table](np.arange(256))[:, :3]
        assert np.array_equal(channels.reshape(256, 3), np.round(255 * expected))


@pytest.mark.parametrize(
    ("trait", "value"),
    [
        ("t", -1),
        ("t", 41),
        ("t", 1.5),
        ("offset", 21),
        ("offset", -21),
        ("d_model", 6),
        ("base", 20),
    ],
)
def test_values_out_of_range_are_refused(trait, value):
    widget = ShiftClocks()
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


@pytest.mark.parametrize("trait", ["thetas", "similarities", "choices", "colors"])
def test_tables_are_read_only(trait):
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(ShiftClocks(), trait, {})


def test_state_in_the_page_is_the_widgets():
    widget = ShiftClocks(t=7, offset=-4, d_model=16, base=1000)
    html = widget.static_html()
    start = html.index("{", html.index('mount(widget, "posenc-shiftclocks-'))
    state, _ = json.JSONDecoder().raw_decode(html[start:])
    assert state == json.loads(json.dumps(widget.static_state()))
    assert sorted(state) == sorted(
        [
            "t",
            "offset",
            "d_model",
            "base",
            "thetas",
            "similarities",
            "choices",
            "colors",
        ]
    )
    assert (state["t"], state["offset"], state["d_model"]) == (7, -4, 16)


def test_without_javascript_there_is_a_picture_of_the_setting():
    widget = ShiftClocks(t=7, offset=-4, d_model=16)
    images = BeautifulSoup(widget.static_html(), "html.parser").div.find_all("img")
    assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
    for image in images:
        assert image["alt"].startswith("8 clocks, each with a hand at position 7")
        assert "shift by −4" in image["alt"]
        assert image["src"].startswith("data:image/svg+xml")
    other = ShiftClocks().picture()
    assert widget.picture().svg("light") != other.svg("light")
