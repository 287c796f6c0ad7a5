"""Behavior of the widget of the chapter on ALiBi, in a real browser."""

import pytest
from widget_page import facts, readout, widget

from posenc.alibi.widgets import LinearBias

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (LinearBias,)


def test_enter_or_a_click_on_a_slope_chooses_its_head(page):
    root = widget(page)
    dots = root.locator("canvas").first
    dots.press("ArrowRight")
    dots.press("ArrowRight")
    assert readout(root).startswith("head 4 of 8: slope 1/16")
    dots.press("Enter")
    assert "Head 4 of 8 has slope 1/16" in facts(root)
    dots.press("End")
    dots.press("Space")
    assert "Head 8 of 8 has slope 1/256" in facts(root)
    x = 46 + 6.5 / 8 * (dots.bounding_box()["width"] - 58)  # the seventh of eight
    dots.click(position={"x": x, "y": 200})
    assert "Head 7 of 8 has slope 1/128" in facts(root)
