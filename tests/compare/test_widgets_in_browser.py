"""Behavior of the widgets of the comparison, in a real browser."""

import pytest
from widget_page import facts, readout, real, shown, widget

from posenc.compare.figures import shifted_scores
from posenc.compare.widgets import MethodMatrices, ShiftedSentence

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (MethodMatrices, ShiftedSentence, ShiftedSentence.opening)
MATRICES, SENTENCE, OPENING = range(3)


def test_facts_are_those_of_the_page(page):
    root = widget(page, MATRICES)
    text = facts(root)
    assert "along every diagonal, whatever the words: T5, Swin, ALiBi." in text
    assert "for the pair turned round: ALiBi." in text
    assert "“the” 0 and “the” 3 are the same, row for row: no encoding." in text
    root.get_by_role("button", name="numbers added").click()
    assert "row for row: none of these." in facts(root)


def drag(page, root, start, way):
    """Drag on the ruler from one position to another one `way` positions on."""
    canvas = root.locator("canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x = [box["x"] + (at + 0.5) * box["width"] / 21 for at in (start, start + way)]
    page.mouse.move(x[0], box["y"] + 18)
    page.mouse.down()
    page.mouse.move(sum(x) / 2, box["y"] + 18)
    page.mouse.move(x[1], box["y"] + 18)
    page.mouse.up()


@pytest.mark.parametrize("index", [SENTENCE, OPENING])
def test_sentence_moves_by_drag_or_click(page, index):
    root = widget(page, index)
    for start, way, shift in ((1, 7, 7), (9, -3, 4), (5, 15, 18), (12, 0, 11)):
        drag(page, root, start, way)
        assert shown(root)["shift"] == shift


def test_arrow_keys_move_the_sentence(page):
    root = widget(page, OPENING)
    canvas = root.locator("canvas").first
    for key, shift in (
        ("ArrowRight", 1), ("ArrowUp", 2), ("PageUp", 10), ("End", 18),
        ("ArrowLeft", 17), ("PageDown", 9), ("Home", 0), ("ArrowLeft", 0),
    ):  # fmt: skip
        canvas.press(key)
        assert shown(root)["shift"] == shift


def test_opening_says_what_changed_and_what_stands_still(page):
    def score(shift, name):
        return real(shifted_scores(name, shift)[2, 0])

    root = widget(page, OPENING)
    start, bias, turn = (score(0, name) for name in ("sinusoidal", "t5", "rope"))
    assert f"addition {start}, bias {bias} and rotation {turn}. Which" in readout(root)
    drag(page, root, 1, 7)
    now = score(7, "sinusoidal")
    assert now != start
    assert readout(root) == (
        f"Query “man” 9, key “dog” 7: addition {now}, at the start of the text "
        f"{start}; bias {bias} and rotation {turn}, as at the start."
    )
