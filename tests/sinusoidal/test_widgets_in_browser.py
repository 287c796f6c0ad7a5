"""The widgets on sinusoids on a static page, opened from the disk in a real browser."""

from pathlib import Path

import numpy as np
import pytest
from widget_page import control, facts, pictures, shown, table_rows, widget

from posenc import sinusoidal
from posenc.kit.widgets.linker import link
from posenc.sinusoidal import widgets
from posenc.sinusoidal.figures import curve_points, project
from posenc.sinusoidal.widgets import (
    BASES,
    WIDTHS,
    BitsAndSines,
    ClosedCurve,
    EncodingHeatmap,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (BitsAndSines, EncodingHeatmap, ClosedCurve)

BITS, HEAT, CURVE = 0, 1, 2


def words(root):
    return root.locator(".pe-readout").inner_text()


def press(page, root, *keys):
    """Focus the picture and press keys there."""
    root.locator("canvas").first.focus()
    for key in keys:
        page.keyboard.press(key)


class TestFormulas:
    """What math.js computes, against Python over a grid."""

    @pytest.fixture
    def module(self, page):
        code = link(Path(widgets.__file__).with_name("math.js"))
        code, _, name = code.partition("export default ")
        name = name.partition(".")[0]

        def evaluate(expression, argument):
            body = f"{code}\nconst math = {name};\nreturn ({expression})(input);"
            return page.evaluate(f"(input) => {{ {body} }}", argument)

        return evaluate

    @pytest.mark.parametrize("layout", ["interleaved", "half"])
    def test_tables(self, module, layout):
        grid = [[n, d, b] for n in (1, 9, 300) for d in WIDTHS[:7] for b in BASES]
        got = module(
            "(grid) => grid.map(([n, d, b]) => "
            f"[...math.encodingTable(n, d, b, '{layout}')])",
            grid,
        )
        for (n, d, base), table in zip(grid, got, strict=True):
            want = sinusoidal.sinusoidal_encoding(
                np.arange(float(n)), d, base=float(base), layout=layout
            )
            np.testing.assert_allclose(np.reshape(table, (n, d)), want, atol=1e-11)

    def test_curves(self, module):
        t = np.arange(0, 100, 0.25)
        for curve, base in [("binary", 10), *(("slow", base) for base in BASES)]:
            got = module(
                f"(ts) => ts.map((t) => math.curvePoint(t, '{curve}', {base}))",
                t.tolist(),
            )
            want = curve_points(t, curve, base=float(base))
            np.testing.assert_allclose(got, want, atol=1e-11)

    def test_projection(self, module):
        rng = np.random.default_rng(0)
        points = rng.normal(size=(50, 3))
        eyes = rng.integers(-90, 91, size=(50, 2))
        rows = np.hstack([points, eyes]).tolist()
        got = module(
            "(rows) => rows.map(([x, y, z, a, e]) => math.project([x, y, z], a, e))",
            rows,
        )
        want = [project(p, *eye) for p, eye in zip(points, eyes, strict=True)]
        np.testing.assert_allclose(np.asarray(got)[:, :2], want, atol=1e-12)
        # What is nearer to the eye has the larger third number: lengths are kept.
        np.testing.assert_allclose(
            np.linalg.norm(got, axis=1), np.linalg.norm(points, axis=1)
        )
        assert module("(eye) => math.project(eye, 0, 0)[2]", [5, 0, 0]) == 5

    def test_words(self, module):
        values = [0.004, -0.004, 0.006, -1, 0.5]
        got = module("(values) => values.map((v) => math.shown(v))", values)
        assert got == ["0", "0", "+0.01", "−1.00", "+0.50"]
        lengths = [6.2832, 62.832, 628.32, 6283.2, 62832]
        got = module("(values) => values.map(math.tokens)", lengths)
        assert got == ["6.28", "62.8", "628", "6,283", "62,832"]


class TestBits:
    def test_every_position_shows_its_digits_and_sines(self, page):
        root = widget(page, BITS)
        control(root, "position").press("Home")
        for n in range(128):
            digits, sines, cosines = shown(root).values()
            position = n / 8
            below = np.asarray(int(position))
            assert digits == sinusoidal.binary_encoding(below, 4).tolist()
            want = sinusoidal.continuous_binary_encoding(np.asarray(position), 4)
            np.testing.assert_allclose(sines, want, atol=1e-12)
            angles = 2 * np.pi * position / 2.0 ** np.arange(1, 5)
            np.testing.assert_allclose(cosines, np.cos(angles), atol=1e-12)
            control(root, "position").press("ArrowRight")

    def test_words_at_and_between_whole_positions(self, page):
        root = widget(page, BITS)
        assert words(root) == (
            "position 5: digits 1 0 1 0; sines 0, +1.00, −0.71, +0.92"
        )
        assert "5 = 1 × 1 + 0 × 2 + 1 × 4 + 0 × 8." in facts(root)
        assert "period 2 is always 0" in facts(root)
        press(page, root, "PageUp", "PageUp", "ArrowRight", "ArrowRight")
        assert words(root).startswith(
            "position 7.25: digits of 7: 1 1 1 0; sines −0.71"
        )
        assert "Between 7 and 8 there are no digits" in facts(root)
        assert "digits 0, 1, 2, 3 will jump" in facts(root)
        press(page, root, "End")
        assert words(root).startswith("position 16: no digits; sines 0, 0, 0, 0")
        press(page, root, "Home", "ArrowUp")
        assert "digit 0 will jump" in facts(root)

    def test_the_line_can_be_dragged(self, page):
        root = widget(page, BITS)
        canvas = root.locator("canvas").first
        box = canvas.bounding_box()
        unit = (box["width"] - 66 - 10) / 16
        page.mouse.move(box["x"] + 66 + 3 * unit, box["y"] + 60)
        assert words(root).startswith("position 5:")  # hovering moves nothing
        page.mouse.down()
        assert words(root).startswith("position 3:")
        page.mouse.move(box["x"] + 66 + 9.5 * unit, box["y"] + 60)
        assert words(root).startswith("position 9.5:")
        page.mouse.move(box["x"] + 3000, box["y"] + 60)
        assert words(root).startswith("position 16:")
        page.mouse.up()

    def test_text_says_the_same(self, page):
        root = widget(page, BITS)
        assert table_rows(root) == [
            ["0", "2", "1", "0", "−1.000"],
            ["1", "4", "0", "+1.000", "0"],
            ["2", "8", "1", "−0.707", "−0.707"],
            ["3", "16", "0", "+0.924", "−0.383"],
        ]


class TestHeatmap:
    def choose(self, root, **setting):
        for key, value in setting.items():
            box = control(root, key)
            if box.evaluate("node => node.tagName") == "SELECT":
                box.select_option(value)
                continue
            box.press("Home")
            while box.get_attribute("aria-valuetext") != str(value):
                box.press("ArrowRight")

    def test_cells_have_matplotlibs_colors(self, page):
        root = widget(page, HEAT)
        self.choose(root, seq_len=8, d_model=16)
        got = root.locator("canvas").first.evaluate("""(canvas) => {
          const wide = Math.floor((canvas.clientWidth - 42) / 16), tall = 26;
          const context = canvas.getContext("2d"), width = 16 * wide;
          const image = context.getImageData(40, 36, width, 8 * tall).data;
          const middle = (m, f) =>
            4 * (Math.floor((m + 0.5) * tall) * width + Math.floor((f + 0.5) * wide));
          return [...Array(8).keys()].map((m) => [...Array(16).keys()].map((f) =>
            [...image.slice(middle(m, f), middle(m, f) + 3)]));
        }""")
        table = sinusoidal.sinusoidal_table(8, 16)
        index = np.minimum(np.floor(128 * (table + 1)).astype(int), 255)
        colors = np.frombuffer(bytes.fromhex(EncodingHeatmap().colors), np.uint8)
        want = colors.reshape(256, 3)[index].astype(int)
        # Where a value lies on the edge of two colors, either is right.
        assert np.abs(np.asarray(got) - want).max() <= 6

    def test_keys_read_the_values(self, page):
        root = widget(page, HEAT)
        self.choose(root, seq_len=100, d_model=4)
        canvas = root.locator("canvas").first
        press(page, root, "Home")
        assert words(root).startswith("position 0, feature 0: sin(0 × 1.000) = 0;")
        press(page, root, *["PageDown"] * 4, *["ArrowDown"] * 4)
        assert words(root) == (
            "position 44, feature 0: sin(44 × 1.000) = +0.0177; "
            "pair 0 turns once in 6.28 tokens"
        )
        press(page, root, "End")
        assert words(root) == (
            f"position 44, feature 3: cos(44 × 0.01000) = +{np.cos(0.44):.4f}; "
            "pair 1 turns once in 628 tokens"
        )
        before = canvas.evaluate("canvas => canvas.toDataURL()")
        page.keyboard.press("Escape")
        assert words(root).startswith("Point at a cell")
        assert canvas.evaluate("canvas => canvas.toDataURL()") != before

    @pytest.mark.parametrize("name", ["10 × 64", "500 × 768"])
    def test_presets(self, page, name):
        root = widget(page, HEAT)
        before = pictures(root)
        root.get_by_role("button", name=name).press("Enter")
        count, d = map(int, name.split(" × "))
        assert facts(root).startswith(
            f"{count} positions × {d} features = {count * d:,}"
        )
        theta = 10_000.0 ** (-2 * np.arange(d // 2) / d)
        slow = int((count * theta / (2 * np.pi) < 1).sum())
        assert f"{slow} of the {d // 2} pairs do not finish one turn" in facts(root)
        assert pictures(root) != before
        press(page, root, "End", *["PageDown"] * 60)
        value = np.cos((count - 1) * theta[-1])
        assert words(root).startswith(f"position {count - 1}, feature {d - 1}: cos(")
        assert f"= +{value:.4f};" in words(root)
        root.get_by_role("button", name="reset").press("Enter")
        root.locator("canvas").first.blur()
        assert pictures(root) == before

    def test_order_and_base(self, page):
        root = widget(page, HEAT)
        before = pictures(root)
        self.choose(root, order="all sines, all cosines", base="100")
        assert pictures(root) != before
        press(page, root, "End")
        theta = 100.0 ** (-62 / 64)
        assert words(root).startswith(f"position 0, feature 63: cos(0 × {theta:.5f}")
        rows = table_rows(root)
        assert [row[1] for row in rows] == [f"{i}, {i + 32}" for i in range(32)]
        assert rows[-1][3] == f"{2 * np.pi / theta:.3g} tokens"


class TestCurve:
    def test_points_and_what_meets(self, page):
        root = widget(page, CURVE)
        points = shown(root)["points"]
        want = curve_points(np.arange(9.0), "binary")
        np.testing.assert_allclose(points, want, atol=1e-12)
        assert words(root) == "from position 0 to 8: the ends are the same point"
        assert "cannot be told apart: 0 = 4 = 8." in facts(root)
        root.get_by_role("button", name="slower waves").press("Enter")
        ends = curve_points(np.asarray([0.0, 40.0]), "slow")
        gap = np.linalg.norm(ends[1] - ends[0])
        assert words(root) == f"from position 0 to 40: the ends are {gap:.3f} apart"
        assert "have points of their own" in facts(root)
        assert "1 of the 3 features has turned once by position 40" in facts(root)

    @pytest.mark.parametrize("base", [2, 10, 100])
    def test_how_many_slow_features_have_turned(self, page, base):
        root = widget(page, CURVE)
        root.get_by_role("button", name="slower waves").press("Enter")
        control(root, "base").select_option(str(base))
        periods = 2 * np.pi * base ** (np.arange(3) / 3)
        turned = int((periods <= 40).sum())
        assert f"{turned} of the 3 features ha" in facts(root)

    def test_dragging_and_keys_turn_it(self, page):
        root = widget(page, CURVE)
        root.scroll_into_view_if_needed()
        before = pictures(root)
        canvas = root.locator("canvas")
        box = canvas.bounding_box()
        page.mouse.move(box["x"] + 200, box["y"] + 100)
        assert pictures(root) == before  # hovering turns nothing
        page.mouse.down()
        page.mouse.move(box["x"] + 140, box["y"] + 120, steps=5)
        page.mouse.up()
        assert pictures(root) != before
        degrees = [
            control(root, key).get_attribute("aria-valuetext")
            for key in ("azimuth", "elevation")
        ]
        assert degrees == ["65°", "35°"]
        press(page, root, "ArrowRight", "ArrowUp")
        degrees = [
            control(root, key).get_attribute("aria-valuetext")
            for key in ("azimuth", "elevation")
        ]
        assert degrees == ["60°", "30°"]
        press(page, root, "Home")
        canvas.blur()
        assert pictures(root) == before

    def test_poles_stop_and_the_circle_goes_on(self, page):
        root = widget(page, CURVE)
        press(page, root, *["ArrowDown"] * 20, *["ArrowLeft"] * 36)
        text = [
            control(root, key).get_attribute("aria-valuetext")
            for key in ("azimuth", "elevation")
        ]
        assert text == ["−145°", "90°"]
