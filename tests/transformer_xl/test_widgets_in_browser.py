"""Behavior of the widgets on Transformer-XL, in a real browser."""

import pytest
from widget_page import control, facts, places_of, readout, widget

from posenc.transformer_xl.widgets import ShiftSteps

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (ShiftSteps,)


def followed(root):
    return control(root, "followed").get_attribute("aria-valuetext")


def test_a_click_follows_a_number_to_its_place(page):
    root = widget(page)
    box = root.locator("canvas").bounding_box()
    page.mouse.click(box["x"] + 2.5 * 46 + 2, box["y"] + box["height"] - 2.5 * 46)
    assert followed(root) == "a2"
    for _ in range(4):
        root.get_by_role("button", name="next step").press("Enter")
    assert readout(root) == "a2, query a times distance 2, is in row 0, column 0."
    assert "3 cells are garbage, all with key > query + 2" in facts(root)


def test_buttons_stand_still(page):
    assert len(set(places_of(widget(page), "next step", 4))) == 1


def test_enter_follows_a_number_which_a_view_also_has_as_garbage(page):
    root = widget(page)
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        root.locator("canvas").press(key)
    assert followed(root) == "b3"
    control(root, "method").press("ArrowDown")
    control(root, "step").press("End")
    places = "is in row 1, column 0, and as garbage in row 0, column 4."
    assert readout(root) == f"b3, query b times distance 3, {places}"
