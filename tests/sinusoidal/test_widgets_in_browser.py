"""Behavior of the widgets on sinusoids, in a real browser."""

from pathlib import Path

import numpy as np
import pytest
from widget_page import control, pictures, readout, widget

from posenc.kit.widgets.bundle import bundle
from posenc.sinusoidal import widgets
from posenc.sinusoidal.figures import project
from posenc.sinusoidal.widgets import BitsAndSines, ClosedCurve

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (BitsAndSines, ClosedCurve)

BITS, CURVE = range(2)


def press(page, root, *keys):
    """Focus the picture and press keys there."""
    root.locator("canvas").first.focus()
    for key in keys:
        page.keyboard.press(key)


def angles(root):
    return [
        control(root, key).get_attribute("aria-valuetext")
        for key in ("azimuth", "elevation")
    ]


def test_projection_is_that_of_the_figures(page):
    code = bundle(Path(widgets.__file__).with_name("math.js"))
    code, _, name = code.partition("export default ")
    every = f"rows.map((row) => {name.partition('.')[0]}.project(...row))"
    rng = np.random.default_rng(0)
    points, eyes = rng.normal(size=(50, 3)), rng.integers(-90, 91, size=(50, 2))
    points[0], eyes[0] = [5, 0, 0], 0  # the eye looks at it
    rows = [[p, *eye] for p, eye in zip(points.tolist(), eyes.tolist(), strict=True)]
    got = page.evaluate(f"(rows) => {{ {code}\nreturn {every}; }}", rows)
    want = [project(p, *eye) for p, eye in zip(points, eyes, strict=True)]
    np.testing.assert_allclose(np.asarray(got)[:, :2], want, atol=1e-12)
    # Nearer points have the larger third number, since lengths stay.
    lengths = [np.linalg.norm(some, axis=1) for some in (got, points)]
    np.testing.assert_allclose(*lengths)
    assert got[0][2] == 5


class TestBits:
    def test_the_line_can_be_dragged(self, page):
        root = widget(page, BITS)
        canvas = root.locator("canvas").first
        box = canvas.bounding_box()
        unit = (box["width"] - 66 - 10) / 16
        page.mouse.move(box["x"] + 66 + 3 * unit, box["y"] + 60)
        assert readout(root).startswith("position 5:")  # hovering moves nothing
        page.mouse.down()
        assert readout(root).startswith("position 3:")
        page.mouse.move(box["x"] + 66 + 9.5 * unit, box["y"] + 60)
        assert readout(root).startswith("position 9.5:")
        page.mouse.move(box["x"] + 3000, box["y"] + 60)
        assert readout(root).startswith("position 16:")
        page.mouse.up()


class TestCurve:
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
        assert angles(root) == ["65°", "35°"]
        press(page, root, "ArrowRight", "ArrowUp")
        assert angles(root) == ["60°", "30°"]
        press(page, root, "Home")
        canvas.blur()
        assert pictures(root) == before
