"""Behavior of the widget of the map, in a real browser."""

import pytest
from widget_page import control, readout, shown, widget

from posenc.map import ENTRIES
from posenc.map.widgets import MethodMap

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (MethodMap,)


def links(root, kind):
    found = root.locator(f"a.pe-method{kind}").all()
    return sorted(link.get_attribute("href").removeprefix("#") for link in found)


def test_every_method_is_a_link_to_its_paragraph_and_those_asked_for_stand_out(page):
    root = widget(page)
    assert links(root, "") == sorted(entry.label for entry in ENTRIES)
    assert readout(root).startswith(f"{len(ENTRIES)} methods.")
    control(root, "enters").select_option("rotation")
    assert links(root, ":not(.pe-other)") == sorted(shown(root))
    assert len(links(root, ".pe-other")) == len(ENTRIES) - len(shown(root))
