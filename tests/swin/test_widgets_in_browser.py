"""Behavior of the widget of the chapter on Swin, in a real browser."""

import pytest
from widget_page import readout, widget

from posenc.swin.widgets import WindowIndex

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (WindowIndex,)


def test_arrows_lead_from_offset_to_offset(page):
    root = widget(page)
    table = root.locator("canvas").last
    table.press("ArrowRight")
    assert "offset (+2, −1) → row 30 of 35" in readout(root)
    table.press("PageUp")
    table.press("End")
    text = "query (0, 3) − key (2, 0) = offset (−2, +3) → row 6 of 35"
    assert readout(root).startswith(text)


def test_a_click_moves_the_key_or_chooses_an_offset(page):
    root = widget(page)
    box = root.locator("canvas").first.bounding_box()
    size = (box["width"] - 8) / 4
    x, y = box["x"] + 4 + 2.5 * size, box["y"] + 4 + 1.5 * size
    page.mouse.click(x, y)
    assert readout(root).startswith("query (2, 1) − key (1, 2) = offset (+1, −1)")
    page.mouse.move(x + size, y)  # hovering chooses nothing
    assert readout(root).startswith("query (2, 1) − key (1, 2)")
    box = root.locator("canvas").last.bounding_box()
    size = (box["width"] - 48) / 7
    page.mouse.click(box["x"] + 44 + 3.5 * size, box["y"] + 40 + 0.5 * size)
    assert "offset (−2, 0) → row 3 of 35" in readout(root)
