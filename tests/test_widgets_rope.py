"""The widgets on rotary embedding on the side of Python: traits, tables, pages."""

import json
from itertools import product

import numpy as np
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc import rope
from posenc.figures.rope_data import CONTENTS, METHODS, contents
from posenc.widgets.rope import (
    BASES,
    DECAY_BASES,
    DECAY_LAST,
    DECAY_SIZES,
    LAYOUT_SIZES,
    LAYOUTS,
    POSITIONS,
    SCALES,
    SIZES,
    TRAINED,
    DecayCurves,
    LayoutMixup,
    PlaneClocks,
    TurnedPair,
)

WIDGETS = (TurnedPair, PlaneClocks, DecayCurves, LayoutMixup)


@pytest.mark.parametrize("kind", WIDGETS)
class TestEveryWidget:
    def test_page_is_complete_in_itself(self, kind):
        html = kind().static_html()
        soup = BeautifulSoup(html, "html.parser")
        (script,) = soup.find_all("script")
        assert script.attrs == {"type": "module"}
        assert "export " not in script.string
        assert not soup.find_all(["link", "iframe", "object"])
        images = soup.div.find_all("img")
        assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
        assert all(image["alt"] == kind().picture().alt for image in images)

    def test_state_is_plain_json_and_holds_what_the_front_end_asks_for(self, kind):
        state = kind().static_state()
        assert json.loads(json.dumps(state)) is not None
        code = kind._esm
        asked = {name for name in state if f'get("{name}")' in code}
        traits = {name for name in state if f'"{name}"' in code}
        assert asked | traits == set(state)

    def test_picture_follows_the_state(self, kind):
        change = {
            TurnedPair: {"n": 7},
            PlaneClocks: {"position": 12},
            DecayCurves: {"content": "random"},
            LayoutMixup: {"permuted": True},
        }[kind]
        before, after = kind().picture(), kind(**change).picture()
        assert before.alt != after.alt
        assert before.svg("light") != after.svg("light")


@pytest.mark.parametrize(
    ("kind", "trait", "value"),
    [
        (TurnedPair, "m", 25),
        (TurnedPair, "n", -1),
        (TurnedPair, "degrees", 31),
        (TurnedPair, "q_angle", 360),
        (PlaneClocks, "head_dim", 12),
        (PlaneClocks, "base", 1),
        (PlaneClocks, "method", "dynamic"),
        (PlaneClocks, "scale", 3),
        (PlaneClocks, "position", 33),
        (DecayCurves, "content", "zeros"),
        (DecayCurves, "head_dim", 8),
        (LayoutMixup, "runs", "adjacent"),
        (LayoutMixup, "permuted", "yes"),
    ],
)
def test_values_out_of_range_are_refused(kind, trait, value):
    widget = kind()
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


@pytest.mark.parametrize(
    ("kind", "trait"),
    [
        (TurnedPair, "speeds"),
        (PlaneClocks, "choices"),
        (DecayCurves, "curves"),
        (DecayCurves, "means"),
        (LayoutMixup, "scores"),
        (LayoutMixup, "orders"),
    ],
)
def test_tables_are_read_only(kind, trait):
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(kind(), trait, {})


def test_clocks_offer_their_choices():
    widget = PlaneClocks()
    assert widget.choices == {
        "head_dim": SIZES,
        "base": BASES,
        "trained_len": TRAINED,
        "method": list(METHODS.items()),
        "scale": SCALES,
        "position": POSITIONS,
    }
    # Every wanted length can be reached, to see that interpolation brings hands back.
    assert {length * scale for length in TRAINED for scale in SCALES} <= set(POSITIONS)


def test_decay_curves_are_posencs():
    widget, distances = DecayCurves(), np.arange(DECAY_LAST + 1.0)
    assert len(widget.curves) == len(CONTENTS) * len(DECAY_SIZES) * len(DECAY_BASES)
    for d, base in product(DECAY_SIZES, DECAY_BASES):
        mean = rope.mean_partial_sum(distances, d, base=base)
        np.testing.assert_allclose(widget.means[f"{d},{base}"], mean, atol=5e-5)
        angles = rope.rotary_angles(distances, d, base=base)
        for name in CONTENTS:
            q, k = contents(name, d)
            turned = rope.apply_rotary(np.tile(q, (DECAY_LAST + 1, 1)), angles)
            table = widget.curves[f"{name},{d},{base}"]
            np.testing.assert_allclose(table["score"], turned @ k, atol=5.1e-4)
            bound = rope.decay_bound(q, k, distances, base=base)
            np.testing.assert_allclose(table["bound"], bound, atol=5.1e-4)


def test_rounding_leaves_the_number_of_rises():
    widget = DecayCurves()
    score = np.asarray(widget.curves["ones,128,10000"]["score"])
    mean = np.asarray(widget.means["128,10000"])
    assert ((np.diff(score) > 0).sum(), (np.diff(mean) > 0).sum()) == (134, 138)


def test_layout_tables_are_posencs():
    widget = LayoutMixup()
    for d, a, b in product(LAYOUT_SIZES, LAYOUTS, LAYOUTS):
        order = rope.layout_permutation(d, source=a, target=b)
        assert widget.orders[f"{d},{a},{b}"] == order.tolist()
        repaired = widget.scores[f"{d},{a},{b},true"]
        assert repaired == widget.scores[f"{d},{a},{a},false"]
        raw = widget.scores[f"{d},{a},{b},false"]
        assert (raw == repaired) == (a == b)
