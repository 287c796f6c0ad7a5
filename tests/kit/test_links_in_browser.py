"""Links that carry the state of a widget: made by its button, followed by its page."""

import json
from urllib.parse import parse_qsl

import browsing
import pytest
import widget_page
from widget_page import (
    FOLLOW,
    accepts,
    every_widget,
    other_values,
    readout,
    settable,
    widget,
)

from posenc.rope.widgets import TurnedPair

pytestmark = pytest.mark.browser

HOST = "widget.render({ model, el });"
KEPT = "(window.models ??= []).push(model);" + HOST
VALUES = "([i, keys]) => Object.fromEntries(keys.map((k) => [k, models[i].get(k)]))"
RESTORE = """([i, values]) => {
  for (const [key, value] of Object.entries(values)) models[i].set(key, value);
}"""
#: Traits that no link sets: a text of the reader's own, which Python must read.
OWN = {"ConfigKeys": {"text"}}


def written(folder, *widgets):
    """Address of a page with widgets, each a screen below the one before."""
    with widget_page.undrawn():
        parts = [one.static_html().replace(HOST, KEPT) for one in widgets]
    far = '<p style="height: 2000px">Far down:</p>'
    path = folder / "page.html"
    text = widget_page.PAGE.format(widgets=far + far.join(parts) + far)
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Of a page with an opening and two widgets of its class."""
    opening = TurnedPair.opening()
    return written(
        tmp_path_factory.mktemp("links"), opening, TurnedPair(), TurnedPair()
    )


def values(page, cls, index=0):
    return page.evaluate(VALUES, [index, settable(cls)])


def in_view(page, index):
    top = widget(page, index).bounding_box()["y"]
    return -1 < top < 400


def copy(page, index=0):
    return widget(page, index).locator(".pe-copy")


def test_a_link_sets_its_widget_and_scrolls_to_it(open_page, address):
    page = open_page(f"{address}#TurnedPair?m=20&n=22")
    assert readout(widget(page, 1)).startswith("Query at 20, key at 22")
    page.wait_for_function("scrollY > 1000")
    assert in_view(page, 1)
    for other in (0, 2):
        assert values(page, TurnedPair, other)["m"] == 1
    page.evaluate("location.hash = '#TurnedPair-2?m=7'")  # a link on the page itself
    page.wait_for_function("models[2].get('m') === 7 && scrollY > 3000")
    assert in_view(page, 2)
    assert readout(widget(page, 2)).startswith("Query at 7, key at 3")
    widget(page, 2).get_by_role("button", name="reset").press("Enter")
    assert readout(widget(page, 2)).startswith("Query at 1, key at 3")
    assert page.record.errors == []


def test_link_with_invalid_value_is_refused_whole(page):
    wrong = ["m=25", "m=-1", "m=2.5", "m=x", "m=", "m=true", "m=%22", "m=[5]"]
    names = ["degrees=31", "speeds=[1]", "simple=true", "constructor=1"]
    for query in (*wrong, *(f"m=5&{name}" for name in names)):
        page.evaluate("scrollTo(0, 0)")
        page.evaluate(FOLLOW, f"TurnedPair?{query}")
        page.wait_for_function("scrollY > 1000")
        assert readout(widget(page, 1)).startswith("Query at 1, key at 3"), query
    widget(page, 1).locator("[data-key=m]").press("ArrowRight")
    assert readout(widget(page, 1)).startswith("Query at 2, key at 3")


def test_the_button_copies_a_link_that_leads_back(open_page, address):
    page = open_page(address)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert copy(page, 0).count() == 0  # an opening has one gesture
    widget(page, 2).locator("[data-key=n]").press("End")
    button = copy(page, 2)
    assert button.inner_text() == "copy link"
    button.press("Enter")
    page.wait_for_function(
        "document.querySelectorAll('.pe-copy')[1].textContent === 'link copied'"
    )
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url == f"{address}#TurnedPair-2?n=24"
    widget(page, 2).locator("[data-key=n]").press("Home")
    assert button.inner_text() == "copy link"
    other = open_page(link)
    assert values(other, TurnedPair, 2)["n"] == 24


@pytest.fixture(scope="module")
def every(browser, tmp_path_factory):
    """A page with every widget of the book."""
    made = [cls() for cls in every_widget()]
    page = browsing.open_page(browser, written(tmp_path_factory.mktemp("all"), *made))
    yield page
    page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("cls", every_widget(), ids=lambda cls: cls.__name__)
def test_a_link_carries_every_trait(every, cls):
    index = every_widget().index(cls)
    start = values(every, cls, index)
    name = cls.__name__

    def follow(query):
        """Open a link on the page itself; return the values that there are then."""
        every.evaluate(FOLLOW, f"{name}?{query}")
        return values(every, cls, index)

    carried = set()
    for key in settable(cls):
        for value in other_values(cls(), key):
            text = value if isinstance(value, str) else json.dumps(value)
            now = follow(
                every.evaluate("(p) => `${new URLSearchParams(p)}`", {key: text})
            )
            assert accepts(cls, now)
            if now[key] != start[key]:
                assert now[key] == value
                carried.add(key)
                copy(every, index).evaluate("(button) => button.click()")
                fragment, _, query = every.url.partition("#")[2].partition("?")
                ((linked, told),) = parse_qsl(query)
                told = told if isinstance(value, str) else json.loads(told)
                assert (fragment, linked, told) == (name, key, value)
            every.evaluate(RESTORE, [index, start])
        for wrong in ("", "nonsense", "-7.5", "[99,99]", "{}", "null"):
            assert follow(f"{key}={wrong}") == start
    assert carried == {*settable(cls)} - OWN.get(name, set())
    assert every.record.errors == []
