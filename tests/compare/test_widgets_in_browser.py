"""The widgets of the comparison on a static page, in a real browser."""

import functools
import itertools
import json

import numpy as np
import pytest
from widget_page import (
    control,
    facts,
    pictures,
    readout,
    real,
    table_rows,
    widget,
)
from widget_page import shown as told

from posenc.compare.figures import (
    EXAMPLES,
    KINDS,
    SENTENCE,
    TITLES,
    shifted_scores,
    shown,
)
from posenc.compare.widgets import MethodMatrices, ShiftedSentence
from posenc.compare.widgets.method_matrices import VIEWS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

THREE = "dog bites man"
WIDGETS = (
    MethodMatrices,
    functools.partial(MethodMatrices, text=THREE),
    ShiftedSentence,
    ShiftedSentence.opening,
)
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
        cells = table_rows(root)
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
        canvas = root.locator("canvas")

        def pointed():
            canvas.hover(position={"x": 25, "y": canvas.bounding_box()["height"] - 25})
            return readout(root).partition(":")[0]

        small = pointed()
        root.get_by_role("button", name="numbers added").press("Enter")
        assert small == "query “the” 9, key “saw” 2"
        assert pointed() == "query “dog” 10, key “dog” 1"

    @pytest.mark.parametrize("group", MethodMatrices().groups)
    @pytest.mark.parametrize("view", range(3))
    def test_it_is_one_screen_high(self, page, group, view):
        root = widget(page)
        control(root, "view").select_option(index=view)
        root.get_by_role("button", name=group).press("Enter")
        assert page.viewport_size["width"] == 1280
        assert root.bounding_box()["height"] <= 800


class TestPointer:
    def test_the_same_cell_of_another_matrix_says_the_same(self, page):
        root = widget(page, 1)
        canvas = root.locator("canvas")
        canvas.hover(position={"x": 5, "y": 90})
        first = readout(root)
        step = (canvas.bounding_box()["width"] + 12) / 6
        canvas.hover(position={"x": 5 + step, "y": 90})
        assert readout(root) == first
        assert first.startswith("query “dog” 0, key “dog” 0: ")


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


def score(shift, name, query, key, *, swapped=False):
    words = THREE.split()[::-1] if swapped else THREE.split()
    scores = shifted_scores(name, shift, swapped=swapped)
    return real(scores[words.index(query), words.index(key)])


class TestShiftedSentence:
    def test_numbers_are_the_librarys_wherever_it_stands(self, page):
        root = widget(page, 2)
        control(root, "methods").nth(2).check()
        for swapped in (False, True):
            control(root, "swapped").set_checked(swapped)
            for shift in (0, 1, 7, 18):
                control(root, "shift").fill(str(shift))
                state = told(root)
                assert state["shift"] == shift
                assert state["words"] == THREE.split()[:: -1 if swapped else 1]
                assert list(state["scores"]) == list(KINDS)
                for name, found in state["scores"].items():
                    right = shifted_scores(name, shift, swapped=swapped)
                    np.testing.assert_allclose(found, right, atol=5.1e-5)

    @pytest.mark.parametrize("index", [2, 3])
    def test_it_is_dragged_by_any_of_its_words(self, page, index):
        root = widget(page, index)
        assert told(root)["shift"] == 0
        drag(page, root, 1, 7)
        assert told(root)["shift"] == 7
        drag(page, root, 9, -3)
        assert told(root)["shift"] == 4
        drag(page, root, 5, 15)  # beyond the end
        assert told(root)["shift"] == 18

    def test_a_click_beside_it_brings_its_middle_there(self, page):
        root = widget(page, 3)
        drag(page, root, 15, 0)
        assert told(root)["shift"] == 14

    def test_keys_move_it(self, page):
        root = widget(page, 3)
        canvas = root.locator("canvas").first
        for key, shift in (
            ("ArrowRight", 1), ("ArrowUp", 2), ("PageUp", 10), ("End", 18),
            ("ArrowLeft", 17), ("PageDown", 9), ("Home", 0), ("ArrowLeft", 0),
        ):  # fmt: skip
            canvas.press(key)
            assert told(root)["shift"] == shift

    def test_opening_says_what_changed_and_what_stands_still(self, page):
        root = widget(page, 3)
        start, bias, turn = (
            score(0, name, "man", "dog") for name in ("sinusoidal", "t5", "rope")
        )
        assert readout(root) == (
            f"Score of query “man” 2, key “dog” 0: addition {start}, bias {bias} and "
            f"rotation {turn}. Which will change?"
        )
        drag(page, root, 1, 7)
        now = score(7, "sinusoidal", "man", "dog")
        assert now != start
        assert readout(root) == (
            f"Query “man” 9, key “dog” 7: addition {now}, at the start of the text "
            f"{start}; bias {bias} and rotation {turn}, as at the start."
        )

    def test_full_view_counts_what_changed(self, page):
        root = widget(page, 2)
        assert readout(root) == (
            "“dog bites man” at 0, 1, 2: move it, and see which scores change."
        )
        control(root, "shift").fill("3")
        assert readout(root) == (
            "“dog bites man”, moved from 0, 1, 2 to 3, 4, 5. Scores that changed: "
            "sinusoids 9 of 9, T5 none, RoPE none."
        )
        most = np.abs(
            shifted_scores("sinusoidal", 3) - shifted_scores("sinusoidal", 0)
        ).max()
        assert (
            f"The move by 3 changed scores: sinusoids by up to {real(most)}, T5 not at "
            "all, RoPE not at all."
        ) in facts(root)

    def test_swapping_dog_and_man_swaps_them(self, page):
        root = widget(page, 2)
        box = control(root, "methods")
        box.nth(2).check()
        box.nth(0).uncheck()
        said = ", ".join(
            f"{TITLES[name]} {score(0, name, 'dog', 'man')} and "
            f"{score(0, name, 'dog', 'man', swapped=True)}"
            for name in ("t5", "alibi", "rope")
        )
        for swapped in (False, True):
            control(root, "swapped").set_checked(swapped)
            assert told(root)["words"] == THREE.split()[:: -1 if swapped else 1]
            assert (
                "Query “dog”, key “man”, in “dog bites man” and in “man bites dog”: "
                f"{said}. For ALiBi only the distance counts, not the side."
            ) in facts(root)

    def test_cells_say_every_methods_score(self, page):
        root = widget(page, 2)
        control(root, "swapped").check()
        control(root, "shift").fill("5")
        canvas = root.locator("canvas").nth(1)
        canvas.focus()
        for key in ("ArrowDown", "ArrowRight", "ArrowDown"):
            canvas.press(key)
        values = [score(5, n, "bites", "bites", swapped=True) for n in ("t5", "rope")]
        before = score(0, "sinusoidal", "bites", "bites", swapped=True)
        now = score(5, "sinusoidal", "bites", "bites", swapped=True)
        assert readout(root) == (
            f"query “bites” 6, key “bites” 6: sinusoids {now}, at the start of the "
            f"text {before}; T5 {values[0]} and RoPE {values[1]}, as at the start"
        )

    def test_two_methods_stay(self, page):
        root = widget(page, 2)
        box = control(root, "methods")
        box.nth(0).uncheck()
        assert list(told(root)["scores"]) == ["t5", "rope"]
        box.nth(1).click()
        assert list(told(root)["scores"]) == ["t5", "rope"]
        assert box.nth(1).is_checked()

    def test_text_table_holds_every_number(self, page):
        root = widget(page, 2)
        control(root, "shift").fill("4")
        rows = table_rows(root)
        words = THREE.split()
        assert rows == [
            [f"{q} {4 + i} → {k} {4 + j}", *(score(4, n, q, k) for n in KINDS)]
            for i, q in enumerate(words)
            for j, k in enumerate(words)
        ]
