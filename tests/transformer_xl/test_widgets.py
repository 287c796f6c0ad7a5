"""Widgets of the chapter on Transformer-XL on the side of Python."""

import numpy as np
import pytest
import traitlets
from figure_rules import drawn

from posenc.transformer_xl.figures import STEPS, WORDS, example_terms
from posenc.transformer_xl.widgets import FourTerms, SegmentReach, ShiftSteps

WIDGETS = [SegmentReach, ShiftSteps, FourTerms]


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
        assert drawn(changed.picture()) != drawn(usual.picture())


def test_terms_are_those_of_posenc():
    widget = FourTerms()
    for rows, term in zip(widget.terms.values(), example_terms(), strict=True):
        assert np.array_equal(rows, term)
    assert widget.words == list(WORDS)
    assert list(widget.terms) == list(widget.names) == list("abcd")


def test_what_a_setting_admits():
    widget = ShiftSteps(method="view")
    with pytest.raises(traitlets.TraitError, match="step must be at most 2, got 3"):
        widget.step = len(STEPS["view"])
    with pytest.raises(traitlets.TraitError, match="at least q_len = 3, got 2"):
        widget.k_len = 2
    widget.set_state({"q_len": 1, "k_len": 2, "step": 2, "followed": 1})
    assert (widget.q_len, widget.k_len, widget.step, widget.followed) == (1, 2, 2, 1)
