"""Behavior of the widgets on linear attention, in a real browser."""

from functools import partial

import numpy as np
import pytest
from widget_page import control, facts, pictures, readout, shown, widget

from posenc.linear_attention import figures
from posenc.linear_attention.widgets import (
    CausalState,
    KernelLift,
    MeasuredCost,
    ProductOrder,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (
    KernelLift,
    ProductOrder,
    CausalState,
    partial(MeasuredCost, revealed=True),
    partial(CausalState, slope=1.0, t=5),
    partial(MeasuredCost, one="softmax", other="softmax"),
)
LIFT, ORDERS, STATE, COST, FADED, ALONE = range(6)


def drag(page, canvas, start, end):
    """Drag with the mouse, from and to shares of the canvas's size."""
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    places = [
        (box["x"] + x * box["width"], box["y"] + y * box["height"])
        for x, y in (start, end)
    ]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=5)
    page.mouse.up()


class TestLift:
    def test_keys_move_one_point_and_enter_takes_the_other(self, page):
        root = widget(page, LIFT)
        flat = root.locator("canvas").first
        flat.press("ArrowLeft")
        flat.press("ArrowUp")
        assert "q = (1.0, 0.6)" in facts(root)
        flat.press("Enter")
        assert readout(root).startswith(
            "k = (0.4, 1.0) is lifted to (0.16, 0.57, 1.00)"
        )
        for _ in range(5):
            flat.press("ArrowUp")
        assert "k = (0.4, 1.2)" in facts(root)  # not beyond the picture
        assert "q = (1.0, 0.6)" in facts(root)
        root.get_by_role("button", name="reset").press("Enter")
        assert "q = (1.1, 0.5)" in facts(root)

    def test_points_can_be_dragged(self, page):
        root = widget(page, LIFT)
        flat = root.locator("canvas").first
        side = flat.bounding_box()["width"]
        scale = (side / 2 - 20) / 1.5 / side

        def place(x, y):
            return 0.5 + scale * x, 0.5 - scale * y

        drag(page, flat, place(1.1, 0.5), place(-0.72, -0.31))
        assert "q = (−0.7, −0.3)" in facts(root)
        assert "k = (0.4, 1.0)" in facts(root)
        drag(page, flat, place(0.4, 1.0), (0.02, 0.5))
        assert "k = (−1.2, 0.0)" in facts(root)

    def test_the_cone_turns_by_keys_and_by_dragging(self, page):
        root = widget(page, LIFT)
        cone = root.locator("canvas").last
        seen = shown(root)["seen"]
        cone.press("ArrowRight")
        assert control(root, "azimuth").get_attribute("aria-valuetext") == "−40°"
        np.testing.assert_allclose(
            shown(root)["seen"],
            figures.project(np.asarray(shown(root)["lifted"]), -40, 15),
            atol=1e-12,
        )
        cone.press("ArrowLeft")
        assert shown(root)["seen"] == seen
        for _ in range(20):
            cone.press("ArrowUp")
        assert control(root, "elevation").get_attribute("aria-valuetext") == "90°"
        drag(page, cone, (0.3, 0.9), (0.6, 0.5))
        around = control(root, "azimuth").get_attribute("aria-valuetext")
        up = control(root, "elevation").get_attribute("aria-valuetext")
        assert int(around[:-1].replace("−", "-")) > -40
        assert int(up[:-1]) < 90


def test_the_button_leads_to_the_crossing(page):
    root = widget(page, ORDERS)
    for size in ("Home", "End"):
        control(root, "head_dim").press(size)
        root.get_by_role("button", name="to the crossing").press("Enter")
        assert shown(root)["work"][0] == shown(root)["work"][1]


class TestState:
    def test_buttons_step_forth_and_back(self, page):
        root = widget(page, STATE)
        before = pictures(root)
        forth = root.get_by_role("button", name="step ▶")
        back = root.get_by_role("button", name="◀ back")
        forth.press("Enter")
        assert readout(root).startswith("After “man” at position 3")
        back.press("Enter")
        assert pictures(root) == before
        for _ in range(9):
            back.press("Enter")
        assert readout(root).startswith("After “dog” at position 0")
        assert np.count_nonzero(shown(root)["decayed"]) == 0
        for _ in range(9):
            forth.press("Enter")
        assert readout(root).startswith("After “dog” at position 5")


def test_a_click_moves_the_cursor_of_the_cost(page):
    root = widget(page, COST)
    curves = root.locator("canvas").first
    curves.scroll_into_view_if_needed()
    for x, at in ((curves.bounding_box()["width"] - 26, 4), (58, 0)):
        curves.click(position={"x": x, "y": 150})
        assert shown(root)["at"] == at


def test_a_share_below_one_percent_has_a_digit_more(page):
    assert "The first token has 0.3\u00a0% of the sum" in facts(widget(page, FADED))


def test_a_method_against_itself_leaves_nothing_to_guess(page):
    root = widget(page, ALONE)
    assert root.locator(".pe-reveal").is_disabled()
    assert readout(root).count("softmax") == 1
