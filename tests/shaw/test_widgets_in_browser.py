"""Behavior of the widget of Shaw's vectors, in a real browser."""

import pytest
from widget_page import control, readout, widget

from posenc.shaw.figures import GRAPHS
from posenc.shaw.widgets import RelativeVectors

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (RelativeVectors,)


def test_hovering_a_vector_or_a_node_tells_who_uses_it(page):
    root = widget(page)
    box = root.locator("canvas").last.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 90, box["y"] + box["height"] - 25)
    assert readout(root) == (
        "row 4, w₊₂: query 2 uses it for 4 “man”, 5 “and”, 6 “the”, 7 “man”"
    )
    control(root, "view").press("ArrowDown")
    box = root.locator("canvas").last.bounding_box()
    high = min(box["width"] * 0.8, 300)
    x, y = GRAPHS["tree"].places[1]
    page.mouse.move(
        box["x"] + 30 + x * (box["width"] - 60), box["y"] + 22 + y * (high - 44)
    )
    assert readout(root) == "query 2 “bites”, key 1 “dog”: label 2, its subject"
