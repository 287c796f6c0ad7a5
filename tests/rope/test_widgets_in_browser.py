"""Behavior of the widget of a turned pair, in a real browser."""

import math

import numpy as np
import pytest
from widget_page import WORDS, control, pictures, readout, shown, widget

from posenc.rope.widgets import TurnedPair

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (TurnedPair, TurnedPair.opening)


class TestPlane:
    def test_every_part_stays_while_the_pair_slides(self, page):
        root = widget(page)
        control(root, "planes").select_option("4")
        start, picture = shown(root), pictures(root)
        root.locator("[data-play]").press("Enter")
        end = shown(root)
        assert readout(root).startswith("Query at 22, key at 24")
        assert end["q"] - start["q"] == 21 * 30
        np.testing.assert_allclose(end["parts"], start["parts"], atol=1e-9)
        assert end["score"] == pytest.approx(start["score"])
        assert pictures(root)[1] != picture[1]
        root.locator("canvas").first.press("ArrowDown")  # the key alone
        apart = np.abs(np.subtract(shown(root)["parts"], start["parts"]))
        assert (apart > 0.005).all()

    def test_the_opening_writes_the_angle_between_both(self, page):
        root = widget(page, 1)
        assert "120°" in root.evaluate(WORDS)
        root.locator("[data-play]").press("Enter")  # both move
        assert "120°" in root.evaluate(WORDS)
        root.locator("canvas").last.press("ArrowDown")  # the key alone
        assert "90°" in root.evaluate(WORDS)

    def test_the_first_of_four_planes_is_dragged(self, page):
        root = widget(page)
        single = root.locator("canvas").nth(1).bounding_box()
        control(root, "planes").select_option("4")
        canvas = root.locator("canvas").nth(1)
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box["height"] > single["height"]
        before = shown(root)
        x, y, size = 85, 16 + 85, 65  # of the first plane
        angle = math.radians(60)
        page.mouse.move(
            box["x"] + x + size * math.cos(angle), box["y"] + y - size * math.sin(angle)
        )
        page.mouse.down()
        page.mouse.move(box["x"] + x + size, box["y"] + y, steps=4)
        page.mouse.up()
        after = shown(root)
        assert after["q"] == 360  # turned by 30 degrees from 330
        assert after["parts"][0] != pytest.approx(before["parts"][0])
        assert after["parts"][1:] == before["parts"][1:]

    def test_keys_move_both_or_the_key_alone(self, page):
        root = widget(page)
        canvas = root.locator("canvas").first
        score = shown(root)["score"]
        before = pictures(root)
        for _ in range(5):
            canvas.press("ArrowRight")
        assert readout(root).startswith("Query at 6, key at 8: relative position +2")
        assert shown(root)["score"] == pytest.approx(score)
        assert pictures(root)[0] != before[0]
        canvas.press("ArrowUp")
        assert readout(root).startswith("Query at 6, key at 9: relative position +3")
        assert shown(root)["score"] != pytest.approx(score)
        for key in ["ArrowDown"] * 30 + ["ArrowLeft"] * 30:  # not beyond the ruler
            canvas.press(key)
        assert readout(root).startswith("Query at 6, key at 0")

    def test_markers_are_dragged_along_the_text(self, page):
        root = widget(page)
        canvas = root.locator("canvas").first
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()

        def drag(start, end, height):
            unit = (box["width"] - 36) / 24
            x = [box["x"] + 18 + place * unit for place in (start, end)]
            page.mouse.move(x[0], box["y"] + height)
            page.mouse.down()
            page.mouse.move(x[1], box["y"] + height, steps=6)
            page.mouse.up()

        drag(3, 8.3, 50)  # the key
        assert readout(root).startswith("Query at 1, key at 8")
        drag(1, 5, 50)
        assert readout(root).startswith("Query at 5, key at 8")
        drag(6, 16, 20)  # the bracket between them: both
        assert readout(root).startswith("Query at 15, key at 18")
        drag(16, 30, 20)  # not out of the text
        assert readout(root).startswith("Query at 21, key at 24")
        drag(3, 9, 50)  # no token is there
        assert readout(root).startswith("Query at 21, key at 24")

    def test_an_arrow_is_dragged_by_its_tip(self, page):
        root = widget(page)
        canvas = root.locator("canvas").nth(1)
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        center = box["width"] / 2
        size = center - 26

        def point(length, degrees):
            angle = math.radians(degrees)
            x, y = math.cos(angle), math.sin(angle)
            across = center + length * size * x
            return box["x"] + across, box["y"] + center - length * size * y

        # The key, of length 0.8, starts at 90 and is turned by 3 times 30 degrees.
        page.mouse.move(*point(0.8, 180))
        page.mouse.down()
        page.mouse.move(*point(0.8, 203), steps=4)  # 23 on: nearer to 30 than to 15
        assert shown(root)["k"] == 210
        assert shown(root)["q"] == 60
        page.mouse.up()
        page.mouse.move(*point(1, 60))
        page.mouse.down()
        page.mouse.move(*point(0.5, -30), steps=8)  # past 0: from 30 to 300
        page.mouse.up()
        assert shown(root)["q"] == 330
        page.mouse.move(*point(0.2, 270))  # no arrow is near, none is held
        page.mouse.down()
        page.mouse.move(*point(0.9, 270))
        assert shown(root)["q"] == 330
        assert shown(root)["k"] == 210
