"""The widget of the chapter TITLE on a static page, in a real browser."""

import pytest
from widget_page import control, readout, shown, widget

from posenc.SLUG.widgets import CLASSLine

pytestmark = pytest.mark.browser

WIDGETS = (CLASSLine, CLASSLine)


def test_a_control_moves_its_own_widget(page):
    first, second = widget(page, 0), widget(page, 1)
    assert shown(first)["scale"] == 0.5
    control(first, "scale").press("End")
    assert shown(first) == {"scale": 2.0, "values": CLASSLine().lines[-1]}
    assert shown(second)["scale"] == 0.5
    assert readout(first) == "One token is 2 units long."
