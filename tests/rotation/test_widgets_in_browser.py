"""Behavior of the widget on rotation, in a real browser."""

import numpy as np
import pytest
from widget_page import pictures, shown, widget

from posenc.rotation import shift_operator
from posenc.rotation.widgets import ShiftClocks

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (ShiftClocks,)


def test_turning_back_transposes_the_matrix_and_keeps_the_similarity(page):
    root = widget(page)
    curve = pictures(root)[-1]
    root.get_by_role("button", name="turn back").press("Enter")
    assert pictures(root)[-1] == curve
    sines = [clock["sin"] for clock in shown(root)["clocks"]]
    np.testing.assert_allclose(sines, np.diag(shift_operator(3, 8, base=100).T, 1)[::2])
