"""The widget of the chapter on ALiBi on a static page, in a real browser."""

import matplotlib as mpl
import numpy as np
import pytest
from widget_page import control, facts, pictures, readout, table_rows, widget

from posenc.alibi import alibi_reach, alibi_slopes
from posenc.alibi.figures import (
    DEEPEST,
    SHARES,
    head_view,
    measured_reach,
    needed_score,
)
from posenc.alibi.widgets import LENGTHS, LinearBias
from posenc.t5.figures import BIAS_COLORS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (LinearBias, LinearBias)
SLOPES, MATRIX, LINES, WEIGHTS = range(4)

#: Brings the controls to each setting and returns what is drawn and said.
VISIT = """async (root, visits) => {
  const put = async (key, value, type) => {
    const input = root.querySelector(`[data-key=${key}]`);
    if (input.tagName === "SELECT") input.selectedIndex = value;
    else input.value = value;
    input.dispatchEvent(new Event(type, { bubbles: true }));
    await Promise.resolve();
  };
  const found = [];
  for (const { num_heads, head, length, causal } of visits) {
    await put("num_heads", num_heads - 1, "input");
    await put("head", head - 1, "input");
    await put("length", length, "input");
    await put("causal", causal ? 0 : 1, "change");
    found.push([JSON.parse(root.dataset.shown),
      root.querySelector(".pe-facts").textContent]);
  }
  return found;
}"""


SET_HEAD = """async (root, head) => {
  const input = root.querySelector("[data-key=head]");
  input.value = head - 1;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  await Promise.resolve();
}"""


def visits():
    """Every number of heads, with a random head, length and direction."""
    rng = np.random.default_rng(0)
    return [
        {
            "num_heads": num_heads,
            "head": int(rng.integers(1, num_heads + 1)),
            "length": int(rng.integers(len(LENGTHS))),
            "causal": bool(rng.integers(2)),
        }
        for num_heads in range(1, 65)
        for _ in range(3)
    ]


class TestNumbers:
    def test_they_are_posencs_for_every_number_of_heads(self, page):
        found = widget(page).evaluate(VISIT, visits())
        for visit, (drawn, said) in zip(visits(), found, strict=True):
            length = LENGTHS[visit["length"]]
            heads, causal = (visit["num_heads"], visit["head"]), visit["causal"]
            view = head_view(*heads, length, causal=causal)
            np.testing.assert_array_equal(drawn["slopes"], alibi_slopes(heads[0]))
            some = slice(None, None, max(1, length // 16))
            for name, values in (
                ("weights", view.weights),
                ("t5_bias", view.t5_bias),
                ("t5_weights", view.t5_weights),
            ):
                np.testing.assert_allclose(drawn[name], values[some], rtol=1e-9)
            for name, weights in (
                ("reach", view.weights),
                ("t5_reach", view.t5_weights),
            ):
                reach = [measured_reach(weights, view.offsets, s) for s in SHARES]
                assert drawn[name] == reach
            distances = np.abs(view.offsets)
            within = [view.weights[distances <= d].sum() for d in distances[some]]
            np.testing.assert_allclose(drawn["within"], within, rtol=1e-9)
            if causal:
                slope = float(alibi_slopes(heads[0])[heads[1] - 1])
                lead = needed_score(slope, length - 1, length)
                assert drawn["lead"] == pytest.approx(lead, abs=1e-9)
                exact = [alibi_reach(slope, s, k_len=length) for s in SHARES]
                assert drawn["reach"] == exact
            power_of_two = heads[0] & (heads[0] - 1) == 0
            assert ("no power of two" in said) == (not power_of_two)
            assert f"Head {heads[1]} of {heads[0]} has slope" in said

    def test_twelve_heads_are_not_sorted_and_it_says_so(self, page):
        root = widget(page)
        root.get_by_role("button", name="12 heads").press("Enter")
        assert (
            "12 is no power of two: first the 8 slopes of 8 heads, then (◇) every "
            "other slope of 16 heads, 4 of them. So head 9 is steeper than head 1."
        ) in facts(root)
        assert "Head 9 of 12 has slope 0.707" in facts(root)

    def test_text_table_holds_every_head(self, page):
        root = widget(page)
        root.get_by_role("button", name="12 heads").press("Enter")
        cells = table_rows(root)
        slopes = alibi_slopes(12)
        assert [int(row[0]) for row in cells] == list(range(1, 13))
        for row, slope in zip(cells, slopes, strict=True):
            assert float(row[2]) == pytest.approx(np.exp(-slope), abs=5e-5)
            biases = [float(cell.replace("−", "-")) for cell in row[3:]]
            np.testing.assert_allclose(
                biases, [-slope, -10 * slope, -100 * slope], atol=0.0051
            )


#: Colors of pixels of a canvas, at places in pixels of the page.
COLORS = """(canvas, places) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const scale = canvas.width / canvas.clientWidth;
  return places.map(([x, y]) =>
    [...context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data]);
}"""


class TestHeatMap:
    def colors(self, root, places):
        canvas = root.locator("canvas").nth(MATRIX)
        return [tuple(c) for c in canvas.evaluate(COLORS, places)]

    def of_bias(self, *biases):
        colors = mpl.colormaps[BIAS_COLORS](
            [0.5 + max(b, DEEPEST) / 16 for b in biases]
        )
        return [tuple(color) for color in np.rint(255 * colors).astype(int).tolist()]

    def test_every_head_has_the_color_of_its_bias(self, page):
        root = widget(page)
        seen = set()
        for head, slope in enumerate(alibi_slopes(8).tolist(), start=1):
            root.evaluate(SET_HEAD, head)
            assert f"Head {head} of 8 has" in facts(root)
            seen.add(pictures(root)[MATRIX])
            cells = [(q, k) for q in range(24) for k in range(q)]  # of 8 pixels each
            places = [(40 + 8 * k, 40 + 8 * q) for q, k in cells]
            got = self.colors(root, places)
            assert got == self.of_bias(*(-slope * (q - k) for q, k in cells))
        assert len(seen) == 8  # no two alike

    def test_scale_of_colors_is_shown_and_ends_where_it_says(self, page):
        root = widget(page)
        root.get_by_role("button", name="16 heads").press("Enter")
        canvas = root.locator("canvas").nth(MATRIX)
        width, height = canvas.evaluate("c => [c.clientWidth, c.clientHeight]")
        ends = self.colors(root, [(37, height - 31), (width - 8, height - 31)])
        assert ends == self.of_bias(DEEPEST, 0.0)
        far = self.colors(root, [(40, 40 + 23 * 8)])  # 23 / √2 is below the scale
        assert far == self.of_bias(DEEPEST)


#: Steps, across and down, of the longest dashed line that a canvas draws.
DASHED = """async (root, canvas) => {
  const kind = CanvasRenderingContext2D.prototype, { beginPath, lineTo, stroke } = kind;
  let points = [], longest = [];
  kind.beginPath = function () { points = []; beginPath.call(this); };
  kind.lineTo = function (x, y) { points.push([x, y]); lineTo.call(this, x, y); };
  kind.stroke = function () {
    const ours = this.canvas === root.querySelectorAll("canvas")[canvas];
    if (ours && this.getLineDash().length && points.length > longest.length)
      longest = points;
    stroke.call(this);
  };
  const input = root.querySelector("[data-key=length]");
  input.value = 1;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  await Promise.resolve();
  Object.assign(kind, { beginPath, lineTo, stroke });
  return longest.slice(1).map(([x, y], i) => [x - longest[i][0], y - longest[i][1]]);
}"""


@pytest.mark.parametrize("canvas", [LINES, WEIGHTS])
def test_the_staircase_has_steps(page, canvas):
    steps = np.asarray(widget(page).evaluate(DASHED, canvas))
    assert len(steps) == 2 * 16 - 1  # 16 keys
    assert (steps[1::2, 0] == 0).all()  # up or down, halfway between two keys
    assert (steps[::2, 1] == 0).all()
    assert (steps[::2, 0] > 0).all()


class TestKeyboard:
    def test_arrows_and_enter_choose_a_head(self, page):
        root = widget(page)
        dots = root.locator("canvas").nth(SLOPES)
        dots.press("ArrowRight")
        dots.press("ArrowRight")
        assert readout(root).startswith("head 4 of 8: slope 1/16")
        dots.press("Enter")
        assert "Head 4 of 8 has slope 1/16" in facts(root)
        dots.press("End")
        dots.press("Space")
        assert "Head 8 of 8 has slope 1/256" in facts(root)

    def test_arrows_lead_from_cell_to_cell(self, page):
        root = widget(page)
        cells = root.locator("canvas").nth(MATRIX)
        for key in ["ArrowDown"] * 5 + ["ArrowRight"] * 2:
            cells.press(key)
        assert readout(root) == "query 5, key 2: distance 3, bias −0.750"
        for _ in range(4):
            cells.press("ArrowRight")
        assert readout(root) == (
            "query 5, key 6: distance 1, hidden by the causal mask"
        )

    def test_arrows_lead_along_both_curves(self, page):
        root = widget(page)
        curve = root.locator("canvas").nth(WEIGHTS)
        for _ in range(3):
            curve.press("ArrowLeft")
        view = head_view(8, 2, 64)
        words = readout(root)
        assert words.startswith("relative position −3. ALiBi: bias −0.75, weight ")
        assert f"weight {view.weights[-4]:.2%}".replace("%", " %") in words
        assert f"{view.weights[-4:].sum():.1%} within".replace("%", " %") in words

    def test_fewer_heads_keep_a_head_that_there_is(self, page):
        root = widget(page)
        control(root, "head").press("End")
        control(root, "num_heads").press("Home")
        assert "Head 1 of 1 has slope 1/256" in facts(root)
        assert control(root, "head").get_attribute("aria-valuetext") == "1"


class TestPointer:
    def test_a_click_on_a_slope_chooses_its_head(self, page):
        root = widget(page)
        canvas = root.locator("canvas").nth(SLOPES)
        box = canvas.bounding_box()
        x = 46 + 6.5 / 8 * (box["width"] - 58)  # the seventh of eight
        canvas.click(position={"x": x, "y": 200})
        assert "Head 7 of 8 has slope 1/128" in facts(root)
