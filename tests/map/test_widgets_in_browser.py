"""The widget of the map on a static page, in a real browser."""

import pytest
from widget_page import control, readout, table_rows, widget
from widget_page import shown as told

from posenc.map import ENTRIES, matching
from posenc.map.widgets import MethodMap

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (MethodMap,)


def choose(root, **answers):
    for question, answer in answers.items():
        control(root, question).select_option(label=answer)


def links(root, other=False):
    """Labels of the methods that stand out, or of all others."""
    kind = "a.pe-method.pe-other" if other else "a.pe-method:not(.pe-other)"
    found = root.locator(kind).all()
    return [link.get_attribute("href").removeprefix("#") for link in found]


def test_every_method_is_a_link_to_its_paragraph(page):
    root = widget(page)
    assert sorted(links(root)) == sorted(entry.label for entry in ENTRIES)
    assert readout(root).startswith(f"{len(ENTRIES)} methods.")


def test_answers_pick_methods_as_python_does(page):
    root = widget(page)
    for answers in (
        {"enters": "scores", "same": "content decides"},
        {"enters": "any", "same": "any", "numbers": "none"},
        {"numbers": "learned", "position": "absolute"},
        {"position": "neither", "enters": "rotation"},
    ):
        choose(root, **answers)
        asked = {q: control(root, q).input_value() for q in MethodMap().answers}
        labels = [entry.label for entry in matching(**asked)]
        assert told(root) == labels
        assert sorted(links(root)) == sorted(labels)
        assert len(links(root, other=True)) == len(ENTRIES) - len(labels)
        assert f"{len(labels)} of {len(ENTRIES)} methods" in readout(root)


def test_the_text_table_has_the_same_methods(page):
    root = widget(page)
    choose(root, enters="softmax", numbers="any", position="any", same="any")
    assert [row[0] for row in table_rows(root)] == [
        entry.title for entry in matching(enters="softmax")
    ]
