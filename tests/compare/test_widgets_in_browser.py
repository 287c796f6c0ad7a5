"""The widget of the comparison on a static page, in a real browser."""

import functools
import itertools
import json

import numpy as np
import pytest
from widget_page import control, facts, pictures, readout, widget

from posenc.compare.figures import EXAMPLES, SENTENCE, TITLES, shown
from posenc.compare.widgets import MethodMatrices
from posenc.compare.widgets.method_matrices import VIEWS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

THREE = "dog bites man"
WIDGETS = (MethodMatrices, functools.partial(MethodMatrices, text=THREE))
WORDS = SENTENCE.split()


def drawn(root):
    """Matrices on the canvas, by method; hidden cells are NaN."""
    matrices = json.loads(root.get_attribute("data-shown"))
    return {name: np.asarray(m, dtype=float) for name, m in matrices.items()}


def methods(root):
    """Names of the methods that are ticked."""
    boxes = control(root, "methods").all()
    return [b.get_attribute("value") for b in boxes if b.is_checked()]


def box(root, name):
    return root.locator(f"[data-key=methods][value={name}]")


class TestNumbers:
    def test_they_are_posencs_in_every_setting(self, page):
        root = widget(page)
        for text, view, causal in itertools.product(EXAMPLES, VIEWS, (False, True)):
            control(root, "text").select_option(text)
            control(root, "view").select_option(index=VIEWS.index(view))
            control(root, "causal").set_checked(causal)
            found, right = drawn(root), shown(text, view, causal=causal)
            assert list(found) == list(TITLES)
            for name, matrix in right.items():
                np.testing.assert_allclose(found[name], matrix, atol=2e-4)

    def test_facts_are_those_of_the_page(self, page):
        root = widget(page)
        text = facts(root)
        assert "along every diagonal, whatever the words: T5, Swin, ALiBi." in text
        assert "for the pair turned round: ALiBi." in text
        assert "“the” 0 and “the” 3 are the same, row for row: no encoding." in text
        root.get_by_role("button", name="numbers added").click()
        assert "row for row: none of these." in facts(root)
        assert "“the”" not in facts(widget(page, 1))

    def test_text_table_holds_every_number(self, page):
        root = widget(page, 1)
        root.locator("summary").press("Enter")
        rows = root.locator("tbody tr")
        rows.first.wait_for()
        cells = [row.split("\t") for row in rows.all_inner_texts()]
        right = shown(THREE, "change", causal=False)
        assert [row[0] for row in cells[:4]] == [
            "dog 0 → dog 0", "dog 0 → bites 1", "dog 0 → man 2", "bites 1 → dog 0",
        ]  # fmt: skip
        heads = root.locator("thead th").all_inner_texts()
        assert heads == ["query → key", *TITLES.values()]
        numbers = [[float(c.replace("−", "-")) for c in row[1:]] for row in cells]
        want = np.stack([m.ravel() for m in right.values()], axis=1)
        np.testing.assert_allclose(numbers, want, atol=0.0052)


class TestKeyboard:
    def test_arrows_lead_from_cell_to_cell_in_all_matrices(self, page):
        root = widget(page)
        before = pictures(root)
        canvas = root.locator("canvas")
        for key in ["ArrowDown"] * 5 + ["ArrowRight"] * 2:
            canvas.press(key)
        right = shown(SENTENCE, "change", causal=False)
        words = readout(root)
        assert words.startswith("query “and” 5, key “saw” 2: no encoding 0.00, learned")
        for name, title in TITLES.items():
            number = f"{right[name][5, 2]:+.2f}".replace("-", "−")
            assert f"{title} {number}" in words or name == "none"
        assert pictures(root) != before
        for key, pair in (
            ("End", (5, 10)), ("Home", (5, 0)), ("PageDown", (10, 0)),
            ("ArrowDown", (10, 0)), ("ArrowLeft", (10, 0)), ("PageUp", (0, 0)),
        ):  # fmt: skip
            canvas.press(key)
            q, k = pair
            assert readout(root).startswith(
                f"query “{WORDS[q]}” {q}, key “{WORDS[k]}” {k}: "
            )
        canvas.press("Escape")
        assert pictures(root) == before

    def test_a_hidden_cell_says_so(self, page):
        root = widget(page, 1)
        control(root, "causal").press("Space")
        for _ in range(
            3
        ):  # the focus shows the first cell, and the mask hides the others
            root.locator("canvas").press("ArrowRight")
        words = readout(root)
        assert words == "query “dog” 0, key “man” 2: hidden by the causal mask"


class TestMethods:
    def test_boxes_choose_methods(self, page):
        root = widget(page)
        box(root, "shaw").uncheck()
        assert list(drawn(root)) == [n for n in TITLES if n != "shaw"]
        box(root, "shaw").press("Space")
        assert list(drawn(root)) == list(TITLES)

    def test_the_last_one_stays(self, page):
        root = widget(page)
        root.get_by_role("button", name="numbers added").press("Enter")
        assert methods(root) == list(drawn(root)) == ["t5", "swin", "alibi"]
        box(root, "t5").uncheck()
        box(root, "swin").uncheck()
        box(root, "alibi").click()
        assert methods(root) == list(drawn(root)) == ["alibi"]

    def test_buttons_and_boxes_agree(self, page):
        root = widget(page)
        for label, names in MethodMatrices().groups.items():
            root.get_by_role("button", name=label).press("Enter")
            assert methods(root) == list(drawn(root)) == names

    def test_fewer_methods_get_larger_matrices(self, page):
        root = widget(page)
        box(root, "rope").focus()
        high = root.locator("canvas").bounding_box()["height"]
        root.get_by_role("button", name="numbers added").press("Enter")
        assert root.locator("canvas").bounding_box()["height"] < 0.7 * high


class TestPointer:
    def test_the_same_cell_of_another_matrix_says_the_same(self, page):
        root = widget(page, 1)
        canvas = root.locator("canvas")
        canvas.hover(position={"x": 5, "y": 75})
        first = readout(root)
        step = (canvas.bounding_box()["width"] + 12) / 4
        canvas.hover(position={"x": 5 + step, "y": 75})
        assert readout(root) == first
        assert first.startswith("query “dog” 0, key “dog” 0: ")
