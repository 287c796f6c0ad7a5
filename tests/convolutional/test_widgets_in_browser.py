"""Behavior of the widget on convolution, in a real browser."""

import pytest
from widget_page import control, shown, widget

from posenc.convolutional.widgets import ImpulseAndBorders

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (ImpulseAndBorders,)


def text(root, key):
    return control(root, key).get_attribute("aria-valuetext")


def test_enter_puts_the_impulse_there_and_it_stays_within_the_signal(page):
    root = widget(page)
    grids = root.locator("canvas").first
    for key in ("Home", "ArrowDown", "ArrowDown", "End", "Enter"):
        grids.press(key)
    assert (text(root, "channel"), text(root, "place")) == ("2", "13")
    control(root, "channels").press("Home")
    control(root, "seq_len").press("Home")
    assert (text(root, "channel"), text(root, "place")) == ("1", "5")
    assert text(root, "groups") == "2"
    assert len(shown(root)["output"]) == 2
    assert len(shown(root)["size"]) == 6
