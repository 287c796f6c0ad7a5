"""Behavior of the widget of the chapter on attention, in a real browser."""

import functools

import pytest
from widget_page import facts, pictures, shown, widget

from posenc.attention.widgets import ShuffledAttention

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: Back to front.
WIDGETS = (
    functools.partial(ShuffledAttention, order=[4, 3, 2, 1, 0]),
    functools.partial(ShuffledAttention, sentence="dog bites man", order=[2, 1, 0]),
)


def words(root):
    return root.locator(".pe-word").all_inner_texts()


def middle(root, word):
    chip = root.locator(".pe-word", has_text=word)
    chip.scroll_into_view_if_needed()
    box = chip.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_swapping_equal_words_changes_no_number(page):
    root = widget(page)
    root.get_by_role("button", name="original order").click()
    before = pictures(root)
    root.get_by_role("button", name="swap the equal words").click()
    assert words(root) == ["I₂", "think", "therefore", "I₁", "am"]
    assert shown(root)["before"] == shown(root)["after"]
    assert "“I₁”, “I₂” get the same output" in facts(root)
    assert pictures(root)[0] == before[0]  # after differs in the numbered names
    other = widget(page, 1).get_by_role("button", name="swap the equal words")
    assert other.is_disabled()


def test_arrows_move_the_word_that_has_the_focus(page):
    root = widget(page, 1)
    root.locator(".pe-word", has_text="dog").focus()
    assert words(root) == ["man", "bites", "dog"]
    for key, order in [
        ("ArrowLeft", "man dog bites"),
        ("ArrowLeft", "dog man bites"),
        ("ArrowLeft", "dog man bites"),
        ("End", "man bites dog"),
        ("Home", "dog man bites"),
        ("ArrowRight", "man dog bites"),
        ("Enter", "man bites dog"),
        ("Enter", "dog man bites"),
    ]:
        page.keyboard.press(key)
        assert words(root) == order.split()
        assert page.evaluate("document.activeElement.innerText") == "dog"
    label = root.locator(".pe-word", has_text="bites").get_attribute("aria-label")
    assert label == "bites, place 3 of 3"


def test_a_word_can_be_dragged(page):
    root = widget(page)
    assert words(root) == ["am", "I₂", "therefore", "think", "I₁"]
    x, y = middle(root, "am")
    page.mouse.move(x, y)
    page.mouse.down()
    target, _ = middle(root, "think")
    for step in range(1, 41):
        page.mouse.move(x + (target + 12 - x) * step / 40, y)
    page.mouse.up()
    assert words(root) == ["I₂", "therefore", "think", "am", "I₁"]
    assert root.locator("[data-held]").count() == 0
    page.mouse.move(x, y)  # nothing is held any more
    assert words(root) == ["I₂", "therefore", "think", "am", "I₁"]


def test_a_tap_moves_a_word_one_place_on(page):
    root = widget(page, 1)
    page.mouse.click(*middle(root, "bites"))
    assert words(root) == ["man", "dog", "bites"]
    page.mouse.click(*middle(root, "bites"))
    assert words(root) == ["bites", "man", "dog"]
