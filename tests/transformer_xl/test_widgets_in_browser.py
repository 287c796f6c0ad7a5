"""The Transformer-XL widgets on a static page, opened from the disk in a browser."""

import numpy as np
import pytest
from widget_page import control, readout, shown, table_rows, widget

from posenc.transformer_xl.figures import (
    MEMORY_LEN,
    STEPS,
    example_terms,
    first_reached,
    shift_step,
)
from posenc.transformer_xl.widgets import FourTerms, SegmentReach, ShiftSteps

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (SegmentReach, ShiftSteps, FourTerms)

REACH, SHIFT, TERMS = range(3)

#: Sets ranges of a widget to values given by their words, and tells what it draws.
VISIT = """async (root, visits) => {
  const found = [];
  for (const setting of visits) {
    for (const [key, value] of setting) {
      const input = root.querySelector(`[data-key=${key}]`);
      const put = async (i) => {
        input.value = i;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        await Promise.resolve();
        return input.getAttribute("aria-valuetext") === String(value);
      };
      let hit = false;
      for (let i = 0; i <= +input.max && !hit; i++) hit = await put(i);
      if (!hit) throw new Error(`cannot choose ${key} ${value}`);
    }
    const facts = root.querySelector(".pe-facts").textContent;
    found.push([JSON.parse(root.dataset.shown), facts]);
  }
  return found;
}"""


class TestNumbers:
    def test_reach_is_pythons(self, page):
        rng = np.random.default_rng(0)
        names = ("segment_len", "memory_len", "num_layers", "position")
        settings = rng.integers((1, 0, 1, 0), (9, 13, 6, 24), size=(150, 4)).tolist()
        visits = [list(zip(names, setting, strict=True)) for setting in settings]
        found = widget(page, REACH).evaluate(VISIT, visits)
        for (segment, memory, layers, position), (drawn, facts) in zip(
            settings, found, strict=True
        ):
            expected = [
                first_reached(
                    position, segment_len=segment, memory_len=memory, num_layers=n
                )
                for n in range(layers + 1)
            ]
            assert drawn["first"] == expected
            first = expected[-1]
            beginning = "goes back to the beginning" in facts
            assert beginning == (first == 0)
            if first:
                assert f"Nothing before token {first} can change" in facts

    @pytest.mark.parametrize("method", STEPS)
    def test_shift_is_pythons_in_every_setting(self, page, method):
        root = widget(page, SHIFT)
        if method == "view":
            control(root, "method").press("ArrowDown")
        settings = [
            (q_len, k_len, step)
            for q_len in range(1, 6)
            for k_len in range(q_len, 9)
            for step in range(len(STEPS[method]))
        ]
        visits = [
            # Room for the queries first: there are never more of them than keys.
            [("q_len", 1), ("k_len", k_len), ("q_len", q_len), ("step", step)]
            for q_len, k_len, step in settings
        ]
        found = root.evaluate(VISIT, visits)
        for (q_len, k_len, step), (drawn, facts) in zip(settings, found, strict=True):
            rows = shift_step(method, step, q_len, k_len)
            assert drawn["cells"] == [list(map(name, row)) for row in rows]
            last = step == len(STEPS[method]) - 1
            assert ("Every diagonal" in facts) == last
            square = last and q_len == k_len > 1
            assert ("skew of the Music Transformer" in facts) == square

    def test_weights_are_pythons_with_and_without_u_and_v(self, page):
        root = widget(page, TERMS)
        a, b, c, d = map(np.asarray, example_terms())
        past = np.tril(np.ones(a.shape, bool), MEMORY_LEN)
        for switches in ("1111", "1101", "1100", "1110", "0111", "1000", "0000"):
            use_a, use_b, use_u, use_v = map(int, switches)
            for key, wanted in zip("abuv", switches, strict=True):
                if control(root, f"use_{key}").is_checked() != (wanted == "1"):
                    control(root, f"use_{key}").press("Space")
            scores = use_a * a + use_b * b + use_u * c + use_v * d
            weights = np.where(past, np.exp(scores), 0)
            weights /= weights.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(shown(root)["weights"], weights, atol=1e-12)
            facts = root.locator(".pe-facts").inner_text()
            assert ("term c is 0" in facts) != use_u
            assert ("term d is 0" in facts) != use_v

    def test_text_table_says_the_same(self, page):
        root = widget(page, TERMS)
        cells = table_rows(root)
        terms = np.stack([np.asarray(term) for term in example_terms()])
        past = np.tril(np.ones(terms[0].shape, bool), MEMORY_LEN)
        told = [[float(x.replace("−", "-")) for x in row[2:6]] for row in cells]
        assert np.array_equal(told, terms[:, past].T)


def name(cell):
    if cell.row < 0:
        return "0"
    return f"{'abcde'[cell.row]}{cell.distance}" + ("" if cell.valid else "*")


class TestHands:
    @pytest.mark.parametrize(
        ("index", "start", "end"),
        [
            (REACH, "layer 3, token 23: reached in its own", "layer 2, token 22: "),
            (SHIFT, "row 0, column 0: a4", "row 1, column 0: b4"),
            (TERMS, "“the” looks at “the” (key 0), distance 4", "“mat” looks at"),
        ],
    )
    def test_arrows_lead_from_cell_to_cell(self, page, index, start, end):
        root = widget(page, index)
        root.locator("canvas").focus()
        assert readout(root).startswith(start)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowLeft")
        assert readout(root).startswith(end)

    def test_a_click_follows_a_number_to_its_place(self, page):
        root = widget(page, SHIFT)
        box = root.locator("canvas").bounding_box()
        page.mouse.click(box["x"] + 2.5 * 46 + 2, box["y"] + 0.5 * 46)
        assert control(root, "followed").get_attribute("aria-valuetext") == "a2"
        for _ in range(4):
            root.get_by_role("button", name="next step").press("Enter")
        facts = root.locator(".pe-facts").inner_text()
        assert "a2 is in row 0, column 0." in facts
        assert "3 cells are garbage, all with key > query + 2" in facts

    def test_a_view_shows_the_place_and_the_garbage_of_a_number(self, page):
        root = widget(page, SHIFT)
        control(root, "method").press("ArrowDown")
        (found,) = root.evaluate(VISIT, [[("followed", "b3"), ("step", 2)]])
        told = "b3 is in row 1, column 0, and as garbage in row 0, column 4."
        assert told in found[1]

    def test_enter_follows_a_number_and_arrows_go_on_from_it(self, page):
        root = widget(page, SHIFT)
        root.locator("canvas").focus()
        for key in ("ArrowDown", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        assert control(root, "followed").get_attribute("aria-valuetext") == "b3"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert readout(root).startswith("row 1, column 2: b2")
