"""Widgets of the chapter on Transformer-XL on the side of Python."""

import re

import numpy as np
import pytest
import traitlets

from posenc.figures.transformer_xl_data import STEPS, WORDS, example_terms
from posenc.widgets.transformer_xl import FourTerms, SegmentReach, ShiftSteps

WIDGETS = [SegmentReach, ShiftSteps, FourTerms]


@pytest.mark.parametrize("widget", WIDGETS)
def test_files_become_one_module_without_imports(widget):
    module = widget._esm
    assert "import" not in re.sub(r"//.*|/\*.*?\*/", "", module, flags=re.DOTALL)
    assert re.findall(r"^export .*$", module, flags=re.MULTILINE) == [
        "export default { render };"
    ]
    names = re.findall(r"^(?:function|const|let) (\w+)", module, flags=re.MULTILINE)
    assert len(names) == len(set(names))  # no two files share a name
    assert {"frame", "render", "describe"} <= set(names)


@pytest.mark.parametrize("widget", WIDGETS)
def test_page_holds_picture_and_state(widget):
    html = widget().static_html()
    assert html.count("<img") == 2
    assert 'alt="' in html
    assert not re.search(r"https?://(?!www\.w3\.org)", html)


def test_alt_follows_the_setting():
    widget = SegmentReach(segment_len=5, memory_len=2, num_layers=3)
    assert "can know about tokens 8 to 23" in widget.picture().alt
    assert "pad, then read anew" in ShiftSteps().picture().alt
    assert "skip, then windows" in ShiftSteps(method="view").picture().alt
    assert FourTerms().picture().alt.endswith("All take part.")
    assert FourTerms(use_v=False).picture().alt.endswith("Switched off: v.")


def test_pictures_follow_the_setting():
    for widget, setting in (
        (SegmentReach, {"memory_len": 0}),
        (ShiftSteps, {"q_len": 2}),
        (FourTerms, {"use_u": False}),
    ):
        changed, usual = widget(**setting), widget()
        assert changed.picture().svg("light") != usual.picture().svg("light")


def test_terms_are_those_of_posenc():
    widget = FourTerms()
    for rows, term in zip(widget.terms.values(), example_terms(), strict=True):
        assert np.array_equal(rows, term)
    assert widget.words == list(WORDS)
    assert list(widget.terms) == list(widget.names) == list("abcd")


@pytest.mark.parametrize(
    ("widget", "trait", "value"),
    [
        (SegmentReach, "segment_len", 0),
        (SegmentReach, "segment_len", 9),
        (SegmentReach, "memory_len", 13),
        (SegmentReach, "num_layers", 6),
        (SegmentReach, "position", 24),
        (ShiftSteps, "q_len", 6),
        (ShiftSteps, "k_len", 9),
        (ShiftSteps, "method", "roll"),
        (ShiftSteps, "k_len", 2),
        (ShiftSteps, "step", 5),
        (ShiftSteps, "followed", 15),
        (FourTerms, "use_u", "yes"),
    ],
)
def test_values_out_of_range_are_refused(widget, trait, value):
    shown = widget()
    before = getattr(shown, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(shown, trait, value)
    assert getattr(shown, trait) == before


def test_what_a_setting_admits():
    widget = ShiftSteps(method="view")
    with pytest.raises(traitlets.TraitError, match="step must be at most 2, got 3"):
        widget.step = len(STEPS["view"])
    with pytest.raises(traitlets.TraitError, match="at least q_len = 3, got 2"):
        widget.k_len = 2
    widget.set_state({"q_len": 1, "k_len": 2, "step": 2, "followed": 1})
    assert (widget.q_len, widget.k_len, widget.step, widget.followed) == (1, 2, 2, 1)


@pytest.mark.parametrize(
    ("widget", "trait"),
    [
        (SegmentReach, "choices"),
        (ShiftSteps, "choices"),
        (ShiftSteps, "colors"),
        (FourTerms, "terms"),
        (FourTerms, "words"),
        (FourTerms, "memory_len"),
        (FourTerms, "limit"),
    ],
)
def test_tables_are_read_only(widget, trait):
    shown = widget()
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(shown, trait, getattr(shown, trait))
