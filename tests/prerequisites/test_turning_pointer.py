"""The widget that opens the prerequisites: what it draws, and how it is dragged."""

import math

import pytest
from widget_page import shown, widget

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
