"""The widget of the chapter on Swin on a static page, in a real browser."""

import numpy as np
import pytest
from widget_page import control, readout, table_rows, widget

from posenc import swin
from posenc.swin.figures import (
    MAX_SIDE,
    RULES,
    example_table,
    rows_by_rule,
    rule_errors,
)
from posenc.swin.widgets import WindowIndex

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (WindowIndex, WindowIndex)


#: Chooses each window, rule, query and key by the controls and by arrow keys, and tells
#: the rows that are drawn, the status line, the sums by both signs, and the sentences.
VISIT = """async (root, visits) => {
  const control = (key) => root.querySelector(`[data-key=${key}]`);
  const fire = async (input, type) => {
    input.dispatchEvent(new Event(type, { bubbles: true }));
    await Promise.resolve();
  };
  const slide = async (key, value) => {
    control(key).value = value - 1;
    await fire(control(key), "input");
  };
  const pick = async (key, index) => {
    control(key).selectedIndex = index;
    await fire(control(key), "change");
  };
  const canvas = root.querySelector("canvas");
  const press = async (key) => {
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
    await Promise.resolve();
  };
  const walk = async ([row, column]) => {
    for (const key of ["Home", "PageUp"]) await press(key);
    for (let i = 0; i < row; i++) await press("ArrowDown");
    for (let i = 0; i < column; i++) await press("ArrowRight");
  };
  const found = [];
  for (const { height, width, rule, query, key } of visits) {
    await slide("height", height);
    await slide("width", width);
    await pick("rule", rule);
    await pick("moves", 1);
    await walk(query);
    await pick("moves", 0);
    await walk(key);
    found.push({
      rows: JSON.parse(root.dataset.shown).rows,
      line: root.querySelector(".pe-readout").textContent,
      sums: [...root.querySelectorAll("td[colspan]")].map((td) => +td.textContent),
      facts: root.querySelector(".pe-facts").textContent,
    });
  }
  return found;
}"""


def visits():
    """Every window by every rule, each with a random query and key."""
    rng, sides = np.random.default_rng(0), range(1, MAX_SIDE + 1)
    return [
        {
            "height": h,
            "width": w,
            "rule": rule,
            "query": rng.integers(0, [h, w]).tolist(),
            "key": rng.integers(0, [h, w]).tolist(),
        }
        for h in sides
        for w in sides
        for rule in range(3)
    ]


def signed(n):
    return f"{n:+d}".replace("-", "−") if n else "0"


class TestNumbers:
    def test_they_are_posencs_in_every_window(self, page):
        shown = widget(page).evaluate(VISIT, visits())
        for visit, found in zip(visits(), shown, strict=True):
            h, w, rule = visit["height"], visit["width"], list(RULES)[visit["rule"]]
            rows = rows_by_rule(rule, h, w)
            np.testing.assert_array_equal(found["rows"], rows.ravel())
            (qr, qc), (kr, kc) = visit["query"], visit["key"]
            row, opposite = (
                int(rows[sign * (qr - kr) + h - 1, sign * (qc - kc) + w - 1])
                for sign in (1, -1)
            )
            assert found["sums"] == [row, opposite]
            if rule == "width":
                index = swin.relative_position_index(h, w)
                assert index[qr * w + qc, kr * w + kc] == row
            assert found["line"].startswith(
                f"query ({qr}, {qc}) − key ({kr}, {kc}) = offset "
                f"({signed(qr - kr)}, {signed(qc - kc)}) → row {row} of {rows.size}"
            )
            assert ("The same row as" in found["line"]) == ((rows == row).sum() > 1)
            assert ("only" in found["line"]) == (row >= rows.size)
            shared, beyond = rule_errors(rule, h, w)
            facts = found["facts"]
            assert (f"✗{shared} of {rows.size} offsets share" in facts) == (shared > 0)
            assert (f"✗{beyond} offset" in facts) == (beyond > 0)
            assert ("✓" in facts) == (shared == beyond == 0)

    def test_text_table_holds_all_offsets(self, page):
        root = widget(page)
        lines = table_rows(root)
        rows = rows_by_rule("width", 3, 4)
        bias = example_table(3, 4)
        assert len(lines) == rows.size == 35
        for line, ((r, c), row) in zip(lines, np.ndenumerate(rows), strict=True):
            dr, dc = r - 2, c - 3
            value = f"{bias[r, c]:+.2f}".replace("-", "−")
            assert line == [
                f"({signed(dr)},\N{NO-BREAK SPACE}{signed(dc)})",
                f"({r},\N{NO-BREAK SPACE}{c})",
                str(row),
                str(34 - row),
                value,
            ]


class TestKeyboard:
    def test_arrows_move_the_key_or_the_query(self, page):
        root = widget(page)
        root.locator("canvas").first.focus()
        page.keyboard.press("ArrowLeft")
        assert readout(root).startswith("query (2, 1) − key (0, 2) = offset (+2, −1)")
        page.keyboard.press("ArrowRight")
        control(root, "moves").press("ArrowDown")
        root.locator("canvas").first.focus()
        page.keyboard.press("ArrowUp")
        assert readout(root).startswith("query (1, 1) − key (0, 3)")
        for key in ["ArrowUp"] * 5:  # the edge holds
            page.keyboard.press(key)
        assert readout(root).startswith("query (0, 1) − key (0, 3)")

    def test_arrows_lead_from_offset_to_offset(self, page):
        root = widget(page)
        root.locator("canvas").last.focus()
        page.keyboard.press("ArrowRight")
        assert "offset (+2, −1) → row 30 of 35" in readout(root)
        for key in ("PageUp", "End"):
            page.keyboard.press(key)
        text = "query (0, 3) − key (2, 0) = offset (−2, +3) → row 6 of 35"
        assert readout(root).startswith(text)

    def test_buttons(self, page):
        root = widget(page)
        root.get_by_role("button", name="swap query and key").press("Enter")
        assert readout(root).startswith("query (0, 3) − key (2, 1)")
        root.get_by_role("button", name="a collision").press("Enter")
        assert "The same row as offset (−1, +2) and (0, +1)" in readout(root)

    def test_a_smaller_window_moves_the_cells_to_its_edge(self, page):
        root = widget(page)
        control(root, "height").press("Home")
        assert readout(root).startswith("query (0, 1) − key (0, 3)")
        control(root, "width").press("Home")
        assert readout(root).startswith("query (0, 0) − key (0, 0) = offset (0, 0)")


class TestPointer:
    def test_a_click_moves_the_key(self, page):
        root = widget(page)
        box = root.locator("canvas").first.bounding_box()
        size = (box["width"] - 8) / 4
        x, y = box["x"] + 4 + 2.5 * size, box["y"] + 4 + 1.5 * size
        page.mouse.click(x, y)
        assert readout(root).startswith("query (2, 1) − key (1, 2) = offset (+1, −1)")
        page.mouse.move(x + size, y)  # hovering chooses nothing
        assert readout(root).startswith("query (2, 1) − key (1, 2)")

    def test_a_click_in_the_table_chooses_an_offset(self, page):
        root = widget(page)
        box = root.locator("canvas").last.bounding_box()
        size = (box["width"] - 48) / 7
        x, y = box["x"] + 44 + 3.5 * size, box["y"] + 40 + 0.5 * size
        page.mouse.click(x, y)
        assert "offset (−2, 0) → row 3 of 35" in readout(root)
