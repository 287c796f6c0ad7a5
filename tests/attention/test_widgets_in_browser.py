"""The widget of the chapter on attention, on a static page in a real browser."""

import functools
from itertools import permutations

import numpy as np
import pytest
from widget_page import control, facts, pictures, readout, shown, table_rows, widget

from posenc.attention.figures import SENTENCES, attend, numbered, same_outputs
from posenc.attention.widgets import ShuffledAttention

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: The third as on the page, in the sentence's own order; the others back to front.
WIDGETS = (
    functools.partial(ShuffledAttention, order=[4, 3, 2, 1, 0]),
    functools.partial(ShuffledAttention, sentence="dog bites man", order=[2, 1, 0]),
    ShuffledAttention,
)

TWINS = "I think therefore I am"


def words(root):
    return root.locator(".pe-word").all_inner_texts()


def numbers(root):
    """Weights and outputs that are drawn, before and after."""
    return [list(shown(root)[side].values()) for side in ("before", "after")]


def order_of(root, sentence):
    names = numbered(sentence.split())
    return [names.index(word) for word in words(root)]


def expect(root, sentence, *, encoding=False, causal=False):
    """Compare all numbers, and what is said of them, with Python's."""
    order = order_of(root, sentence)
    setting = {"encoding": encoding, "causal": causal}
    before = attend(sentence, **setting)
    after = attend(sentence, order, **setting)
    for drawn, right in zip(numbers(root), (before, after), strict=True):
        np.testing.assert_allclose(drawn[0], right.weights, atol=1e-7)
        np.testing.assert_allclose(drawn[1], right.outputs, atol=1e-7)
    kept = same_outputs(before, after, order)
    text, length = facts(root), len(order)
    if order == list(range(length)):
        assert "in their own order" in text
    elif kept.all():
        assert f"All {length} words keep their output" in text
    else:
        keep = "keeps its" if kept.sum() == 1 else "keep their"
        assert f"{kept.sum()} of {length} words {keep} output. It has" in text
        names = numbered(sentence.split())
        lost = [names[n] for n, same in zip(order, kept, strict=True) if not same]
        assert ", ".join(f"“{name}”" for name in lost) + "." in text


class TestNumbers:
    def test_it_begins_in_order_and_a_new_sentence_does(self, page):
        root = widget(page, 2)
        assert words(root) == numbered(TWINS.split())
        control(root, "sentence").select_option(index=SENTENCES.index("dog bites man"))
        assert words(root) == ["dog", "bites", "man"]
        expect(root, "dog bites man")

    @pytest.mark.parametrize("sentence", SENTENCES)
    def test_they_are_posencs_in_every_setting(self, page, sentence):
        root = widget(page)
        index = SENTENCES.index(sentence)
        control(root, "sentence").select_option(index=index)
        length, orders = len(sentence.split()), set()
        for encoding, causal in ((0, 0), (1, 0), (1, 1), (0, 1)):
            for key, value in (("encoding", encoding), ("causal", causal)):
                control(root, key).set_checked(bool(value))
            for name in ("reverse", "shuffle", "original order", "reverse"):
                root.get_by_role("button", name=name).click()
                expect(root, sentence, encoding=bool(encoding), causal=bool(causal))
                orders.add(tuple(words(root)))
        assert tuple(numbered(sentence.split())[::-1]) in orders
        assert orders <= set(permutations(numbered(sentence.split())))
        assert len(numbers(root)[0][0]) == length

    def test_shuffle_always_changes_the_order(self, page):
        root = widget(page, 1)
        for _ in range(30):
            before = words(root)
            root.get_by_role("button", name="shuffle").press("Enter")
            assert words(root) != before
            assert sorted(words(root)) == ["bites", "dog", "man"]

    def test_swapping_equal_words_changes_no_number(self, page):
        root = widget(page)
        root.get_by_role("button", name="original order").click()
        before = pictures(root)
        root.get_by_role("button", name="swap the equal words").click()
        assert words(root) == ["I₂", "think", "therefore", "I₁", "am"]
        first, second = numbers(root)
        assert first == second
        assert "All 5 words keep their output" in facts(root)
        assert pictures(root)[0] == before[0]  # after differs in the numbered names
        other = widget(page, 1).get_by_role("button", name="swap the equal words")
        assert other.is_disabled()

    def test_the_two_i_are_marked_and_compared(self, page):
        root = widget(page)
        marked = root.locator(".pe-word[data-twin]").all_inner_texts()
        assert sorted(marked) == ["I₁", "I₂"]
        assert "“I₁”, “I₂” get the same output" in facts(root)
        control(root, "encoding").check()
        assert "“I₁”, “I₂” get different outputs" in facts(root)
        assert "The mean of all outputs has changed" in facts(root)
        control(root, "encoding").uncheck()
        assert "The mean of all outputs is the same" in facts(root)
        control(root, "causal").check()
        assert "“I₁”, “I₂” get different outputs" in facts(root)

    def test_text_table_says_the_same(self, page):
        root = widget(page, 1)
        control(root, "causal").check()
        rows = table_rows(root)
        before = attend("dog bites man", causal=True)
        after = attend("dog bites man", [2, 1, 0], causal=True)
        for n, (word, place, new, old_row, new_row, verdict) in enumerate(rows):
            assert (word, place, new) == (before.words[n], str(n), str(2 - n))
            np.testing.assert_allclose(
                [np.fromstring(row, sep=" ") for row in (old_row, new_row)],
                [before.outputs[n], after.outputs[2 - n]],
                atol=0.0051,
            )
            assert verdict == "different"


class TestKeyboard:
    def test_arrows_move_the_word_that_has_the_focus(self, page):
        root = widget(page, 1)
        root.locator(".pe-word", has_text="dog").focus()
        assert words(root) == ["man", "bites", "dog"]
        for key, order in [
            ("ArrowLeft", ["man", "dog", "bites"]),
            ("ArrowLeft", ["dog", "man", "bites"]),
            ("ArrowLeft", ["dog", "man", "bites"]),
            ("End", ["man", "bites", "dog"]),
            ("Home", ["dog", "man", "bites"]),
            ("ArrowRight", ["man", "dog", "bites"]),
            ("Enter", ["man", "bites", "dog"]),
            ("Enter", ["dog", "man", "bites"]),
        ]:
            page.keyboard.press(key)
            assert words(root) == order
            focused = page.evaluate("document.activeElement.innerText")
            assert focused == "dog"
            expect(root, "dog bites man")
        label = root.locator(".pe-word", has_text="bites").get_attribute("aria-label")
        assert label == "bites, place 3 of 3"

    def test_cells_of_the_second_picture_are_named_by_their_words(self, page):
        root = widget(page, 1)
        root.locator("canvas").last.focus()
        for key in ("Home", "PageUp", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        got = attend("dog bites man").weights[2, 0]  # man stands first now, dog last
        assert readout(root).startswith(f"query “man”, key “dog”: weight {got:.3f}")


class TestPointer:
    def middle(self, root, word):
        chip = root.locator(".pe-word", has_text=word)
        chip.scroll_into_view_if_needed()
        box = chip.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def test_a_word_can_be_dragged(self, page):
        root = widget(page)
        assert words(root) == ["am", "I₂", "therefore", "think", "I₁"]
        x, y = self.middle(root, "am")
        page.mouse.move(x, y)
        page.mouse.down()
        target, _ = self.middle(root, "think")
        for step in range(1, 41):
            page.mouse.move(x + (target + 12 - x) * step / 40, y)
        page.mouse.up()
        assert words(root) == ["I₂", "therefore", "think", "am", "I₁"]
        expect(root, TWINS)
        assert root.locator("[data-held]").count() == 0
        page.mouse.move(x, y)  # nothing is held any more
        assert words(root) == ["I₂", "therefore", "think", "am", "I₁"]

    def test_a_tap_moves_a_word_one_place_on(self, page):
        root = widget(page, 1)
        page.mouse.click(*self.middle(root, "bites"))
        assert words(root) == ["man", "dog", "bites"]
        page.mouse.click(*self.middle(root, "bites"))
        assert words(root) == ["bites", "man", "dog"]
