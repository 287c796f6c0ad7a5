"""Behavior of the widget of the chapter on today's models, in a real browser."""

import pytest
from widget_page import control, readout, shown, widget

from posenc.checkpoint.widgets import ConfigKeys

pytestmark = pytest.mark.browser


class LiveKeys(ConfigKeys):
    """As it is where Python reads what is pasted."""

    def static_state(self):
        return {**super().static_state(), "live": True}


def pasted():
    """A config without rotation that Python has read."""
    return LiveKeys(text='{"model_type": "t5"}')


WIDGETS = (ConfigKeys, ConfigKeys, LiveKeys, pasted)


def test_hovered_plane_shows_its_turns(page):
    root = widget(page, 0)
    control(root, "step").press("End")
    curve, dials = root.locator("canvas").all()
    curve.press("End")
    told = readout(root)
    assert told.startswith("Plane 63, layers 0-31: a turn takes")
    assert "8,192 it makes 0.00 turns before stretching, and 0.01 within" in told
    dials.press("Home")
    assert readout(root).startswith("Plane 0, layers 0-31: a turn takes 6.3 tokens")


def test_a_clicked_plane_is_told_again_until_the_focus_goes(page):
    root = widget(page, 0)
    canvas, start = root.locator("canvas").first, readout(root)
    high = canvas.bounding_box()["height"] / 2
    canvas.click(position={"x": 120, "y": high})
    clicked = readout(root)
    canvas.hover(position={"x": 200, "y": high})
    assert readout(root) not in {clicked, start}
    page.mouse.move(1, 1)
    assert readout(root) == clicked
    canvas.evaluate("node => node.blur()")
    assert readout(root) == start


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Gemma 3 4B", "promised: 131,072 key, window: 1,024 position"),
        (
            "gpt-oss 20B",
            "trained: 4,096 key, promised: 131,072 key, window: 128 position",
        ),
    ],
)
def test_each_length_has_a_line_in_the_color_of_its_layers(page, name, lines):
    root = widget(page, 0)
    control(root, "step").press("End")
    control(root, "model").select_option(name)
    drawn = shown(root)["lines"]
    assert ", ".join(f"{one['words']} {one['role']}" for one in drawn) == lines


PARTS = [
    "canvas",
    "[data-key=step]",
    ".pe-readout",
    ".pe-facts",
    ".pe-panel:last-child",
]
TOPS = f"""(root) => {PARTS}
  .map((part) => root.querySelector(part).getBoundingClientRect().top)"""


def test_on_a_phone_controls_and_counts_stand_between_chart_and_dials(page):
    root = widget(page, 0)
    first, controls, words, counts, dials = root.evaluate(TOPS)
    assert first == dials < words < controls < counts
    page.set_viewport_size({"width": 360, "height": 800})
    page.wait_for_function(f"({TOPS})(document.querySelector('.pe-widget'))[1] < 700")
    first, controls, words, counts, dials = root.evaluate(TOPS)
    assert first < controls < words < counts < dials
    control(root, "step").press("End")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate("document.activeElement.dataset.key") == "step"


def test_without_python_the_widget_asks_for_it(page):
    root = widget(page, 0)
    assert root.locator("textarea").count() == 0
    assert "A config of your own needs Python" in root.inner_text()


def test_report_is_shown_for_families_and_configs(page):
    root = widget(page, 0)
    report, families = root.locator("pre"), root.get_by_label("a family's defaults")
    assert report.is_hidden()
    for name in ("bloom", "llama"):
        families.select_option(name)
        assert report.inner_text() == ConfigKeys().reports[name]
    families.select_option("choose one")
    assert report.is_hidden()
    other = widget(page, 3)
    assert "no layer turns" in readout(other)
    assert "The pictures show Llama 3.1 8B." in readout(other)
    assert other.locator("pre").inner_text() == pasted().own["report"]


def test_with_python_a_config_is_sent(page):
    root = widget(page, 2)
    root.locator("textarea").fill('{"model_type": "olmo"}')
    root.get_by_role("button", name="read it").click()
    assert root.locator("textarea").input_value() == '{"model_type": "olmo"}'
    root.get_by_role("button", name="reset").click()
    assert root.locator("textarea").input_value() == ""
