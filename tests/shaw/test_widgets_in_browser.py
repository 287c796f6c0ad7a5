"""The widget of Shaw's vectors on a static page, opened in a real browser."""

import numpy as np
import pytest
from widget_page import control, pictures, readout, shown, table_rows, widget

from posenc import shaw
from posenc.shaw.figures import GRAPHS, TWELVE_WORDS, facts, vector_name
from posenc.shaw.widgets import MAX_CLIP, MAX_LENGTH, RelativeVectors

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (RelativeVectors, RelativeVectors)


#: Brings the controls to each setting, and tells what the widget then says.
VISIT = """async (root, visits) => {
  const control = (key) => root.querySelector(`[data-key=${key}]`);
  const slide = async (key, place) => {
    control(key).value = place;
    control(key).dispatchEvent(new Event("input", { bubbles: true }));
    await Promise.resolve();
  };
  const table = root.querySelector("canvas"), found = [];
  for (const [length, clip, query, keys] of visits) {
    await slide("length", length - 1);
    await slide("max_distance", clip);
    await slide("query", query);
    const facts = root.querySelector(".pe-facts").textContent;
    keys.forEach((key) => table.dispatchEvent(new KeyboardEvent("keydown", { key })));
    const cell = root.querySelector(".pe-readout").textContent;
    const { rows } = JSON.parse(root.dataset.shown);
    found.push([rows, facts, cell, +control("query").max]);
    table.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  }
  return found;
}"""


def signed(number):
    return f"{number:+d}".replace("-", "−") if number else "0"


class TestNumbers:
    def test_they_are_posencs_in_every_setting(self, page):
        rng = np.random.default_rng(0)
        visits = []
        for length in range(1, MAX_LENGTH + 1):
            for clip in range(MAX_CLIP + 1):
                query, q, k = rng.integers(length, size=3).tolist()
                keys = ["ArrowUp", "PageUp", "Home"]
                keys += ["ArrowDown"] * q + ["ArrowRight"] * k
                visits.append([length, clip, query, keys])
        shown = widget(page).evaluate(VISIT, visits)
        for (length, clip, query, keys), (index, words, cell, last) in zip(
            visits, shown, strict=True
        ):
            expected = shaw.relative_position_index(length, length, clip)
            assert index == expected.tolist()
            assert last == length - 1
            self.check_facts(words, length, clip, expected[query])
            q, k = keys.count("ArrowDown"), keys.count("ArrowRight")
            row = int(expected[q, k])
            clipped = ""
            if row - clip != k - q:
                clipped = f", clipped to {signed(row - clip)}"
            assert cell == (
                f"query {q} “{TWELVE_WORDS[q]}”, key {k} “{TWELVE_WORDS[k]}”: "
                f"relative position {signed(k - q)}{clipped}"
                f" → row {row}, {vector_name(row - clip)}"
            )

    @staticmethod
    def check_facts(words, length, clip, rows):
        known = facts(length, clip)
        if clip:
            assert f"the table has 2k + 1 = {known['vectors']} vectors" in words
            left, right = (int((rows == row).sum()) for row in (0, 2 * clip))
            assert f"leftmost vector for {left} key" in words
            assert f"rightmost for {right} key" in words
        else:
            assert "one vector for all pairs" in words
        far = f"{known['clipped']} of the {length**2} pairs are farther apart"
        assert (far in words) == (known["clipped"] > 0)
        assert ("No pair is farther apart" in words) == (known["clipped"] == 0)
        assert (f"{known['unused']} vector" in words) == (known["unused"] > 0) or (
            known["unused"] == 0 and "never used" not in words
        )
        assert ("never used" in words) == (known["unused"] > 0)
        assert ("The one vector is used" in words) == (clip == 0)
        assert (f"only {known['offsets']} relative" in words) == (known["unused"] > 0)

    @pytest.mark.parametrize(("down", "name"), [(1, "tree"), (2, "molecule")])
    def test_graphs_are_those_of_the_figures(self, page, down, name):
        root, graph = widget(page), GRAPHS[name]
        for _ in range(down):
            control(root, "view").press("ArrowDown")
        matrix = graph.matrix()
        assert shown(root)["rows"] == matrix.tolist()
        words = root.locator(".pe-facts").inner_text()
        assert f"{len(graph.edges)} edges between {len(graph.nodes)} nodes" in words
        table = root.locator("canvas").first
        table.focus()
        for key in ("PageUp", "Home"):
            table.press(key)
        for q in range(len(graph.nodes)):
            for k in range(len(graph.nodes)):
                label = matrix[q, k]
                end = (
                    "no edge, hidden by the mask"
                    if label < 0
                    else f"label {label}, {graph.labels[label]}"
                )
                assert readout(root) == (
                    f"query {q} “{graph.nodes[q]}”, key {k} “{graph.nodes[k]}”: {end}"
                )
                table.press("ArrowRight")
            table.press("Home")
            table.press("ArrowDown")

    def test_cells_have_matplotlibs_colors(self, page):
        canvas = widget(page).locator("canvas").first
        pixels = canvas.evaluate("""(canvas) => {
          const side = Math.floor((canvas.width - 74) / 8); // heads 58, rim 16
          const context = canvas.getContext("2d"), cells = [...Array(8).keys()];
          const image = context.getImageData(58, 58, 8 * side, 8 * side).data;
          const at = (q, k) => // inside the cell, outside of the mark of offset 0
            4 * ((q * side + 1) * 8 * side + k * side + 1);
          const color = (q, k) => [...image.slice(at(q, k), at(q, k) + 3)];
          return cells.map((q) => cells.map((k) => color(q, k)));
        }""")
        table = RelativeVectors().colors["index"]
        colors = np.frombuffer(bytes.fromhex(table), np.uint8).reshape(256, 3)
        index = shaw.relative_position_index(8, 8, 2)
        expected = colors[np.minimum(np.floor(index / 4 * 256).astype(int), 255)]
        assert np.array_equal(np.asarray(pixels), expected)

    def test_text_table_says_the_same(self, page):
        root = widget(page)
        root.get_by_role("button", name="ten words").press("Enter")
        cells = table_rows(root)
        index = shaw.relative_position_index(10, 10, 3)[5]
        assert cells == [
            [f"{k} {TWELVE_WORDS[k]}", signed(k - 5), str(row), vector_name(row - 3)]
            for k, row in enumerate(index.tolist())
        ]

    def test_a_shorter_sentence_takes_the_query_along(self, page):
        root = widget(page)
        control(root, "query").press("End")
        control(root, "length").press("Home")
        assert control(root, "query").get_attribute("aria-valuetext") == "0"
        control(root, "length").press("End")
        assert control(root, "query").get_attribute("aria-valuetext") == "0"
        assert control(root, "query").get_attribute("max") == "11"


class TestKeyboard:
    @pytest.mark.parametrize("view", [0, 1, 2])
    def test_arrows_lead_from_key_to_key(self, page, view):
        root = widget(page)
        for _ in range(view):
            control(root, "view").press("ArrowDown")
        picture = root.locator("canvas").last
        picture.focus()
        picture.press("Home")
        size = int(control(root, "query").get_attribute("max")) + 1
        seen = []
        for key in range(size):
            assert f", key {key} “" in readout(root)
            seen.append(pictures(root)[1])
            picture.press("ArrowDown")
        assert f", key {size - 1} “" in readout(root)  # the last one stays
        assert len(set(seen)) >= size - 1


class TestPointer:
    def test_hovering_a_vector_tells_who_uses_it(self, page):
        root = widget(page)
        box = root.locator("canvas").last.bounding_box()
        page.mouse.move(box["x"] + box["width"] - 90, box["y"] + box["height"] - 25)
        assert readout(root) == (
            "row 4, w₊₂: query 2 uses it for 4 “man”, 5 “and”, 6 “the”, 7 “man”"
        )

    def test_hovering_a_node_tells_its_label(self, page):
        root = widget(page)
        control(root, "view").press("ArrowDown")
        box = root.locator("canvas").last.bounding_box()
        high = min(box["width"] * 0.8, 300)
        x, y = GRAPHS["tree"].places[1]
        page.mouse.move(
            box["x"] + 30 + x * (box["width"] - 60), box["y"] + 22 + y * (high - 44)
        )
        assert readout(root) == "query 2 “bites”, key 1 “dog”: label 2, its subject"
