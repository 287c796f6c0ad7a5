"""The widget that opens the prerequisites: what it draws, and how it is dragged."""

import math

import browsing
import pytest
from widget_page import readout, shown, widget

from posenc.prerequisites.widgets.turning_pointer import TurningPointer

pytestmark = pytest.mark.browser

WIDGETS = (TurningPointer.opening,)

#: Presses a mouse button at an angle, in degrees, on the rim of the circle.
PRESS = """(canvas, degrees) => {
  const box = canvas.getBoundingClientRect(), size = Math.min(96, 0.17 * box.width);
  const angle = degrees * Math.PI / 180;
  canvas.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, buttons: 1,
    clientX: box.left + size + 10 + size * Math.cos(angle),
    clientY: box.top + 34 + size - size * Math.sin(angle) }));
}"""


#: Tells in `page` whether the page was scrolled, once it can be.
WATCH = """() => {
  document.body.style.paddingBottom = "2000px";
  window.scrolled = 0;
  addEventListener("scroll", () => { scrolled++; });
}"""


@pytest.fixture
def finger(browser, address):
    """A page on a phone, and a function that drags a finger along its picture."""
    context = browsing.new_context(
        browser,
        viewport={"width": 360, "height": 640},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address)
    page.evaluate(WATCH)
    session = context.new_cdp_session(page)
    canvas = widget(page).locator("canvas")

    def drag(*places):
        box = canvas.bounding_box()
        for kind, (x, y) in zip(
            ["touchStart", *["touchMove"] * len(places)], places, strict=False
        ):
            at = {"x": box["x"] + x, "y": box["y"] + y}
            session.send(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]}
            )
        session.send(
            "Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}
        )

    yield page, canvas.bounding_box()["width"], drag
    context.close()


def test_a_finger_turns_the_tip_and_scrolls_the_page_elsewhere(finger):
    page, width, drag = finger
    size = min(96, 0.17 * width)

    def rim(degrees):
        angle = math.radians(degrees)
        return (
            size + 10 + size * math.cos(angle),
            34 + size - size * math.sin(angle),
        )

    assert readout(widget(page)).startswith("Position 3:")
    drag(*(rim(135 + 9 * i) for i in range(16)))  # from the tip, down round the circle
    assert readout(widget(page)).startswith("Position 6:")
    assert page.evaluate("scrolled") == 0
    x, y = rim(90)
    drag(*((x, y - 8 * i) for i in range(16)))
    page.wait_for_function("scrolled > 0")


def test_coordinates_are_cosine_and_sine(page):
    root = widget(page)
    root.locator("canvas").press("Home")
    for t in range(17):
        angle = t * math.pi / 4
        assert shown(root) == {
            "angle": 45 * t,
            "across": pytest.approx(math.cos(angle)),
            "height": pytest.approx(math.sin(angle)),
        }
        root.locator("canvas").press("ArrowRight")


def test_the_circle_leads_to_the_nearest_position_of_an_angle(page):
    root = widget(page)
    canvas = root.locator("canvas")
    found = []
    for degrees in (180, 270, 0, 90, 185, 90):  # round once, and back a little
        canvas.evaluate(PRESS, degrees)
        found.append(shown(root)["angle"])
    assert found == [180, 270, 360, 450, 540, 450]
    canvas.press("End")
    canvas.evaluate(PRESS, 45)  # there is none behind the last
    assert shown(root)["angle"] == 405
    canvas.press("Home")
    canvas.evaluate(PRESS, -45)  # nor before the first
    assert shown(root)["angle"] == 315
