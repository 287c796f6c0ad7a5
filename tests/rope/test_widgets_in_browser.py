"""Behavior of the widgets of a turned pair and of clocks, in a real browser."""

import math

import pytest
from widget_page import control, pictures, readout, shown, widget

from posenc.rope.widgets import PlaneClocks, TurnedPair

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (TurnedPair, TurnedPair.opening, PlaneClocks)


class TestPlane:
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


@pytest.mark.parametrize("width", [320, 900])
def test_a_clock_tells_of_its_scaling_and_stays_chosen(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    root = widget(page, 2)
    control(root, "head_dim").select_option("64")
    canvas = root.locator("canvas").first
    high = canvas.bounding_box()["height"] / 4
    canvas.click(position={"x": 30, "y": 2 * high + 30})
    begin = readout(root).partition(":")[0]
    assert begin.endswith(", NTK-aware")
    page.mouse.move(1, 1)
    control(root, "distance").press("ArrowLeft")
    assert readout(root).startswith(begin)
    canvas.press("ArrowDown")
    assert readout(root).startswith(begin.replace("NTK-aware", "YaRN"))
    control(root, "head_dim").select_option("32")
    canvas.press("End")
    assert readout(root).startswith("Plane 15, YaRN")


def test_a_clicked_clock_outlives_all_but_another_choice(page):
    root = widget(page, 2)
    dials, curve = root.locator("canvas").all()
    dials.click(position={"x": 30, "y": 30})
    begin = readout(root).partition(":")[0]
    assert begin.endswith(", as trained")
    dials.evaluate("node => node.blur()")  # as a link elsewhere on the page does
    page.mouse.move(1, 1)
    assert readout(root).startswith(begin)
    curve.hover()
    assert not readout(root).startswith(begin)
    page.mouse.move(1, 1)
    assert readout(root).startswith(begin)
    for words in ("YaRN", "NTK-aware"):
        control(root, "method").select_option(label=words)
        assert readout(root).startswith(begin.replace("as trained", words))
    dials.press("Escape")
    assert readout(root).startswith("Point at")
    dials.press("ArrowRight")  # from the row of the present scaling
    assert readout(root).startswith("Plane 1, NTK-aware")
    curve.press("ArrowRight")  # from the chosen plane
    assert readout(root).startswith("Plane 2, NTK-aware")
    clear = (
        lambda: dials.click(position={"x": 30, "y": 8}),  # the title of a row
        lambda: root.get_by_role("button", name="reset").press("Enter"),
    )
    for let_go in clear:
        dials.click(position={"x": 30, "y": 30})
        assert readout(root).startswith(begin.partition(",")[0])
        let_go()
        page.mouse.move(1, 1)
        assert readout(root).startswith("Point at")


@pytest.mark.parametrize("head_dim", ["32", "64"])
def test_clocks_sweep_words_and_distance_fit_on_a_phone(page, head_dim):
    page.set_viewport_size({"width": 360, "height": 740})
    root = widget(page, 2)
    control(root, "head_dim").select_option(head_dim)
    dials = root.locator("canvas").first
    dials.click(position={"x": 60, "y": 60})
    parts = [
        dials,
        root.locator(".pe-play"),
        root.locator(".pe-readout"),
        control(root, "distance"),
    ]
    tops = [part.bounding_box()["y"] for part in parts]
    assert tops == sorted(tops)
    assert tops[-1] + 24 - tops[0] < 700
