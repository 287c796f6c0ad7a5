"""Behavior of the widgets of the chapter on the skew, in a real browser."""

from functools import partial

import pytest
from widget_page import control, places_of, readout, shown, widget

from posenc.music_transformer.figures import memory_bytes
from posenc.music_transformer.widgets import MemoryCalculator, SkewSteps
from posenc.music_transformer.widgets.skew_flight import SkewFlight

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (SkewSteps, partial(MemoryCalculator, revealed=True), SkewFlight.opening)


class TestSkew:
    def test_a_followed_product_stays_through_the_steps(self, page):
        root = widget(page)
        assert "b2 (query 1, offset −1)" in readout(root)
        for words in ("number 1 · 5 + 3 = 8", "key 0: key − query = −1"):
            root.get_by_role("button", name="next step").press("Enter")
            assert words in readout(root)
        root.get_by_role("button", name="next step").press("Enter")
        assert control(root, "step").input_value() == "0"
        root.get_by_role("button", name="step back").press("Enter")
        assert control(root, "step").input_value() == "2"

    def test_buttons_stand_still(self, page):
        assert len(set(places_of(widget(page), "next step", 3))) == 1

    def at(self, root, side, row, column):
        canvas = root.locator("canvas").nth(side)
        box = canvas.bounding_box()
        size = canvas.evaluate("(canvas) => (canvas.clientHeight - 46) / 5")
        return box["x"] + 26 + (column + 0.5) * size, box["y"] + 42 + (row + 0.5) * size

    def test_a_pointer_looks_and_a_click_follows(self, page):
        root = widget(page)
        page.mouse.move(*self.at(root, 0, 3, 0))
        assert readout(root).startswith("d0 ")
        page.mouse.move(1, 1)
        assert readout(root).startswith("b2 ")
        page.mouse.click(*self.at(root, 1, 0, 4))
        assert readout(root).startswith("a3 ")
        page.mouse.move(1, 1)
        assert readout(root).startswith("a3 ")


def test_buttons_of_the_paper(page):
    root = widget(page, 1)
    for length in MemoryCalculator().choices["paper"]:
        for node in root.locator("[data-key]").all():
            node.press("Home")
        root.get_by_role("button", name=f"paper, L = {length:,}").press("Enter")
        assert shown(root) == memory_bytes(length, 512, 8)
