"""The widget on rotation on a static page, opened from the disk in a real browser."""

import numpy as np
import pytest
from widget_page import control, pictures, readout, shown, widget

from posenc.rotation import position_similarity, shift_operator
from posenc.rotation.widgets import BASES, SIZES, ShiftClocks
from posenc.sinusoidal import sinusoidal_encoding

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (ShiftClocks, ShiftClocks)

RANGES, SELECTS = ("t", "offset"), ("d_model", "base")
CLOCKS, BLOCKS, MATRIX, CURVE = range(4)


#: Brings the controls to each setting, and tells what is drawn and said: the clocks,
#: the sentences, and what the status line says of an entry and of a pair of positions.
VISIT = """async (root, visits) => {
  const control = (key) => root.querySelector(`[data-key=${key}]`);
  const set = async (key, place, type) => {
    const input = control(key);
    if (type === "change") input.selectedIndex = place;
    else input.value = place;
    input.dispatchEvent(new Event(type, { bubbles: true }));
    await Promise.resolve();
  };
  const [, blocks, matrix] = root.querySelectorAll("canvas");
  const readout = root.querySelector(".pe-readout");
  const walk = (canvas, keys) => {
    const press = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
    keys.forEach(press);
    const words = readout.textContent;
    press("Escape");
    return words;
  };
  const found = [];
  for (const [size, base, t, offset, entryKeys] of visits) {
    await set("d_model", size, "change");
    await set("base", base, "change");
    await set("t", t, "input");
    await set("offset", offset + 20, "input");
    found.push([
      JSON.parse(root.dataset.shown).clocks,
      root.querySelector(".pe-facts").textContent,
      walk(blocks, entryKeys), walk(matrix, ["Home", "End", "PageUp"]),
    ]);
  }
  return found;
}"""


def canvas(root, which):
    return root.locator("canvas").nth(which)


def real(value):
    """Two digits, as the widget writes them."""
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


class TestNumbers:
    def test_clocks_and_matrix_are_posencs_over_a_grid(self, page):
        rng = np.random.default_rng(0)
        visits = [
            [s, b, int(rng.integers(41)), int(rng.integers(-20, 21))]
            for s in range(len(SIZES))
            for b in range(len(BASES))
            for _ in range(4)
        ]
        visits += [[1, 1, t, k] for t in (0, 40) for k in (-20, 0, 20)]
        places = [rng.integers(SIZES[s], size=2) for s, *_ in visits]
        for visit, (row, column) in zip(visits, places, strict=True):
            column = (row ^ 1) if rng.random() < 0.7 else column  # mostly in a block
            keys = ["ArrowRight", "Home", "PageUp"]  # to the corner, then out again
            keys += ["ArrowDown"] * int(row) + ["ArrowRight"] * int(column)
            visit.append(keys)
        shown = widget(page).evaluate(VISIT, visits)
        for visit, (clocks, facts, entry, pair) in zip(visits, shown, strict=True):
            d, base = SIZES[visit[0]], BASES[visit[1]]
            self.check_clocks(clocks, d, base, visit[2], visit[3])
            row, column = (visit[4].count(k) for k in ("ArrowDown", "ArrowRight"))
            self.check_entry(entry, d, base, visit[3], row, column - 1)
            self.check_facts(facts, d, base, visit[2], visit[3])
            far = position_similarity(np.asarray(40), d, base=base) / (d / 2)
            assert pair == (
                f"Query at 0, key at 40: relative position +40, similarity {real(far)}."
            )

    @staticmethod
    def check_clocks(clocks, d, base, t, k):
        for angle, position in (("before", t), ("after", t + k)):
            angles = np.asarray([clock[angle] for clock in clocks])
            hands = np.stack([np.sin(angles), np.cos(angles)], axis=-1).ravel()
            expected = sinusoidal_encoding(np.asarray(float(position)), d, base=base)
            np.testing.assert_allclose(hands, expected, rtol=0, atol=1e-12)
        blocks = [[[c["cos"], c["sin"]], [-c["sin"], c["cos"]]] for c in clocks]
        matrix = np.zeros((d, d))
        for i, block in enumerate(blocks):
            matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
        expected = shift_operator(k, d, base=base)
        np.testing.assert_allclose(matrix, expected, rtol=0, atol=1e-12)

    @staticmethod
    def check_entry(words, d, base, k, row, column):
        value = shift_operator(k, d, base=base)[row, column]
        assert words.startswith(f"Row {row}, column {column}")
        if row // 2 != column // 2:
            assert ": 0, since different clocks do not mix." in words
        else:
            assert f"in the block of clock {row // 2}" in words
            assert words.endswith(f"= {real(value)}.")

    @staticmethod
    def check_facts(facts, d, base, t, k):
        similarity = position_similarity(np.arange(41), d, base=base) / (d / 2)
        product = real(similarity[abs(k)] * d / 2)
        assert f"PE({t}) · PE({t + k}) = {product} of at most {d // 2}" in facts
        assert f"similarity {real(similarity[abs(k)])}," in facts
        rises = (np.diff(np.round(similarity, 5)) > 0).any()
        assert ("Farther is not always less similar here." in facts) == rises
        assert ("farther is always less similar here." in facts) != rises
        turn = {-1: f"−{-k}", 0: "0", 1: f"+{k}"}[np.sign(k)]
        assert f"to {t + k} they turn by {turn} × θ." in facts
        assert ("No shift: every block is the identity." in facts) == (k == 0)

    def test_text_tables_say_the_same(self, page):
        root = widget(page)
        control(root, "t").press("End")
        for summary in root.locator("summary").all():
            summary.focus()
            page.keyboard.press("Enter")
        tables = root.locator(".pe-text tbody")
        tables.last.locator("tr").first.wait_for()
        clocks, distances = (
            [row.split("\t") for row in table.locator("tr").all_inner_texts()]
            for table in tables.all()
        )
        matrix = shift_operator(3, 8, base=100)
        assert [row[0] for row in clocks] == ["0", "1", "2", "3"]
        assert [row[6] for row in clocks] == [real(matrix[i, i]) for i in (0, 2, 4, 6)]
        assert [row[7] for row in clocks] == [
            real(matrix[i, i + 1]) for i in (0, 2, 4, 6)
        ]
        assert clocks[2][:5] == ["2", "0.100", "62.8", "229°", "+17°"]
        similarity = position_similarity(np.arange(41), 8, base=100) / 4
        values = [float(value.replace("−", "-")) for _, value in distances]
        np.testing.assert_allclose(values, similarity, rtol=0, atol=6e-4)

    def test_cells_of_the_similarity_have_matplotlibs_colors(self, page):
        root = widget(page)
        pixels = canvas(root, MATRIX).evaluate("""(canvas) => {
          const size = Math.floor((canvas.width - 36) / 41); // margin: 36
          const image = canvas.getContext("2d").getImageData(36, 36, 41 * size, 1).data;
          return [...Array(41).keys()].map((k) =>
            [...image.slice(4 * size * k, 4 * size * k + 3)]);
        }""")
        widget_state = ShiftClocks()
        values = np.asarray(widget_state.similarities["8,100"])
        scaled = (values - values.min()) / (1 - values.min())
        index = np.minimum(np.floor(scaled * 256).astype(int), 255)
        table = bytes.fromhex(widget_state.colors["similarity"])
        colors = np.frombuffer(table, np.uint8).reshape(256, 3)
        # The cell of distance 0 has a frame, which covers its corner.
        assert np.array_equal(np.asarray(pixels)[1:], colors[index][1:])


class TestKeyboard:
    def test_turning_back_transposes_the_matrix_and_keeps_the_similarity(self, page):
        root = widget(page)
        curve = pictures(root)[CURVE]
        root.get_by_role("button", name="turn back").press("Enter")
        assert pictures(root)[CURVE] == curve
        clocks = shown(root)["clocks"]
        matrix = shift_operator(3, 8, base=100).T
        np.testing.assert_allclose(
            [clock["sin"] for clock in clocks], [matrix[i, i + 1] for i in (0, 2, 4, 6)]
        )

    def test_arrows_lead_through_every_picture(self, page):
        root = widget(page)
        walks = [
            (CLOCKS, ["Home", "ArrowRight"], "Clock 1: 0.316 rad per token"),
            (BLOCKS, ["Home", "End", "PageDown"], "Row 7, column 7"),
            (MATRIX, ["ArrowDown"], "Query at 6, key at 8: relative position +2"),
            (CURVE, ["End"], "Distance 40: similarity "),
        ]
        for which, keys, words in walks:
            canvas(root, which).focus()
            for key in keys:
                page.keyboard.press(key)
            assert readout(root).startswith(words), which
            page.keyboard.press("Escape")
