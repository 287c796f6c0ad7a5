"""Widgets of the chapter on Transformer-XL on the side of Python."""

import pytest
import traitlets

from posenc.transformer_xl.figures import STEPS
from posenc.transformer_xl.widgets import ShiftSteps


def test_impossible_settings_are_refused():
    widget = ShiftSteps(method="view")
    with pytest.raises(traitlets.TraitError, match="step must be at most 2, got 3"):
        widget.step = len(STEPS["view"])
    with pytest.raises(traitlets.TraitError, match="at least q_len = 3, got 2"):
        widget.k_len = 2
    widget.set_state({"q_len": 1, "k_len": 2, "step": 2, "followed": 1})
    assert (widget.q_len, widget.k_len, widget.step, widget.followed) == (1, 2, 2, 1)
