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
    assert readout(root) == "a2, query a times distance 2: row 0, column 0."
    assert "3 cells are garbage, all with key > query + 2" in facts(root)


def test_buttons_stand_still(page):
    assert len(set(places_of(widget(page), "next step", 4))) == 1


def test_a_row_of_one_query_is_followed_through_tables_of_the_same_numbers(page):
    root = widget(page)
    control(root, "q_len").press("Home")
    buttons = root.get_by_role("button", name="next step")
    buttons.press("Enter")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        root.locator("canvas").press(key)
    for places in ("row 2, column 0", "row 1, column 0", "row 0, column 1"):
        buttons.press("Enter")
        assert readout(root) == f"a3, query a times distance 3: {places}."
    assert page.record.errors == []


LISTEN = """() => {
  window.written = [];
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (words, ...place) {
    written.push(String(words));
    return draw.call(this, words, ...place);
  };
}"""


@pytest.mark.parametrize(("width", "heads"), [(1280, {"2"}), (360, {"2", "9"})])
def test_the_row_of_the_view_is_numbered_as_its_words_count(page, width, heads):
    page.set_viewport_size({"width": width, "height": 740})
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(LISTEN)
    root = widget(page)
    control(root, "method").press("ArrowDown")
    root.get_by_role("button", name="next step").press("Enter")
    page.evaluate("written.length = 0")
    root.locator("canvas").press("ArrowRight")
    assert readout(root) == "a1, query a times distance 1: number 3 in memory."
    assert {words for words in page.evaluate("written") if words.isdecimal()} == heads


def test_a_long_row_is_broken_into_lines_whose_numbers_can_be_pressed(page):
    page.set_viewport_size({"width": 360, "height": 740})
    root = widget(page)
    for key in ("k_len", "q_len"):
        control(root, key).press("End")
    control(root, "method").press("ArrowDown")
    root.get_by_role("button", name="next step").press("Enter")
    box = root.locator("canvas").bounding_box()
    bottom = {"x": 18 + 11.5 * (box["width"] - 22) / 12, "y": box["height"] - 12}
    root.locator("canvas").click(position=bottom)
    assert readout(root) == "e0, query e times distance 0: number 39 in memory."


def test_enter_follows_a_number_which_a_view_also_has_as_garbage(page):
    root = widget(page)
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        root.locator("canvas").press(key)
    assert followed(root) == "b3"
    control(root, "method").press("ArrowDown")
    control(root, "step").press("End")
    assert readout(root) == (
        "b3, query b times distance 3: row 1, column 0; "
        "also row 0, column 4 (garbage: this row belongs to query a)."
    )
